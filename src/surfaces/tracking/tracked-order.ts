import type { CustomerCare } from '../../access/accounts/branding.ts';
import { trackingQuery } from '../../access/accounts/tracking-site.ts';
import type { MapApp } from '../../fulfillment/deliveries/map-link.ts';
import type { ShownRefund } from '../../ordering/money/refund-lines.ts';
import { allowsStep } from '../../ordering/order/advance-order.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderEventType } from '../../ordering/order/order-events.ts';
import type { Language } from '../../platform/languages/language.ts';

/** A step that the order has taken, and its time. */
export type TakenStep = { type: OrderEventType; epochS: number };

/** An order for the tracking site. `version`, a text of digits, changes whenever the order changes. */
export type TrackedOrder = {
  order: Order;
  steps: readonly TakenStep[];
  refunds: readonly ShownRefund[];
  version: string;
  care: CustomerCare;
  /** Who took the proof-of-delivery photo: a store's driver, or a courier, whose company has it. */
  photo: 'driver' | 'courier' | null;
};

/**
 * The visitor of a page. `key` is null for a read-only visitor; `lang` is the language chosen on the page, which links
 * keep; `maps` opens directions.
 */
export type Visitor = { key: string | null; lang: Language | undefined; maps: MapApp };

/** Returns the query that reopens the order for the same visitor in the same language. */
export function visitQuery(orderId: string, { key, lang }: Omit<Visitor, 'maps'>): string {
  return `${trackingQuery(orderId, key)}${lang === undefined ? '' : `&lang=${lang}`}`;
}

/** Whether a customer with the key may write to the account about the order. */
export function allowsReport({ order, care }: Pick<TrackedOrder, 'order' | 'care'>): boolean {
  return order.placedAt !== null && care.helpEmail !== null;
}

/** Whether a customer with the key may cancel the order on the page now. */
export function isCancelable({ order, care }: Pick<TrackedOrder, 'order' | 'care'>): boolean {
  return care.customerCancel && allowsStep(order, 'cancel');
}

/** Returns when the order took a step, in epoch seconds; undefined if it has not. */
export function stepTime({ steps }: TrackedOrder, type: OrderEventType): number | undefined {
  return steps.find((step) => step.type === type)?.epochS;
}
