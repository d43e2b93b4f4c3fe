import type { BookedCharge, BookedRefund, Charge, ChargeRequest, PaymentGateway } from 'doorstep/plugin';
import { codeWord, instantOfEpochSeconds, OutsideError } from 'doorstep/plugin';
import type Stripe from 'stripe';
import {
  callStripe,
  fail,
  nonEmptyText,
  refused,
  type StripeAnswer,
  stripeId,
  tryStripe,
  unreadable,
} from './client.ts';

/*
 * Charges, approvals and refunds with Stripe. Each call sends a key, so that a lost response can be looked up and
 * repeating a call has no second effect.
 */

const PAGE_SIZE = 100;
const WITH_CHARGE = { expand: ['latest_charge'] };
const HELD = { capture_method: 'manual', ...WITH_CHARGE } as const;
/** Maximum charges for a card, or refunds for a charge, to search for a key. */
const MAX_SEARCHED = 5000;
/** Stripe's codes for charges that the customer has not approved. */
const AUTHENTICATION_FAILED = 'payment_intent_authentication_failure';

/**
 * Charges under a key, or holds the money. Confirmation is `manual`: after the customer's approval, the money moves
 * only when this service confirms again, because the order may have changed in between.
 */
export async function charge(
  stripe: Stripe,
  request: ChargeRequest,
  { returnUrl, isHold }: { returnUrl: string; isHold: boolean },
): Promise<Charge> {
  if (request.waitingChargeId !== undefined) return continueCharge(stripe, request.waitingChargeId, returnUrl);
  const { customer, method } = tokenParts(request.cardToken);
  const intent: Stripe.PaymentIntentCreateParams = {
    amount: request.amountCents,
    currency: request.currency,
    customer,
    payment_method: method,
    allowed_payment_method_types: ['card'],
    confirm: true,
    confirmation_method: 'manual',
    return_url: returnUrl,
    metadata: { charge_key: request.key, order_id: request.orderId },
    ...(isHold && HELD),
  };
  const idempotencyKey = `charge:${request.key}`;
  return stripeCharge(stripe, await callStripe(() => stripe.paymentIntents.create(intent, { idempotencyKey })));
}

/**
 * Confirms an approved charge. Needs no key, because Stripe confirms only intents in `requires_confirmation` and locks
 * them: of two calls at once it refuses one, which has the outcome of the other.
 */
async function continueCharge(stripe: Stripe, id: string, returnUrl: string): Promise<Charge> {
  const read = () => callStripe(() => stripe.paymentIntents.retrieve(id));
  const found = await read();
  if (found.kind !== 'ok' || found.body.status !== 'requires_confirmation') return stripeCharge(stripe, found);
  const confirmed = await tryStripe(() => stripe.paymentIntents.confirm(id, { return_url: returnUrl }));
  return stripeCharge(stripe, confirmed.kind === 'malformed' ? await read() : confirmed);
}

async function stripeCharge(stripe: Stripe, answer: StripeAnswer<Stripe.PaymentIntent>): Promise<Charge> {
  if (answer.kind === 'ok') return (await outcomeOf(stripe, answer.body)) ?? fail(unreadable('outcome'));
  if (answer.kind === 'missing') throw refused('Stripe does not have this card.');
  const chargeId = answer.intentId ?? fail(unreadable('payment intent'));
  return { chargeId, status: 'declined', declineCode: ourWord(answer.declineCode) };
}

export async function findCharge(
  stripe: Stripe,
  { key, cardToken, waitingChargeId }: Parameters<PaymentGateway['findCharge']>[0],
): Promise<Charge | undefined> {
  if (waitingChargeId !== undefined) {
    const answer = await callStripe(() => stripe.paymentIntents.retrieve(waitingChargeId));
    if (answer.kind !== 'ok') return undefined;
    return (await waitedOutcomeOf(stripe, answer.body)) ?? fail(unreadable('outcome'));
  }
  const { customer } = tokenParts(cardToken);
  const answer = await callStripe(() =>
    findByKey(stripe.paymentIntents.list({ customer, limit: PAGE_SIZE }), 'charge_key', key),
  );
  if (answer.kind !== 'ok' || !answer.body) return undefined;
  return (await outcomeOf(stripe, answer.body)) ?? fail(unreadable('outcome'));
}

export async function cancelCharge(stripe: Stripe, id: string): Promise<void> {
  const found = await callStripe(() => stripe.paymentIntents.retrieve(id));
  if (found.kind !== 'ok' || found.body.status === 'canceled') return;
  if (found.body.status === 'succeeded') {
    throw new OutsideError('payment gateway', 'The charge has succeeded.', { retryable: true, isOutage: false });
  }
  await callStripe(() => stripe.paymentIntents.cancel(id));
}

/** Reads a charge with its refunds; undefined for an intent without this service's metadata. */
export async function readCharge(stripe: Stripe, id: string): Promise<BookedCharge | undefined> {
  const found = await callStripe(() => stripe.paymentIntents.retrieve(id));
  if (found.kind !== 'ok') return undefined;
  const [key, orderId] = [nonEmptyText(found.body.metadata?.charge_key), nonEmptyText(found.body.metadata?.order_id)];
  if (key === undefined || orderId === undefined) return undefined;
  const outcome = await waitedOutcomeOf(stripe, found.body);
  const amountCents = outcome?.status === 'succeeded' ? found.body.amount_received : found.body.amount;
  return { key, orderId, amountCents, outcome, refunds: await listRefunds(stripe, id) };
}

