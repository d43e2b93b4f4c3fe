import { type CustomerCare, displayNameOf } from '../../access/accounts/branding.ts';
import { adjustedCents } from '../../ordering/orders/adjustments/reprice-order.ts';
import type { Order } from '../../ordering/orders/order.ts';
import { orderTotalCents } from '../../ordering/orders/order-view.ts';
import type { Refund } from '../../ordering/orders/refunds/refund.ts';
import { cancelReasonInWords } from '../../ordering/orders/wording/cancel-reason.ts';
import { momentInWords } from '../../ordering/orders/wording/format-time.ts';
import { itemChanges } from '../../ordering/orders/wording/item-change.ts';
import { receiptOfOrder } from '../../ordering/orders/wording/receipt.ts';
import { unitsInWords } from '../../ordering/orders/wording/refund-lines.ts';
import { type Locale, localeOf } from '../../platform/languages/catalogs.ts';
import { safeHttpUrl } from '../../platform/lib/html.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { phoneInWords } from '../../platform/lib/phone.ts';
import { firstName } from '../../platform/lib/text/normalize-text.ts';
import type { HelpLink, MailContent, MailFact } from './mail-content.ts';
import {
  arrivalInWords,
  cardInWords,
  destinationFacts,
  type MessageContext,
  orderFact,
  storeFact,
} from './message-context.ts';

/** The confirmation email, which is also the receipt: the items, the amounts to the cent, the tracking link. */
export function receiptMail(context: MessageContext): MailContent {
  const { order, trackingLink } = context;
  const { request, quote } = order;
  const isDelivery = request.mode === 'delivery';
  const given = request.customer.name.split(/\s/)[0] ?? '';
  return {
    ...commonOf(context),
    subject: `Your order from ${quote.store.name}`,
    headline: given === '' ? 'Thanks for your order!' : `Thanks for your order, ${given}!`,
    lead: [`${passedOnWords(order)} Follow it below until you have it.`],
    link: { label: 'Track your order', url: trackingLink },
    facts: [
      { label: arrivalLabel(isDelivery, quote.scheduled !== null), lines: [arrivalInWords(context)] },
      storeFact(order),
      ...destinationFacts(order),
      ...paymentFacts(context),
      orderFact(order),
    ],
    receipt: receiptOfOrder(order, []),
  };
}

/** Does not say that the store has the order: no channel may have it yet. */
function passedOnWords({ quote, placedAt, offerAt }: Order): string {
  const isLater = placedAt && offerAt && Temporal.Instant.compare(offerAt, placedAt) > 0;
  const { name } = quote.store;
  return isLater ? `${name} gets it in time for your time slot.` : `We are passing it on to ${name}.`;
}

/** The name and logo in the head of the mail, and the color of its button and accents. */
function brandOf({ branding }: MessageContext): MailContent['brand'] {
  return {
    name: displayNameOf(branding),
    logoUrl: safeHttpUrl(branding.logoUrl),
    color: branding.color ?? undefined,
  };
}

/** Where the account's customers get help. */
function helpOf({ helpUrl, helpEmail, helpPhone }: CustomerCare): HelpLink[] {
  const url = safeHttpUrl(helpUrl);
  return [
    ...(url ? [{ words: url, href: url }] : []),
    ...(helpEmail ? [{ words: helpEmail, href: `mailto:${helpEmail}` }] : []),
    ...(helpPhone ? [{ words: phoneInWords(Number(helpPhone.slice(1))), href: `tel:${helpPhone}` }] : []),
  ];
}

/** Whom to ask, and why this mail came. */
function footOf(sender: string, { order }: MessageContext): string[] {
  const { name, phoneNumber } = order.quote.store;
  const call =
    phoneNumber === null ? [] : [`Questions about your order? Call ${name} at ${phoneInWords(phoneNumber)}.`];
  return [...call, `Sent by ${sender} because this address was given with the order.`];
}

/** `Arrives by`, `Ready by` or `Scheduled for`, before the time that a customer is promised. */
export function arrivalLabel(isDelivery: boolean, isScheduled: boolean): string {
  if (isScheduled) return 'Scheduled for';
  return isDelivery ? 'Arrives by' : 'Ready by';
}

function paymentFacts({ order, card }: MessageContext): MailFact[] {
  if (!card || order.chargedCents === 0) return [];
  return [{ label: 'Paid', lines: [`${formatPrice(order.chargedCents)} with ${cardInWords(card)}`] }];
}

/** The email that a driver has the order, for accounts that add it. */
export function onItsWayMail(context: MessageContext): MailContent {
  const { order, trackingLink } = context;
  const driver = firstName(order.driver.name ?? '') || 'A driver';
  return {
    ...commonOf(context),
    subject: `Your order from ${order.quote.store.name} is on its way`,
    headline: 'Your order is on its way',
    lead: [`${driver} has it and is on the way to you. Follow it below.`],
    link: { label: 'Track your order', url: trackingLink },
    facts: [
      { label: 'Arrives', lines: [arrivalInWords(context)] },
      storeFact(order),
      ...destinationFacts(order),
      orderFact(order),
    ],
  };
}

