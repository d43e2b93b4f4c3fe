import type { Branding } from '../../access/accounts/branding.ts';
import type { Order } from '../../ordering/orders/order.ts';
import { arrivalOf } from '../../ordering/orders/order-view.ts';
import type { Refund } from '../../ordering/orders/refunds/refund.ts';
import { momentInWords, rangeInWords } from '../../ordering/orders/wording/format-time.ts';
import type { ShownBrand } from '../../ordering/payments/payment-gateway.ts';
import type { MailFact } from './mail-content.ts';

/** The card an order is paid with, as its owner knows it. */
type PaidWith = { brand: ShownBrand; last4: string };

/** The inputs of a message: the order as it was right after the event, and the account's branding. */
export type MessageContext = {
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

const CARD_NAMES: Readonly<Record<ShownBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  other: 'Card',
};

/** `Visa ending in 4242`. */
export function cardInWords({ brand, last4 }: PaidWith): string {
  return `${CARD_NAMES[brand]} ending in ${last4}`;
}

/** When the order is to be there: its slot, or the late end of the estimate; on the store's clock. */
export function arrivalInWords({ order, at }: Pick<MessageContext, 'order' | 'at'>): string {
  const { quote } = order;
  const { timeZone } = quote.store;
  if (quote.scheduled) return rangeInWords(quote.scheduled, timeZone, at);
  return momentInWords(arrivalOf(order), timeZone, at);
}

/** Where it was ordered, and the number to call there. */
export function storeFact({ quote }: Order): MailFact {
  const { name, address, phoneNumber } = quote.store;
  return { label: 'Store', lines: [name, address], phone: phoneNumber };
}

/** The order's number and id, and the client's own id of the order where the client gave it. */
export function orderFact({ orderId, orderNumber, request }: Order): MailFact {
  const number = orderNumber === null ? [] : [orderNumber];
  const own = request.customerOrderId === '' ? [] : [request.customerOrderId];
  return { label: 'Order', lines: [...number, orderId, ...own] };
}

/** The address, with the customer's notes for the driver or the store. */
export function destinationFacts({ request }: Order): MailFact[] {
  const { customer, mode } = request;
  const notes = (mode === 'delivery' ? customer.dropoffNotes : customer.pickupNotes).trim();
  const instructions = notes === '' ? [] : [{ label: 'Instructions', lines: [notes] }];
  if (mode === 'pickup') return instructions;
  const street = [customer.streetNum, customer.streetName].join(' ').trim();
  const apartment = customer.aptNum === '' ? '' : `, ${customer.aptNum}`;
  const town = [customer.city, [customer.state, customer.zipcode].join(' ').trim()].filter((part) => part !== '');
  return [{ label: 'Deliver to', lines: [customer.name, `${street}${apartment}`, town.join(', ')] }, ...instructions];
}
