import { Type } from 'typebox';
import { type Fault, Refusal } from '../http/refusal.ts';
import { compileRequestPart, EMAIL, invalidRequest } from '../http/request-schema.ts';
import { cardDigits, type ReadCard, readCard } from './card.ts';
import { USER_ID } from './payment-method.ts';

type User = { userId: string; userEmail: string };
/** A request to create a payment method, read: a card number, or a token of the gateway's client library. */
export type PaymentRequest = User & (ReadCard | { paymentToken: string });

/** A token begins with a letter, so that a card number is none. */
const TOKEN_FORM = /^[A-Za-z][\w-]{2,254}$/;

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
  const { payment_method, payment_token, user_id, user_email } = body as Record<string, unknown>;
  const paid = isAbsent(payment_token) ? readCard(payment_method, now) : readToken(payment_token, payment_method);
  const user = readUser(withoutAbsent({ user_id, user_email }));
  const number = cardDigits((payment_method as { card_number?: unknown } | undefined | null)?.card_number);
  const faults = [
    ...('faults' in paid ? paid.faults : []),
    ...('faults' in user ? user.faults : []),
    ...copiesOfNumber(number, [
      { in: 'body', name: 'user_id', text: user_id },
      { in: 'body', name: 'user_email', text: user_email },
      { in: 'header', name: 'Idempotency-Key', text: idempotencyKey },
    ]),
  ];
  if ('faults' in paid || 'faults' in user || faults.length > 0) throw invalidRequest(faults);
  return { ...paid, ...user };
}

/** Whether a body of `POST /payment/create` carries a card, well-formed or not. */
export function carriesRawCard(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'payment_method' in body && !isAbsent(body.payment_method);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function readToken(token: unknown, card: unknown): { paymentToken: string } | { faults: Fault[] } {
  const fault = (message: string) => ({ faults: [{ in: 'body' as const, name: 'payment_token', message }] });
  if (!isAbsent(card)) return fault('must not come together with payment_method');
  if (typeof token !== 'string' || !TOKEN_FORM.test(token)) return fault('must be a token of the gateway');
  return { paymentToken: token };
}

/** Removes undefined members: the schema would report a wrong type instead of a missing member. */
function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function readUser(fields: unknown): User | { faults: readonly Fault[] } {
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
