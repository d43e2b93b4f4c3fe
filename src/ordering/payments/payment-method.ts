import { Type } from 'typebox';
import type { SavedCard, ShownBrand } from './payment-gateway.ts';

/** The stored data of a card. `gatewayToken` never leaves the service. */
export type PaymentMethod = Omit<SavedCard, 'token'> & {
  paymentMethodId: string;
  userId: string;
  gatewayToken: string;
};

/** The brands' own spellings; undefined for other brands. */
export const CARD_BRAND_NAMES: Readonly<Record<ShownBrand, string | undefined>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  other: undefined,
  cash: undefined,
};

/** Presents a payment method as shown to its owner. */
export function presentPaymentMethod(method: PaymentMethod) {
  return {
    payment_method_id: method.paymentMethodId,
    brand: method.brand,
    last4: method.last4,
    expiration_month: method.expirationMonth,
    expiration_year: method.expirationYear,
  };
}

/** Format of a token of the gateway's client library. It begins with a letter, so no card number matches. */
export const TOKEN_FORM = /^[A-Za-z][\w-]{2,254}$/;

export const USER_ID = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Your own ID for the user who owns the card.',
});
