import { Type } from 'typebox';
import { type Fault, Refusal } from '../http/refusal.ts';
import { compileRequestPart, EMAIL, invalidRequest } from '../http/request-schema.ts';
import { cardDigits, type ReadCard, readCard } from './card.ts';

/** A request to create a payment method, read. */
export type PaymentRequest = ReadCard & { userId: string; userEmail: string };

export const USER_ID = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Your own id of the user who owns the card.',
});

const USER_FIELDS = Type.Object({
  user_id: USER_ID,
  user_email: EMAIL,
});
const parseUser = compileRequestPart(USER_FIELDS, 'body');

/**
 * Reads the body of `POST /payment/create`. Only the named fields are read; other members are dropped. The card number
 * may stand in its own field only, because the other fields and the Idempotency-Key are stored. Throws
 * `invalid_request`, which names every wrong field and repeats no value.
 */
export function readPaymentRequest(
  body: unknown,
  idempotencyKey: string | undefined,
  now: Temporal.Instant,
): PaymentRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ in: 'body', name: 'body', message: 'must be an object' }]);
  }
  const { payment_method, user_id, user_email } = body as Record<string, unknown>;
  const card = readCard(payment_method, now);
  const user = readUser(withoutAbsent({ user_id, user_email }));
  const number = cardDigits((payment_method as { card_number?: unknown } | undefined | null)?.card_number);
  const faults = [
    ...('faults' in card ? card.faults : []),
    ...('faults' in user ? user.faults : []),
    ...copiesOfNumber(number, [
      { in: 'body', name: 'user_id', text: user_id },
      { in: 'body', name: 'user_email', text: user_email },
      { in: 'header', name: 'Idempotency-Key', text: idempotencyKey },
    ]),
  ];
  if ('faults' in card || 'faults' in user || faults.length > 0) throw invalidRequest(faults);
  return { ...card, ...user };
}

/** Removes undefined members: the schema would report a wrong type instead of a missing member. */
function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function readUser(fields: unknown): Pick<PaymentRequest, 'userId' | 'userEmail'> | { faults: readonly Fault[] } {
  const parsed = parseUser(fields);
  if ('error' in parsed) return { faults: parsed.error instanceof Refusal ? (parsed.error.extras.errors ?? []) : [] };
  const { user_id, user_email } = parsed.value as { user_id: string; user_email: string };
  return { userId: user_id, userEmail: user_email };
}

type KeptText = Pick<Fault, 'in' | 'name'> & { text: unknown };

function copiesOfNumber(number: string | undefined, texts: readonly KeptText[]): Fault[] {
  if (number === undefined || number.length < 12) return [];
  return texts
    .filter(({ text }) => typeof text === 'string' && text.replace(/[^\d]/g, '').includes(number))
    .map(({ in: place, name }) => ({ in: place, name, message: 'must not contain the card number' }));
}
