import type { Language } from 'doorstep/plugin';
import {
  brandByName,
  type Card,
  CardDeclined,
  type CardPageRequest,
  type CardPageState,
  epochSeconds,
  type SavedCard,
  sha256,
  tokenNotAccepted,
} from 'doorstep/plugin';
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

/** Saves a card number with a Customer of its own, because Stripe allows only one use of a card without a Customer. */
export async function saveCard(stripe: Stripe, card: Card): Promise<Pick<SavedCard, 'token' | 'fingerprint'>> {
  const { number, expirationMonth: exp_month, expirationYear: exp_year, cvc } = card;
  const method = await callStripe(() =>
    stripe.paymentMethods.create({ type: 'card', card: { number, exp_month, exp_year, cvc } }),
  );
  const accepted = acceptedOf(method);
  const methodId = stripeId(accepted);
  const customer = await callStripe(() => stripe.customers.create({ payment_method: methodId }));
  return { token: `${stripeId(acceptedOf(customer))}/${methodId}`, fingerprint: accepted.card?.fingerprint ?? null };
}

/**
 * Accepts a `tok_…` or `pm_…` of Stripe.js. Both steps have an idempotency key made from the token, because Stripe
 * accepts a token once and a request whose response was lost is repeated with the same token.
 */
export async function acceptToken(stripe: Stripe, paymentToken: string): Promise<SavedCard> {
  const method = await methodOfToken(stripe, paymentToken);
  if (method.type !== 'card' || !method.card) throw tokenNotAccepted();
  const wanted = { payment_method: stripeId(method) };
  const answer = await tryStripe(() =>
    stripe.customers.create(wanted, { idempotencyKey: `customer:${wanted.payment_method}` }),
  );
  return savedCardOf(stripeId(acceptedToken(answer)), method);
}

async function methodOfToken(stripe: Stripe, paymentToken: string): Promise<Stripe.PaymentMethod> {
  if (paymentToken.startsWith('pm_')) {
    return acceptedToken(await tryStripe(() => stripe.paymentMethods.retrieve(paymentToken)));
  }
  if (!paymentToken.startsWith('tok_')) throw tokenNotAccepted();
  const wanted: Stripe.PaymentMethodCreateParams = { type: 'card', card: { token: paymentToken } };
  const idempotencyKey = `token:${sha256(paymentToken).toString('hex')}`;
  return acceptedToken(await tryStripe(() => stripe.paymentMethods.create(wanted, { idempotencyKey })));
}

const LOCALES = { en: 'en', fr: 'fr-CA', es: 'es-419' } as const satisfies Record<Language, string>;

/**
 * Opens a Checkout Session in setup mode with its own Customer. Both calls use the setup's key, so that repeating them
 * after a lost response opens no second page.
 */
export async function openCardPage(
  stripe: Stripe,
  { setupId, userEmail, returnUrl, expiresAt, language }: CardPageRequest,
): Promise<{ session: string; url: string }> {
  const customer = await callStripe(() =>
    stripe.customers.create({ email: userEmail }, { idempotencyKey: `setup-customer:${setupId}` }),
  );
  const wanted: Stripe.Checkout.SessionCreateParams = {
    mode: 'setup',
    customer: stripeId(acceptedOf(customer)),
    allowed_payment_method_types: ['card'],
    client_reference_id: setupId,
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...(language ? { locale: LOCALES[language] } : {}),
    expires_at: epochSeconds(expiresAt),
  };
  const answer = await callStripe(() =>
    stripe.checkout.sessions.create(wanted, { idempotencyKey: `setup-page:${setupId}` }),
  );
  const session = acceptedOf(answer);
  return { session: stripeId(session), url: nonEmptyText(session.url) ?? fail(unreadable('url of the page')) };
}

/** Reads the outcome of a Checkout Session, with the entered card. */
export async function readCardPage(stripe: Stripe, session: string): Promise<CardPageState> {
  const answer = await callStripe(() =>
    stripe.checkout.sessions.retrieve(session, { expand: ['setup_intent.payment_method'] }),
  );
  const { status, customer, setup_intent: setup } = acceptedOf(answer);
  if (status === 'open') return { state: 'open' };
  if (status === 'expired') return { state: 'over' };
  const method = typeof setup === 'object' ? setup?.payment_method : undefined;
  const customerId = typeof customer === 'string' ? customer : customer?.id;
  if (status !== 'complete' || typeof method !== 'object' || !method || !customerId)
    throw unreadable('card of the page');
  return { state: 'completed', card: savedCardOf(customerId, method) };
}

/** Detaches the card. The Stripe Customer stays, so that its charges can still be found and refunded. */
export async function deleteCard(stripe: Stripe, method: string): Promise<void> {
  const saved = await callStripe(() => stripe.paymentMethods.retrieve(method));
  if (saved.kind !== 'ok' || !saved.body.customer) return;
  await callStripe(() => stripe.paymentMethods.detach(method));
}

function savedCardOf(customer: string, method: Stripe.PaymentMethod): SavedCard {
  const { card } = method;
  if (!card) throw unreadable('card');
  return {
    token: `${customer}/${stripeId(method)}`,
    fingerprint: card.fingerprint ?? null,
    brand: brandByName(card.brand),
    last4: nonEmptyText(card.last4) ?? fail(unreadable('last four digits')),
    expirationMonth: card.exp_month,
    expirationYear: card.exp_year,
  };
}

export function acceptedOf<T>(answer: StripeAnswer<T>): T {
  if (answer.kind === 'card_error') throw new CardDeclined(answer.declineCode);
  if (answer.kind !== 'ok') throw refused('Stripe lost a newly created object.');
  return answer.body;
}

/** Returns Stripe's answer to a token. To Stripe, an unknown, used or otherwise attached one is a malformed request. */
function acceptedToken<T>(answer: StripeAnswer<T> | { kind: 'malformed' }): T {
  if (answer.kind === 'missing' || answer.kind === 'malformed') throw tokenNotAccepted();
  return acceptedOf(answer);
}
