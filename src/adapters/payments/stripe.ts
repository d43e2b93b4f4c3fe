import { OutsideError } from '../../lib/outside-error.ts';
import { CardDeclined, type Charge, type ChargeRequest, type PaymentGateway } from '../../payments/payment-gateway.ts';
import {
  createStripeCall,
  listOf,
  memberOf,
  type StripeAnswer,
  type StripeCall,
  type StripeObject,
  type StripeOptions,
  textOf,
  unreadable,
  wordOf,
} from './stripe-call.ts';

type Call = (call: StripeCall) => Promise<StripeAnswer>;

const PAGE = 100;
/** Charges of one saved card that are looked through for a key. */
const MAX_PAGES = 50;

/**
 * Stripe by its REST API. A saved card is a PaymentMethod attached to a Customer made for it alone, because Stripe lets
 * an unattached one be used once only; its token is `cus_…/pm_…`, a charge's id the PaymentIntent's.
 *
 * One effect a key rests on two things. Stripe's Idempotency-Key answers a repeated call with its first answer, but is
 * promised for 24 hours only, so the key is also written into the object's metadata. `findCharge` and `refund` read
 * that from Stripe's lists, which show an object as soon as it exists; its search lags by up to an hour and is not used.
 * A charge that may be older than 24 hours is therefore settled by `findCharge` before it is tried again.
 */
export function createStripeGateway(options: StripeOptions): PaymentGateway {
  const call = createStripeCall(options);
  return {
    saveCard: (card) => saveCard(call, card),
    charge: (request) => charge(call, request),
    findCharge: (attempt) => findCharge(call, attempt),
    refund: (request) => refund(call, request),
    deleteCard: (token) => deleteCard(call, token),
  };
}

async function saveCard(call: Call, card: Parameters<PaymentGateway['saveCard']>[0]): Promise<{ token: string }> {
  const method = await call({
    method: 'POST',
    path: '/v1/payment_methods',
    form: {
      type: 'card',
      card: { number: card.number, exp_month: card.expirationMonth, exp_year: card.expirationYear, cvc: card.cvc },
    },
  });
  const methodId = idOf(acceptedOf(method));
  const customer = await call({ method: 'POST', path: '/v1/customers', form: { payment_method: methodId } });
  return { token: `${idOf(acceptedOf(customer))}/${methodId}` };
}

async function charge(call: Call, request: ChargeRequest): Promise<Charge> {
  const { customer, method } = partsOf(request.cardToken);
  const answer = await call({
    method: 'POST',
    path: '/v1/payment_intents',
    idempotencyKey: `charge:${request.key}`,
    form: {
      amount: request.amountCents,
      currency: request.currency,
      customer,
      payment_method: method,
      payment_method_types: ['card'],
      confirm: true,
      off_session: true,
      metadata: { charge_key: request.key, order_id: request.orderId },
    },
  });
  if (answer.kind === 'ok') return outcomeOf(answer.body) ?? fail(unreadable('outcome'));
  if (answer.kind === 'missing') throw refused('Stripe does not have this card.');
  const intentId = textOf(memberOf(answer.body.payment_intent, 'id'));
  if (!intentId) throw unreadable('payment intent');
  return { chargeId: intentId, status: 'declined', declineCode: answer.declineCode };
}

async function findCharge(call: Call, attempt: { key: string; cardToken: string }): Promise<Charge | undefined> {
  const { customer } = partsOf(attempt.cardToken);
  const found = await findInList(call, '/v1/payment_intents', { customer }, 'charge_key', attempt.key);
  return found && (outcomeOf(found) ?? fail(unreadable('outcome')));
}

async function refund(
  call: Call,
  { chargeId, amountCents, key }: Parameters<PaymentGateway['refund']>[0],
): Promise<{ refundId: string }> {
  const known = await findInList(call, '/v1/refunds', { payment_intent: chargeId }, 'refund_key', key);
  if (known && known.amount !== amountCents) throw refused('This key was used for another refund.');
  if (known) return settledRefund(known);
  const answer = await call({
    method: 'POST',
    path: '/v1/refunds',
    idempotencyKey: `refund:${key}`,
    form: { payment_intent: chargeId, amount: amountCents, metadata: { refund_key: key } },
  });
  if (answer.kind !== 'ok') throw refused('Stripe does not refund this charge.');
  return settledRefund(answer.body);
}

/** The customer stays: its charges are still to be found and refunded. */
async function deleteCard(call: Call, token: string): Promise<void> {
  const path = `/v1/payment_methods/${encodeURIComponent(partsOf(token).method)}`;
  const method = await call({ method: 'GET', path });
  if (method.kind !== 'ok' || !textOf(method.body.customer)) return;
  await call({ method: 'POST', path: `${path}/detach` });
}

/** Newest first, page by page, until the object whose metadata holds the key. */
async function findInList(
  call: Call,
  path: string,
  filter: Record<string, string>,
  metadataName: string,
  key: string,
): Promise<StripeObject | undefined> {
  let after: Record<string, string> = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await call({ method: 'GET', path, form: { ...filter, ...after, limit: PAGE } });
    if (answer.kind !== 'ok') return undefined;
    const objects = listOf(answer.body);
    const found = objects.find((object) => memberOf(object.metadata, metadataName) === key);
    const last = objects.at(-1);
    if (found || answer.body.has_more !== true || !last) return found;
    after = { starting_after: idOf(last) };
  }
  throw refused('Too many charges of one card to find a key among them.');
}

/**
 * How an intent ended; undefined says that Stripe has not decided yet, so the money may still move. An intent that waits
 * for the customer is a decline: nobody is there, and only we could take it up again.
 */
function outcomeOf(intent: StripeObject): Charge | undefined {
  const chargeId = idOf(intent);
  const status = textOf(intent.status);
  if (status === 'succeeded') return { chargeId, status };
  if (status === 'requires_action') return { chargeId, status: 'declined', declineCode: 'authentication_required' };
  if (status === 'canceled') return { chargeId, status: 'declined', declineCode: 'generic_decline' };
  const error = intent.last_payment_error;
  if (status !== 'requires_payment_method' || !error) return undefined;
  const declineCode = wordOf(memberOf(error, 'decline_code')) ?? wordOf(memberOf(error, 'code')) ?? 'generic_decline';
  return { chargeId, status: 'declined', declineCode };
}

function settledRefund(object: StripeObject): { refundId: string } {
  if (object.status === 'failed' || object.status === 'canceled') throw refused('Stripe could not pay the refund out.');
  return { refundId: idOf(object) };
}

function acceptedOf(answer: StripeAnswer): StripeObject {
  if (answer.kind === 'card_error') throw new CardDeclined(answer.declineCode);
  if (answer.kind === 'missing') throw refused('Stripe lost a card that was just saved.');
  return answer.body;
}

function partsOf(token: string): { customer: string; method: string } {
  const [customer, method] = token.split('/');
  if (!customer || !method) throw refused('This is no card of Stripe.');
  return { customer, method };
}

function idOf(object: StripeObject): string {
  return textOf(object.id) ?? fail(unreadable('id'));
}

function refused(message: string): OutsideError {
  return new OutsideError('payment gateway', message, { retryable: false });
}

function fail(error: Error): never {
  throw error;
}