/** Captures part of a hold; Stripe frees the rest at once. */
export async function capture(
  stripe: Stripe,
  { chargeId, amountCents, key }: { chargeId: string; amountCents: number; key: string },
): Promise<void> {
  const found = await callStripe(() => stripe.paymentIntents.retrieve(chargeId));
  const isCaptured = found.kind === 'ok' && found.body.status === 'succeeded';
  if (isCaptured && found.body.amount_received === amountCents) return;
  if (found.kind !== 'ok' || found.body.status !== 'requires_capture')
    throw refused('Stripe has no such authorization.');
  const wanted = { amount_to_capture: amountCents };
  const options = { idempotencyKey: `capture:${key}` };
  const answer = await callStripe(() => stripe.paymentIntents.capture(chargeId, wanted, options));
  if (answer.kind !== 'ok' || answer.body.status !== 'succeeded') throw refused('Stripe does not capture this charge.');
}

async function listRefunds(stripe: Stripe, id: string): Promise<BookedRefund[]> {
  const refunds: BookedRefund[] = [];
  const answer = await callStripe(async () => {
    for await (const refund of stripe.refunds.list({ payment_intent: id, limit: PAGE_SIZE })) {
      const isOurs = nonEmptyText(refund.metadata?.refund_key) !== undefined;
      refunds.push({ refundId: stripeId(refund), amountCents: refund.amount, isOurs, hasFailed: hasFailed(refund) });
      if (refunds.length > MAX_SEARCHED) throw refused('Too many refunds of one charge.');
    }
  });
  if (answer.kind !== 'ok') throw unreadable('refunds');
  return refunds;
}

export async function refund(
  stripe: Stripe,
  { chargeId, amountCents, key }: Parameters<PaymentGateway['refund']>[0],
): Promise<{ refundId: string }> {
  const listed = await callStripe(() =>
    findByKey(stripe.refunds.list({ payment_intent: chargeId, limit: PAGE_SIZE }), 'refund_key', key),
  );
  const known = listed.kind === 'ok' ? listed.body : undefined;
  if (known && known.amount !== amountCents) throw refused('This key was used for another refund.');
  if (known) return finishedRefund(known);
  const wanted = { payment_intent: chargeId, amount: amountCents, metadata: { refund_key: key } };
  const answer = await callStripe(() => stripe.refunds.create(wanted, { idempotencyKey: `refund:${key}` }));
  if (answer.kind !== 'ok') throw refused('Stripe does not refund this charge.');
  return finishedRefund(answer.body);
}

function finishedRefund(refund: Stripe.Refund): { refundId: string } {
  if (hasFailed(refund)) throw refused('Stripe could not pay the refund out.');
  return { refundId: stripeId(refund) };
}

const hasFailed = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled';

type WithMetadata = { metadata: Stripe.Metadata | null };

/** Finds the object with the key in its metadata, newest first; the package requests further pages. */
async function findByKey<T extends WithMetadata>(
  listed: AsyncIterable<T>,
  metadataName: string,
  key: string,
): Promise<T | undefined> {
  let count = 0;
  for await (const object of listed) {
    if (object.metadata?.[metadataName] === key) return object;
    count += 1;
    if (count > MAX_SEARCHED) throw refused('Too many charges of one card to find a key among them.');
  }
  return undefined;
}

/** As `intentOutcome`. Only the charge of a hold says until when its card holds the money. */
async function outcomeOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Charge | undefined> {
  if (intent.status !== 'requires_capture') return intentOutcome(intent);
  const chargeId = stripeId(intent);
  const read = typeof intent.latest_charge === 'string';
  const answer = read ? await callStripe(() => stripe.paymentIntents.retrieve(chargeId, WITH_CHARGE)) : undefined;
  const charge = (answer?.kind === 'ok' ? answer.body : intent).latest_charge;
  const epochS = typeof charge === 'object' ? charge?.payment_method_details?.card?.capture_before : undefined;
  if (!Number.isSafeInteger(epochS)) throw unreadable('end of the hold');
  return { chargeId, status: 'authorized', captureBefore: instantOfEpochSeconds(Number(epochS)) };
}

/**
 * Returns the outcome of an intent; undefined while Stripe has not decided and money may still move. An intent that
 * waits for its customer but has no approval URL is a decline, because nothing could continue it.
 */
function intentOutcome(intent: Stripe.PaymentIntent): Charge | undefined {
  const chargeId = stripeId(intent);
  const { status, last_payment_error: error, next_action: next } = intent;
  if (status === 'succeeded') return { chargeId, status: 'succeeded' };
  if (status === 'requires_action') {
    const authenticationUrl = nonEmptyText(next?.redirect_to_url?.url);
    if (authenticationUrl !== undefined) return { chargeId, status: 'waiting', authenticationUrl };
    return { chargeId, status: 'declined', declineCode: 'authentication_required' };
  }
  if (status === 'canceled') return { chargeId, status: 'declined', declineCode: 'generic_decline' };
  if (status !== 'requires_payment_method' || !error) return undefined;
  const code = codeWord(error.decline_code) ?? codeWord(error.code) ?? 'generic_decline';
  return { chargeId, status: 'declined', declineCode: ourWord(code) };
}

/**
 * Returns the outcome of an intent that went through 3-D Secure. `requires_confirmation`: the customer approved, and
 * our confirm call is still due (`confirmation_method: 'manual'`).
 */
async function waitedOutcomeOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Charge | undefined> {
  if (intent.status !== 'requires_confirmation') return outcomeOf(stripe, intent);
  return { chargeId: stripeId(intent), status: 'waiting', authenticationUrl: null };
}

const ourWord = (declineCode: string): string =>
  declineCode === AUTHENTICATION_FAILED ? 'authentication_failed' : declineCode;

export function tokenParts(token: string): { customer: string; method: string } {
  const [customer, method] = token.split('/');
  if (!customer || !method) throw refused('This is no card of Stripe.');
  return { customer, method };
}
