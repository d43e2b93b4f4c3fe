import { displayNameOf } from '../accounts/branding.ts';
import { formatPrice } from '../lib/money.ts';
import { firstName } from '../lib/text/normalise-text.ts';
import { adjustedCents } from '../orders/adjustments/reprice-order.ts';
import { totalOf } from '../orders/order-view.ts';
import type { Refund } from '../orders/refunds/refund.ts';
import { cancelReasonInWords } from './cancel-reason.ts';
import { momentInWords } from './format-time.ts';
import { itemChanges } from './item-change.ts';
import type { MailContent, MailFact } from './mail-content.ts';
import {
  arrivalInWords,
  cardInWords,
  destinationFacts,
  type MessageContext,
  orderFact,
  storeFact,
} from './message-context.ts';
import { receiptOfOrder } from './receipt.ts';
import { brandOf, footOf, helpOf } from './receipt-mail.ts';
import { unitsInWords } from './refund-lines.ts';

/** The e-mail that a driver has the order, for accounts that add it. */
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

/** The e-mail that the order was delivered, for accounts that add it. */
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

/** The cancelation e-mail: the reason, and the refund, also where nothing was charged. */
export function cancelationMail(context: MessageContext): MailContent {
  const { order, branding, trackingLink, refundCents } = context;
  const { name } = order.quote.store;
  const sender = displayNameOf(branding);
  return {
    brand: brandOf(context),
    subject: `Your order from ${name} has been canceled`,
    headline: 'Your order has been canceled',
    lead: [
      `Your order from ${name} was canceled. ${cancelReasonInWords(order.cancelReason)}`,
      refundInWords(context, sender),
    ],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Refund', lines: [formatPrice(refundCents)] },
      { label: 'Order total', lines: [formatPrice(totalOf(order))] },
      storeFact(order),
      orderFact(order),
    ],
    receipt: undefined,
    help: helpOf(branding),
    foot: footOf(sender, context),
  };
}

function refundInWords({ order, card, refundCents }: MessageContext, sender: string): string {
  if (refundCents > 0) {
    const where = card ? `your ${cardInWords(card)}` : 'the card you paid with';
    const all = order.refundedCents > 0 ? 'all that is left of what you paid' : 'all you paid';
    const amount = `${formatPrice(refundCents)} goes back to ${where}, which is ${all}.`;
    return `${amount} Banks usually show a refund within 5 to 10 days.`;
  }
  if (!order.request.chargeUser) return `No card was charged with the order; its payment was arranged by ${sender}.`;
  return 'You have not been charged, so there is nothing to refund.';
}

/** The e-mail about items that the store lacks: what comes instead, and what is given back. */
export function itemChangedMail(context: MessageContext): MailContent {
  const { order, branding, trackingLink, refunds } = context;
  const { name } = order.quote.store;
  const sender = displayNameOf(branding);
  const isCheaper = adjustedCents(order) > 0;
  return {
    brand: brandOf(context),
    subject: `A change to your order from ${name}`,
    headline: 'Your order has changed',
    lead: [`${name} does not have everything that you ordered.`, changedPriceInWords(context, isCheaper, sender)],
    link: { label: 'See your order', url: trackingLink },
    facts: [...changeFacts(context), storeFact(order), orderFact(order)],
    receipt: receiptOfOrder(order, refunds),
    help: helpOf(context.branding),
    foot: footOf(sender, context),
  };
}

/** Each changed item by the name that it was ordered by. */
function changeFacts({ order }: MessageContext): MailFact[] {
  return itemChanges(order).flatMap((change, index) =>
    change === undefined ? [] : [{ label: order.quote.items[index]?.name ?? '', lines: [change] }],
  );
}

function changedPriceInWords({ order, card, refundCents }: MessageContext, isCheaper: boolean, sender: string): string {
  if (refundCents > 0) {
    const where = card ? `your ${cardInWords(card)}` : 'the card you paid with';
    return `${formatPrice(refundCents)} goes back to ${where}. Banks usually show a refund within 5 to 10 days.`;
  }
  if (!isCheaper) return 'It costs you nothing more.';
  if (!order.request.chargeUser) return `No card was charged with the order; its payment was arranged by ${sender}.`;
  return 'What it costs less was given back to you before.';
}

/** The e-mail about a part of an order that went back: what for, to which card, and the receipt as it is now. */
export function refundMail(context: MessageContext): MailContent {
  const { order, branding, card, refundCents, refunds, trackingLink } = context;
  const { name } = order.quote.store;
  const refund = refunds.at(-1);
  const where = card ? `your ${cardInWords(card)}` : 'the card you paid with';
  const what = refund && refund.items.length > 0 ? ` for ${unitsInWords(refund.items, order.quote.items)}` : '';
  return {
    brand: brandOf(context),
    subject: `A refund for your order from ${name}`,
    headline: `${formatPrice(refundCents)} goes back to you`,
    lead: [
      `${formatPrice(refundCents)} of your order from ${name} goes back to ${where}${what}.`,
      'Banks usually show a refund within 5 to 10 days.',
    ],
    link: { label: 'See your order', url: trackingLink },
    facts: [
      { label: 'Refund', lines: [formatPrice(refundCents)] },
      ...reasonFacts(refund),
      storeFact(order),
      orderFact(order),
    ],
    receipt: receiptOfOrder(order, refunds),
    help: helpOf(branding),
    foot: footOf(displayNameOf(branding), context),
  };
}

function reasonFacts(refund: Refund | undefined): MailFact[] {
  const reason = refund?.reason.trim() ?? '';
  return reason === '' ? [] : [{ label: 'Reason', lines: [cancelReasonInWords(reason)] }];
}
