import type { ChargeRequest, PaymentGateway, Wallets } from 'doorstep/plugin';
import { acceptToken, deleteCard, openCardPage, readCardPage, saveCard } from './cards.ts';
import { cancelCharge, capture, charge, findCharge, readCharge, refund, tokenParts } from './charges.ts';
import { openStripe, type StripeOptions } from './client.ts';

/** `pagesUrl` is the service's public URL, where customers return after approving a charge. */
export type StripeGatewayOptions = StripeOptions & { pagesUrl: string; wallets?: Wallets | undefined };

/** The least that Stripe charges in US and Canadian dollars alike. */
const MINIMUM_CENTS = 50;

/**
 * Creates the Stripe gateway. A card is a PaymentMethod on its own Customer (`cus_…/pm_…`), because an unattached one
 * works only once. Stripe's Idempotency-Key expires after 24 hours, so the key is also in the metadata. Older charges
 * are found in Stripe's lists, never in its search, which lags.
 */
export function createStripeGateway({ pagesUrl, wallets, ...options }: StripeGatewayOptions): PaymentGateway {
  const stripe = openStripe(options);
  const pageOf = (request: ChargeRequest) => request.returnUrl ?? `${pagesUrl}/payment/authenticated`;
  return {
    wallets,
    minimumCents: MINIMUM_CENTS,
    saveCard: (card) => saveCard(stripe, card),
    acceptToken: (paymentToken) => acceptToken(stripe, paymentToken),
    openCardPage: (request) => openCardPage(stripe, request),
    readCardPage: (session) => readCardPage(stripe, session),
    charge: (request) => charge(stripe, request, { returnUrl: pageOf(request), isHold: false }),
    authorize: (request) => charge(stripe, request, { returnUrl: pageOf(request), isHold: true }),
    capture: (request) => capture(stripe, request),
    findCharge: (attempt) => findCharge(stripe, attempt),
    cancelCharge: (chargeId) => cancelCharge(stripe, chargeId),
    readCharge: (chargeId) => readCharge(stripe, chargeId),
    refund: (request) => refund(stripe, request),
    deleteCard: (token) => deleteCard(stripe, tokenParts(token).method),
  };
}
