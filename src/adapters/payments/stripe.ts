import type Stripe from 'stripe';
import type { Charge, ChargeRequest, PaymentGateway } from '../../payments/payment-gateway.ts';
import { acceptToken, deleteCard, openCardPage, readCardPage, saveCard } from './stripe-cards.ts';
import { answerOf, fail, idOf, openStripe, refused, type StripeOptions, unreadable, wordOf } from './stripe-client.ts';

const PAGE = 100;
/** Charges of one saved card, or refunds of one charge, among which a key is searched. */
const MAX_LISTED = 5000;

/**
 * Stripe by its package. A saved card is a PaymentMethod attached to a Customer made for it alone, because Stripe lets
 * an unattached one be used once only; its token is `cus_…/pm_…`, a charge's id the PaymentIntent's.
 *
 * One effect a key rests on two things. Stripe's Idempotency-Key answers a repeated call with its first answer, but is
 * promised for 24 hours only, so the key is also written into the object's metadata. `findCharge` and `refund` read
 * that from Stripe's lists, which show an object as soon as it exists; its search lags by up to an hour and is not used.
 * A charge that may be older than 24 hours is therefore resolved by `findCharge` before it is tried again.
 */
export function createStripeGateway(options: StripeOptions): PaymentGateway {
  const stripe = openStripe(options);
  return {
    saveCard: (card) => saveCard(stripe, card),
    charge: (request) => charge(stripe, request),
    findCharge: (attempt) => findCharge(stripe, attempt),
    refund: (request) => refund(stripe, request),
    deleteCard: (token) => deleteCard(stripe, partsOf(token).method),
    acceptToken: (paymentToken) => acceptToken(stripe, paymentToken),
    openCardPage: (request) => openCardPage(stripe, request),
    readCardPage: (session) => readCardPage(stripe, session),
  };
}

async function charge(stripe: Stripe, request: ChargeRequest): Promise<Charge> {
  const { customer, method } = partsOf(request.cardToken);
  const intent: Stripe.PaymentIntentCreateParams = {
    amount: request.amountCents,
    currency: request.currency,
    customer,
    payment_method: method,
    allowed_payment_method_types: ['card'],
    confirm: true,
    off_session: true,
    metadata: { charge_key: request.key, order_id: request.orderId },
  };
  const idempotencyKey = `charge:${request.key}`;
  const answer = await answerOf(() => stripe.paymentIntents.create(intent, { idempotencyKey }));
  if (answer.kind === 'ok') return outcomeOf(answer.body) ?? fail(unreadable('outcome'));
  if (answer.kind === 'missing') throw refused('Stripe does not have this card.');
  const chargeId = answer.intentId ?? fail(unreadable('payment intent'));
  return { chargeId, status: 'declined', declineCode: answer.declineCode };
}

async function findCharge(stripe: Stripe, attempt: { key: string; cardToken: string }): Promise<Charge | undefined> {
  const { customer } = partsOf(attempt.cardToken);
  const answer = await answerOf(() =>
    findByKey(stripe.paymentIntents.list({ customer, limit: PAGE }), 'charge_key', attempt.key),
  );
  if (answer.kind !== 'ok' || !answer.body) return undefined;
  return outcomeOf(answer.body) ?? fail(unreadable('outcome'));
}

async function refund(
  stripe: Stripe,
  { chargeId, amountCents, key }: Parameters<PaymentGateway['refund']>[0],
): Promise<{ refundId: string }> {
  const listed = await answerOf(() =>
    findByKey(stripe.refunds.list({ payment_intent: chargeId, limit: PAGE }), 'refund_key', key),
  );
  const known = listed.kind === 'ok' ? listed.body : undefined;
  if (known && known.amount !== amountCents) throw refused('This key was used for another refund.');
  if (known) return finishedRefund(known);
  const wanted = { payment_intent: chargeId, amount: amountCents, metadata: { refund_key: key } };
  const answer = await answerOf(() => stripe.refunds.create(wanted, { idempotencyKey: `refund:${key}` }));
  if (answer.kind !== 'ok') throw refused('Stripe does not refund this charge.');
  return finishedRefund(answer.body);
}

type Keyed = { metadata: Stripe.Metadata | null };

/** Newest first, until the object whose metadata holds the key; the package asks for each further page. */
async function findByKey<T extends Keyed>(
  listed: AsyncIterable<T>,
  metadataName: string,
  key: string,
): Promise<T | undefined> {
  let count = 0;
  for await (const object of listed) {
    if (object.metadata?.[metadataName] === key) return object;
    count += 1;
    if (count > MAX_LISTED) throw refused('Too many charges of one card to find a key among them.');
  }
  return undefined;
}

/**
 * The outcome of an intent; undefined while Stripe has not decided, so that the money may still move. An intent that waits
 * for the customer is a decline: no customer is present, and only this service could continue it.
 */
function outcomeOf(intent: Stripe.PaymentIntent): Charge | undefined {
  const chargeId = idOf(intent);
  const { status, last_payment_error: error } = intent;
  if (status === 'succeeded') return { chargeId, status: 'succeeded' };
  if (status === 'requires_action') return { chargeId, status: 'declined', declineCode: 'authentication_required' };
  if (status === 'canceled') return { chargeId, status: 'declined', declineCode: 'generic_decline' };
  if (status !== 'requires_payment_method' || !error) return undefined;
  return {
    chargeId,
    status: 'declined',
    declineCode: wordOf(error.decline_code) ?? wordOf(error.code) ?? 'generic_decline',
  };
}

function finishedRefund(refund: Stripe.Refund): { refundId: string } {
  if (refund.status === 'failed' || refund.status === 'canceled') throw refused('Stripe could not pay the refund out.');
  return { refundId: idOf(refund) };
}

function partsOf(token: string): { customer: string; method: string } {
  const [customer, method] = token.split('/');
  if (!customer || !method) throw refused('This is no card of Stripe.');
  return { customer, method };
}
