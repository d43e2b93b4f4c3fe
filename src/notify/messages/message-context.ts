import type { Branding } from '../../access/accounts/branding.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { handoverLines, handoverOf } from '../../ordering/order/drop-off.ts';
import { expectedSlot, expectedTime } from '../../ordering/order/kitchen-times.ts';
import type { Order } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { orderLocale } from '../../ordering/order/wording.ts';
import type { ShownBrand } from '../../ordering/payments/payment-gateway.ts';
import { CARD_BRAND_NAMES } from '../../ordering/payments/payment-method.ts';
import { momentAt } from '../../platform/languages/format.ts';
import { writeAddressLines } from '../../supply/stores/street-address.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { PaidCard } from '../../texts/en/customer.ts';
import type { MailFact } from './mail-content.ts';
import type { ProblemReport } from './message.ts';

/** The order's card, as its owner knows it. */
type PaidWith = { brand: ShownBrand; last4: string };

/** The inputs of a message: the order right after the event, and the account's branding. */
export type MessageContext = {
  order: Order;
  at: Temporal.Instant;
  branding: Branding;
  trackingLink: string;
  /** The page where the customer adds another card. */
  cardPageUrl: string;
  card: PaidWith | undefined;
  /** Cents that the event refunds: promised by a cancelation, or already refunded. */
  refundCents: number;
  /** Refunds of the order up to and including the event. */
  refunds: readonly Refund[];
  /** Whether this is the account's first SMS to the number. */
  saysOptOut?: boolean;
  /** Tax registration numbers of the party that remits the taxes. */
  taxIds?: readonly string[];
  report?: ProblemReport | null;
};

/** Returns the card as written in a sentence, with the brand's own spelling; undefined without one, and for cash. */
export function shownCard(card: PaidWith | undefined): PaidCard | undefined {
  return card && card.brand !== 'cash' ? { brand: CARD_BRAND_NAMES[card.brand], last4: card.last4 } : undefined;
}

/** Returns the locale of the customer's messages. */
export function messageLocale({ order, branding }: Pick<MessageContext, 'order' | 'branding'>): Locale {
  return orderLocale(order, branding);
}

/** Returns the expected time: the slot, otherwise the late end of the estimate. */
export function arrivalInWords({ order, at, branding }: Pick<MessageContext, 'order' | 'at' | 'branding'>): string {
  const zone = orderZone(order);
  const { format } = messageLocale({ order, branding });
  const slot = expectedSlot(order, at);
  if (slot) return format.slot(slot, zone, at);
  return format.moment(momentAt(expectedTime(order, at).latestEpochS), zone, at);
}

/** Returns the store, and the phone number to call there. */
export function storeFact({ quote }: Order, { words }: Locale): MailFact {
  const { name, address, phoneNumber } = quote.store;
  return { label: words.customer.mail.store, lines: [name, address], phone: phoneNumber };
}

/** Returns the order's number and id, and the client's own id if it sent one. */
export function orderFact({ orderId, orderNumber, request }: Order, { words }: Locale): MailFact {
  const number = orderNumber === null ? [] : [orderNumber];
  const own = request.customerOrderId === '' ? [] : [request.customerOrderId];
  return { label: words.customer.mail.order, lines: [...number, orderId, ...own] };
}

/** Returns the address, with the customer's notes for the driver or the store. */
export function destinationFacts({ request }: Order, { words }: Locale): MailFact[] {
  const { mail, dropOff } = words.customer;
  const { customer, mode } = request;
  const handover = handoverLines(handoverOf({ request }), dropOff);
  const instructions = handover.length === 0 ? [] : [{ label: mail.instructions, lines: handover }];
  if (mode === 'pickup') return instructions;
  const lines = [customer.name, ...writeAddressLines(customer)].filter((line) => line !== '');
  return [{ label: mail.deliverTo, lines }, ...instructions];
}
