import type { CourierAddress, CourierJob, CourierStop } from '../../deliveries/couriers/courier-gateway.ts';
import { e164Of } from '../../lib/phone.ts';

/** Uber's bound for notes. */
const MAX_NOTE_CHARACTERS = 280;

/** What Uber needs for a quote. */
export function quoteBodyOf({ pickup, dropoff, valueCents, readyAt }: CourierJob): Record<string, unknown> {
  return {
    ...stopOf('pickup', pickup),
    ...stopOf('dropoff', dropoff),
    pickup_ready_dt: readyAt.toString({ smallestUnit: 'second' }),
    manifest_total_value: valueCents,
  };
}

/** What Uber needs for a delivery: repeated with its key, it has the same delivery. */
export function deliveryBodyOf(job: CourierJob, quoteId: string | null): Record<string, unknown> {
  const { key, reference, pickup, dropoff, items, tipCents, minAge } = job;
  return {
    ...quoteBodyOf(job),
    pickup_name: pickup.name,
    pickup_notes: noteOf(`Order ${reference}. ${pickup.notes}`),
    dropoff_name: dropoff.name,
    dropoff_notes: noteOf(dropoff.notes),
    manifest_items: items.map(({ name, quantity }) => ({ name, quantity, size: 'small' })),
    tip: tipCents,
    idempotency_key: key,
    external_id: key,
    ...(quoteId === null ? {} : { quote_id: quoteId }),
    ...(minAge === null ? {} : { dropoff_verification: { identification: { min_age: minAge } } }),
  };
}

function stopOf(side: 'pickup' | 'dropoff', { address, phone }: CourierStop): Record<string, unknown> {
  return {
    [`${side}_address`]: addressOf(address),
    [`${side}_latitude`]: address.latitude,
    [`${side}_longitude`]: address.longitude,
    ...(phone === null ? {} : { [`${side}_phone_number`]: e164Of(phone) }),
  };
}

/** Uber takes an address as one line, or as JSON in a text; it prefers its parts. */
function addressOf({ text, parts }: CourierAddress): string {
  if (!parts || parts.lines.length === 0 || parts.city === '') return text;
  const { lines, city, state, postalCode, country } = parts;
  return JSON.stringify({ street_address: lines, city, state, zip_code: postalCode, country });
}

function noteOf(text: string): string {
  return [...text.trim()].slice(0, MAX_NOTE_CHARACTERS).join('');
}
