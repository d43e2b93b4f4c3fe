import type { PaymentGateway } from '../../../ordering/payments/payment-gateway.ts';
import { acceptToken, deleteCard, openCardPage, readCardPage, saveCard } from './stripe-cards.ts';
import { cancelCharge, charge, findCharge, partsOf, readCharge, refund } from './stripe-charges.ts';
import { openStripe, type StripeOptions } from './stripe-client.ts';

/** `pagesUrl`: the address of the service from outside, where a customer lands after approving a charge. */
export type StripeGatewayOptions = StripeOptions & { pagesUrl: string };

/**
 * Stripe by its package. A saved card is a PaymentMethod attached to a Customer made for it alone, because Stripe lets
 * an unattached one be used once only; its token is `cus_…/pm_…`, a charge's id the PaymentIntent's.
 *
 * One effect a key rests on two things. Stripe's Idempotency-Key answers a repeated call with its first answer, but is
 * promised for 24 hours only, so the key is also written into the object's metadata. `findCharge` and `refund` read
 * that from Stripe's lists, which show an object as soon as it exists; its search lags by up to an hour and is not used.
 * A charge that may be older than 24 hours is therefore resolved by `findCharge` before it is tried again.
 */
export function createStripeGateway({ pagesUrl, ...options }: StripeGatewayOptions): PaymentGateway {
  const stripe = openStripe(options);
  const returnUrl = `${pagesUrl}/payment/authenticated`;
  return {
    saveCard: (card) => saveCard(stripe, card),
    acceptToken: (paymentToken) => acceptToken(stripe, paymentToken),
    openCardPage: (request) => openCardPage(stripe, request),
    readCardPage: (session) => readCardPage(stripe, session),
    charge: (request) => charge(stripe, request, returnUrl),
    findCharge: (attempt) => findCharge(stripe, attempt),
    cancelCharge: (chargeId) => cancelCharge(stripe, chargeId),
    readCharge: (chargeId) => readCharge(stripe, chargeId),
    refund: (request) => refund(stripe, request),
    deleteCard: (token) => deleteCard(stripe, partsOf(token).method),
  };
}
