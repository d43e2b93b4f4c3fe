import { minAgeAt } from '../../../ordering/order/alcohol.ts';
import { doorOf } from '../../../ordering/order/arrival.ts';
import { fulfilledItems } from '../../../ordering/order/fulfilled-items.ts';
import { type Order, shownOrderNumber } from '../../../ordering/order/order.ts';
import { tipOf } from '../../../ordering/order/order-view.ts';
import { repriceOrder } from '../../../ordering/order/reprice-order.ts';
import { milesBetween } from '../../../platform/lib/geo/sphere.ts';
import { e164Of } from '../../../platform/lib/phone.ts';
import type { Store } from '../../../supply/stores/store.ts';
import { travelMinutes } from '../../../supply/stores/time-estimate.ts';
import { localeOf } from '../../../texts/catalogs.ts';
import type { CourierDelivery } from './courier-delivery.ts';
import type { AddressParts, CourierJob, CourierStop } from './courier-gateway.ts';

/** Facts of a delivery that are not in the order. */
export type JobFacts = { store: Pick<Store, 'address'> | undefined; hasAlcohol: boolean };

export function courierJobOf(
  order: Order,
  { key, readyAt, tipCents }: Pick<CourierDelivery, 'key' | 'readyAt' | 'tipCents'>,
  facts: JobFacts,
): CourierJob {
  const { quote, request } = order;
  return {
    key,
    readyAt,
    reference: shownOrderNumber(order),
    pickup: pickupOf(order, facts.store),
    dropoff: dropoffOf(order),
    items: fulfilledItems(order).flatMap(({ name, quantity }) => (quantity > 0 ? [{ name, quantity }] : [])),
    valueCents: repriceOrder(order).subtotalCents,
    // A repeated request has the tip of the first.
    tipCents: tipCents ?? tipOf(order),
    currency: quote.store.country === 'CA' ? 'cad' : 'usd',
    where: request.customer.dropOff?.where ?? null,
    minAge: facts.hasAlcohol ? minAgeAt(quote.store.country, quote.store.state ?? request.customer.state) : null,
  };
}

/** Returns when the order is ready, from `now` on: as the store confirmed, else the arrival minus the trip. */
export function readyAtOf(order: Order, now: Temporal.Instant): Temporal.Instant {
  const readyAt = order.readyBy ?? leavesAtOf(order) ?? now;
  return Temporal.Instant.compare(readyAt, now) > 0 ? readyAt : now;
}

function leavesAtOf(order: Order): Temporal.Instant | undefined {
  const door = doorOf(order);
  if (order.eta === null || door === undefined) return undefined;
  return order.eta.subtract({ minutes: travelMinutes(milesBetween(order.quote.store, door)) });
}

function pickupOf({ quote, request }: Order, store: JobFacts['store']): CourierStop {
  const { name, phoneNumber, address, latitude, longitude } = quote.store;
  const parts = store && partsOfStore(store);
  const { dropOff, pickupNotes } = request.customer;
  const utensils = dropOff ? [dropOff.utensils ? SAYS.utensils : SAYS.noUtensils] : [];
  const notes = [...utensils, pickupNotes].filter((part) => part !== '').join('. ');
  return { name, phone: phoneNumber, address: { text: address, parts, latitude, longitude }, notes };
}

function partsOfStore({ address }: Pick<Store, 'address'>): AddressParts {
  const { streetAddr, streetAddr2, city, state, zipcode, country } = address;
  return { lines: [streetAddr, streetAddr2].filter((line) => line !== ''), city, state, postalCode: zipcode, country };
}

/** Couriers read English. */
const SAYS = localeOf('en', 'US').words.customer.dropOff;

function dropoffOf({ quote, request }: Order): CourierStop {
  const { name, phone, streetNum, streetName, aptNum, city, state, zipcode, dropoffNotes, latitude, longitude } =
    request.customer;
  const { dropOff } = request.customer;
  // Some clients repeat the number in the street name.
  const street = streetName.startsWith(`${streetNum} `) ? streetName : `${streetNum} ${streetName}`.trim();
  const lines = [street, aptNum].filter((line) => line !== '');
  return {
    name: name || 'Customer',
    phone,
    notes: [dropOff ? SAYS.where[dropOff.where] : '', dropoffNotes].filter((part) => part !== '').join('. '),
    address: {
      text: [...lines, city, `${state} ${zipcode}`.trim()].filter((part) => part !== '').join(', '),
      parts: { lines, city, state, postalCode: zipcode, country: quote.store.country },
      latitude: latitude ?? quote.store.latitude,
      longitude: longitude ?? quote.store.longitude,
    },
  };
}

/** Notes with the current name, apartment and phone, because companies accept changes of these only in the notes. */
export function changedNotes(
  { name, phone, notes, address }: CourierStop,
  { hasPhone }: { hasPhone: boolean },
): string {
  const rooms = address.parts?.lines.slice(1) ?? [];
  const call = hasPhone && phone !== null ? [e164Of(phone)] : [];
  return [`For ${name}`, ...rooms, ...call, notes].filter((part) => part !== '').join('. ');
}
