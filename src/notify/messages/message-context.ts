import type { Branding } from '../../access/accounts/branding.ts';
import type { Order } from '../../ordering/orders/order.ts';
import { arrivalOf } from '../../ordering/orders/order-view.ts';
import type { Refund } from '../../ordering/orders/refunds/refund.ts';
import { orderLocale } from '../../ordering/orders/wording/order-locale.ts';
import type { ShownBrand } from '../../ordering/payments/payment-gateway.ts';
import type { Locale } from '../../platform/languages/catalogs.ts';
import type { PaidCard } from '../../platform/languages/en/customer.ts';
import type { MailFact } from './mail-content.ts';

/** The card an order is paid with, as its owner knows it. */
type PaidWith = { brand: ShownBrand; last4: string };

/** Inputs of a message, that is the order right after the event and the account's branding. */
export type MessageContext = {
  order: Order;
  /** When the event happened. */
  at: Temporal.Instant;
  branding: Branding;
  trackingLink: string;
  card: PaidWith | undefined;
  /** Cents refunded by the event, promised by a cancelation or already made by a refund. */
  refundCents: number;
  /** The refunds of the order up to the event, the event's own refund last. */
  refunds: readonly Refund[];
  /** Whether it is the first SMS of the account to the number. */
  saysOptOut?: boolean;
};

const CARD_NAMES: Readonly<Record<ShownBrand, string | undefined>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  other: undefined,
};

/** The card for a sentence, with its brand by the brand's own name. */
export function shownCard(card: PaidWith | undefined): PaidCard | undefined {
  return card && { brand: CARD_NAMES[card.brand], last4: card.last4 };
}

/** The locale of the customer's messages. */
export function messageLocale({ order, branding }: Pick<MessageContext, 'order' | 'branding'>): Locale {
  return orderLocale(order, branding);
}

/** Expected time in the store's time zone, by slot or by the late end of the estimate. */
export function arrivalInWords({ order, at, branding }: Pick<MessageContext, 'order' | 'at' | 'branding'>): string {
  const { quote } = order;
  const { timeZone } = quote.store;
  const { format } = messageLocale({ order, branding });
  if (quote.scheduled) return format.slot(quote.scheduled, timeZone, at);
  return format.moment(arrivalOf(order), timeZone, at);
}

/** Where it was ordered, and the number to call there. */
export function storeFact({ quote }: Order, { words }: Locale): MailFact {
  const { name, address, phoneNumber } = quote.store;
  return { label: words.customer.mail.store, lines: [name, address], phone: phoneNumber };
}

/** The order's number and id, and the client's own id of the order where the client gave it. */
export function orderFact({ orderId, orderNumber, request }: Order, { words }: Locale): MailFact {
  const number = orderNumber === null ? [] : [orderNumber];
  const own = request.customerOrderId === '' ? [] : [request.customerOrderId];
  return { label: words.customer.mail.order, lines: [...number, orderId, ...own] };
}

/** The address, with the customer's notes for the driver or the store. */
export function destinationFacts({ request }: Order, { words }: Locale): MailFact[] {
  const { mail } = words.customer;
  const { customer, mode } = request;
  const notes = (mode === 'delivery' ? customer.dropoffNotes : customer.pickupNotes).trim();
  const instructions = notes === '' ? [] : [{ label: mail.instructions, lines: [notes] }];
  if (mode === 'pickup') return instructions;
  const street = [customer.streetNum, customer.streetName].join(' ').trim();
  const apartment = customer.aptNum === '' ? '' : `, ${customer.aptNum}`;
  const town = [customer.city, [customer.state, customer.zipcode].join(' ').trim()].filter((part) => part !== '');
  return [{ label: mail.deliverTo, lines: [customer.name, `${street}${apartment}`, town.join(', ')] }, ...instructions];
}
