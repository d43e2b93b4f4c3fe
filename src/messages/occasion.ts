import type { Branding } from '../accounts/branding.ts';
import type { Order } from '../orders/order.ts';
import type { Refund } from '../orders/refunds/refund.ts';
import type { ShownBrand } from '../payments/payment-gateway.ts';

/** The card an order is paid with, as its owner knows it. */
export type PaidWith = { brand: ShownBrand; last4: string };

/** The inputs of a message: the order as it was right after the event, and the account's branding. */
export type Occasion = {
  order: Order;
  /** When the event happened. */
  at: Temporal.Instant;
  branding: Branding;
  trackingLink: string;
  card: PaidWith | undefined;
  /** Cents that the event gives back: a cancelation promises them, a refund has made them. */
  refundCents: number;
  /** The refunds of the order up to the event, the event's own refund last. */
  refunds: readonly Refund[];
};