/** The email that the order was delivered, for accounts that add it. */
export function deliveredMail(context: MessageContext): MailContent {
  const { order, at, trackingLink } = context;
  const { name, timeZone } = order.quote.store;
  return {
    ...commonOf(context),
    subject: `Your order from ${name} was delivered`,
    headline: 'Your order was delivered',
    lead: ['Enjoy! Your receipt is one click away.'],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Delivered', lines: [momentInWords(order.completedAt ?? at, timeZone, at)] },
      storeFact(order),
      orderFact(order),
    ],
  };
}

function commonOf(context: MessageContext): Pick<MailContent, 'brand' | 'receipt' | 'help' | 'foot'> {
  const { branding } = context;
  return {
    brand: brandOf(context),
    receipt: undefined,
    help: helpOf(branding),
    foot: footOf(displayNameOf(branding), context),
  };
}

/** The cancelation email: the reason, and the refund, also where nothing was charged. */
export function cancelationMail(context: MessageContext): MailContent {
  const { order, trackingLink, refundCents } = context;
  const { name } = order.quote.store;
  return {
    ...commonOf(context),
    subject: `Your order from ${name} has been canceled`,
    headline: 'Your order has been canceled',
    lead: [
      `Your order from ${name} was canceled. ${cancelReasonInWords(order.cancelReason, localeOf('en', order.quote.store.country))}`,
      refundInWords(context),
    ],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Refund', lines: [formatPrice(refundCents)] },
      { label: 'Order total', lines: [formatPrice(orderTotalCents(order))] },
      storeFact(order),
      orderFact(order),
    ],
  };
}

const WHEN_SHOWN = 'Banks usually show a refund within 5 to 10 days.';

const paidCard = ({ card }: MessageContext) => (card ? `your ${cardInWords(card)}` : 'the card you paid with');

const noCardCharged = ({ branding }: MessageContext) =>
  `No card was charged with the order; its payment was arranged by ${displayNameOf(branding)}.`;

function refundInWords(context: MessageContext): string {
  const { order, refundCents } = context;
  if (refundCents > 0) {
    const all = order.refundedCents > 0 ? 'all that is left of what you paid' : 'all you paid';
    return `${formatPrice(refundCents)} goes back to ${paidCard(context)}, which is ${all}. ${WHEN_SHOWN}`;
  }
  if (!order.request.chargeUser) return noCardCharged(context);
  return 'You have not been charged, so there is nothing to refund.';
}

/** The email about items that the store lacks: what comes instead, and what is given back. */
export function itemChangedMail(context: MessageContext): MailContent {
  const { order, trackingLink, refunds } = context;
  const { name } = order.quote.store;
  return {
    ...commonOf(context),
    subject: `A change to your order from ${name}`,
    headline: 'Your order has changed',
    lead: [`${name} does not have everything that you ordered.`, changedPriceInWords(context)],
    link: { label: 'See your order', url: trackingLink },
    facts: [...changeFacts(context), storeFact(order), orderFact(order)],
    receipt: receiptOfOrder(order, refunds),
  };
}

/** Each changed item by the name that it was ordered by. */
function changeFacts({ order }: MessageContext): MailFact[] {
  return itemChanges(order).flatMap((change, index) =>
    change === undefined ? [] : [{ label: order.quote.items[index]?.name ?? '', lines: [change] }],
  );
}

function changedPriceInWords(context: MessageContext): string {
  const { order, refundCents } = context;
  if (refundCents > 0) return `${formatPrice(refundCents)} goes back to ${paidCard(context)}. ${WHEN_SHOWN}`;
  if (adjustedCents(order) <= 0) return 'It costs you nothing more.';
  if (!order.request.chargeUser) return noCardCharged(context);
  return 'What it costs less was given back to you before.';
}

/** The email about a part of an order that went back: what for, to which card, and the receipt as it is now. */
export function refundMail(context: MessageContext): MailContent {
  const { order, refundCents, refunds, trackingLink } = context;
  const { name } = order.quote.store;
  const refund = refunds.at(-1);
  const what = refund && refund.items.length > 0 ? ` for ${unitsInWords(refund.items, order.quote.items)}` : '';
  return {
    ...commonOf(context),
    subject: `A refund for your order from ${name}`,
    headline: `${formatPrice(refundCents)} goes back to you`,
    lead: [
      `${formatPrice(refundCents)} of your order from ${name} goes back to ${paidCard(context)}${what}.`,
      WHEN_SHOWN,
    ],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Refund', lines: [formatPrice(refundCents)] },
      ...reasonFacts(refund, localeOf('en', order.quote.store.country)),
      storeFact(order),
      orderFact(order),
    ],
    receipt: receiptOfOrder(order, refunds),
  };
}

function reasonFacts(refund: Refund | undefined, locale: Locale): MailFact[] {
  const reason = refund?.reason.trim() ?? '';
  return reason === '' ? [] : [{ label: 'Reason', lines: [cancelReasonInWords(reason, locale)] }];
}
