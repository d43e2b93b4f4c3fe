import type { PaymentGateway } from 'doorstep/plugin';
import { acceptToken, deleteCard, openCardPage, readCardPage, saveCard } from './cards.ts';
import { cancelCharge, charge, findCharge, readCharge, refund, tokenParts } from './charges.ts';
import { openStripe, type StripeOptions } from './client.ts';

/** `pagesUrl` is the service's public URL, to which customers return after approving a charge. */
export type StripeGatewayOptions = StripeOptions & { pagesUrl: string };

/**
 * Creates the Stripe gateway. A card is a PaymentMethod on its own Customer (`cus_…/pm_…`), because an unattached one
 * works only once. Stripe's Idempotency-Key expires after 24 hours, so the key is also in the metadata. Older charges
 * are found in Stripe's lists, never in its search, which lags.
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
