import type { Nested } from '../contracts/stripe-contract.ts';
import { type Answer, apiError, type Books, CREATED, type Intent, nextId, ok, type Refund } from './stripe-books.ts';

const DECLINES: Readonly<Record<string, Record<string, string>>> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000000069': { code: 'expired_card' },
  '4000000000000127': { code: 'incorrect_cvc' },
  '4000000000000119': { code: 'processing_error' },
};
/** A card whose charges need approval. */
const CARD_REQUIRING_3DS = '4000002500003155';

export function createIntent(books: Books, form: Nested): Answer {
  const method = books.methods.get(String(form.payment_method));
  if (!method?.customer || method.customer !== form.customer) return apiError(404, { code: 'resource_missing' });
  if (form.payment_method_types) return apiError(400, { code: 'payment_method_types_no_longer_supported' });
  const amount = Number(form.amount);
  if (!(amount > 0)) return apiError(400, { code: 'parameter_invalid_integer' });
  if (amount < 50) return apiError(400, { code: 'amount_too_small' });
  const intent: Intent = {
    id: nextId(books, 'pi'),
    amount,
    capture_method: String(form.capture_method ?? 'automatic'),
    currency: String(form.currency),
    customer: method.customer,
    payment_method: method.id,
    status: 'requires_confirmation',
    metadata: (form.metadata ?? {}) as Nested,
    last_payment_error: null,
    next_action: null,
  };
  books.intents.unshift(intent);
  if (method.number !== CARD_REQUIRING_3DS) return attempt(books, intent, isExpanded(form));
  if (form.confirmation_method !== 'manual' || !form.return_url) return apiError(400, { param: 'return_url' });
  const url = `https://hooks.stripe.test/authenticate/${intent.id}`;
  intent.status = 'requires_action';
  intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url, return_url: form.return_url } };
  return ok(presentIntent(intent));
}

/** Attempts to charge a confirmed intent. */
function attempt(books: Books, intent: Intent, expanded = false): Answer {
  const decline = DECLINES[books.methods.get(intent.payment_method)?.number ?? ''];
  const error = decline ? { type: 'card_error', ...decline } : null;
  const paid = intent.capture_method === 'manual' ? 'requires_capture' : 'succeeded';
  intent.status = error ? 'requires_payment_method' : paid;
  intent.last_payment_error = error;
  if (error) return apiError(402, { ...error, payment_intent: presentIntent(intent) });
  return ok(presentIntent(intent, expanded ? books : undefined));
}

export function withIntent(books: Books, id: string, change: (intent: Intent) => Answer): Answer {
  const intent = books.intents.find((one) => one.id === id);
  return intent ? change(intent) : apiError(404, { code: 'resource_missing' });
}

export function confirmIntent(books: Books, intent: Intent): Answer {
  if (intent.status !== 'requires_confirmation') return unexpectedState(intent);
  return attempt(books, intent);
}

/** Captures part of a hold, or all of it, and frees the rest. */
export function captureIntent(intent: Intent, form: Nested): Answer {
  if (intent.status !== 'requires_capture') return unexpectedState(intent);
  const amount = Number(form.amount_to_capture ?? intent.amount);
  if (!(amount > 0 && amount <= intent.amount)) return apiError(400, { code: 'amount_too_large' });
  intent.status = 'succeeded';
  intent.captured = amount;
  return ok(presentIntent(intent));
}

export function cancelIntent(intent: Intent): Answer {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return unexpectedState(intent);
  intent.status = 'canceled';
  intent.next_action = null;
  return ok(presentIntent(intent));
}

const unexpectedState = (intent: Intent): Answer =>
  apiError(400, { code: 'payment_intent_unexpected_state', payment_intent: presentIntent(intent) });

/** The customer completes 3-D Secure: the intent then needs its second confirmation, or another card. */
export function authenticateIntent(books: Books, id: string, isApproved: boolean): void {
  const intent = books.intents.find((one) => one.id === id);
  if (intent?.status !== 'requires_action') throw new Error(`The charge ${id} waits for no customer.`);
  const failure = { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' };
  intent.next_action = null;
  intent.status = isApproved ? 'requires_confirmation' : 'requires_payment_method';
  intent.last_payment_error = isApproved ? null : failure;
}

export function createRefund(books: Books, form: Nested): Answer {
  const intent = books.intents.find(({ id }) => id === form.payment_intent);
  if (intent?.status !== 'succeeded') return apiError(404, { code: 'resource_missing' });
  const before = books.refunds.filter((one) => one.payment_intent === intent.id && one.status !== 'failed');
  const amount = Number(form.amount);
  if (before.reduce((sum, one) => sum + one.amount, amount) > receivedOf(intent)) return apiError(400);
  const { id: payment_intent, currency } = intent;
  const metadata = (form.metadata ?? {}) as Nested;
  const refund = { id: nextId(books, 're'), amount, currency, payment_intent, status: 'succeeded', metadata };
  books.refunds.unshift(refund);
  return ok(presentRefund(refund));
}

/** A refund made in Stripe's dashboard, without a key of the service. */
export function refundByHand(books: Books, intentId: string, amount: number): Refund {
  const { body } = createRefund(books, { payment_intent: intentId, amount: String(amount) });
  const made = books.refunds.find(({ id }) => id === body.id);
  if (!made) throw new Error(`The charge ${intentId} cannot be refunded.`);
  return made;
}

export const isExpanded = (form: Nested): boolean => Object.values(form.expand ?? {}).includes('latest_charge');

export const receivedOf = ({ status, captured, amount }: Intent): number =>
  status === 'succeeded' ? (captured ?? amount) : 0;

/** `books`: with the charge of a hold, which says until when its card holds the money. */
export function presentIntent({ captured, ...intent }: Intent, books?: Books): Record<string, unknown> {
  const fixed = { confirmation_method: 'manual', payment_method_types: ['card'] };
  const isHeld = intent.status === 'requires_capture';
  const charge = isHeld && { latest_charge: books ? heldCharge(books, intent) : `ch_${intent.id}` };
  const received = { amount_received: receivedOf({ ...intent, ...(captured !== undefined && { captured }) }) };
  return { object: 'payment_intent', created: CREATED, livemode: true, ...fixed, ...intent, ...received, ...charge };
}

function heldCharge({ holdUntil }: Books, { id, amount, currency, metadata }: Omit<Intent, 'captured'>) {
  const card = { exp_month: 12, exp_year: 2031, capture_before: holdUntil };
  const amounts = { amount, amount_captured: 0, amount_refunded: 0, currency };
  const state = { captured: false, disputed: false, paid: true, refunded: false, status: 'succeeded', livemode: true };
  const about = {
    object: 'charge',
    created: CREATED,
    billing_details: {},
    payment_method_details: { type: 'card', card },
  };
  return { id: `ch_${id}`, ...about, ...amounts, ...state, metadata };
}

export const presentRefund = (refund: Refund): Record<string, unknown> => ({
  object: 'refund',
  created: CREATED,
  ...refund,
});
