import type { PaymentGateway } from '../../../ordering/payments/payment-gateway.ts';
import { acceptToken, deleteCard, openCardPage, readCardPage, saveCard } from './stripe-cards.ts';
import { cancelCharge, charge, findCharge, readCharge, refund, tokenParts } from './stripe-charges.ts';
import { openStripe, type StripeOptions } from './stripe-client.ts';

/** `pagesUrl`: the service's public URL, where customers return after approving a charge. */
export type StripeGatewayOptions = StripeOptions & { pagesUrl: string };

/**
 * Stripe. A card is a PaymentMethod on its own Customer (`cus_…/pm_…`), because unattached ones work once. Stripe's
 * Idempotency-Key expires after 24 hours, so the key is also in metadata; older charges are found through Stripe's
 * lists, never its lagging search.
 */
export function createStripeGateway({ pagesUrl, ...options }: StripeGatewayOptions): PaymentGateway {
  const stripe = openStripe(options);
  const returnUrl = `${pagesUrl}/payment/authenticated`;
  return {
    saveCard: (card) => saveCard(stripe, card),
    acceptToken: (paymentToken) => acceptToken(stripe, paymentToken),
    openCardPage: (request) => openCardPage(stripe, request),
    readCardPage: (session) => readCardPage(stripe, session),
    charge: (request) => charge(stripe, request, request.returnUrl ?? returnUrl),
    findCharge: (attempt) => findCharge(stripe, attempt),
    cancelCharge: (chargeId) => cancelCharge(stripe, chargeId),
    readCharge: (chargeId) => readCharge(stripe, chargeId),
    refund: (request) => refund(stripe, request),
    deleteCard: (token) => deleteCard(stripe, tokenParts(token).method),
  };
}
