import { displayNameOf } from '../accounts/branding.ts';
import type { CustomerCare } from '../accounts/customer-care.ts';
import { safeHttpUrl } from '../lib/html.ts';
import { formatPrice } from '../lib/money.ts';
import { phoneInWords } from '../lib/phone.ts';
import type { Order } from '../orders/order.ts';
import type { HelpLink, MailContent, MailFact } from './mail-content.ts';
import {
  arrivalInWords,
  cardInWords,
  destinationFacts,
  type MessageContext,
  orderFact,
  storeFact,
} from './message-context.ts';
import { receiptOfOrder } from './receipt.ts';

/** The confirmation e-mail, which is also the receipt: the items, the amounts to the cent, the tracking link. */
export function receiptMail(context: MessageContext): MailContent {
  const { order, branding, trackingLink } = context;
  const { request, quote } = order;
  const isDelivery = request.mode === 'delivery';
  const firstName = request.customer.name.split(/\s/)[0] ?? '';
  return {
    brand: brandOf(context),
    subject: `Your order from ${quote.store.name}`,
    headline: firstName === '' ? 'Thanks for your order!' : `Thanks for your order, ${firstName}!`,
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
    help: helpOf(branding),
    foot: footOf(displayNameOf(branding), context),
  };
}

/** Nothing that says that the store has the order: when this mail is written, no channel may have it. */
function passedOnWords({ quote, placedAt, offerAt }: Order): string {
  const isLater = placedAt && offerAt && Temporal.Instant.compare(offerAt, placedAt) > 0;
  const { name } = quote.store;
  return isLater ? `${name} gets it in time for your window.` : `We are passing it on to ${name}.`;
}

/** The name and logo in the head of the mail, and the colour of its button and accents. */
export function brandOf({ branding }: MessageContext): MailContent['brand'] {
  return {
    name: displayNameOf(branding),
    logoUrl: safeHttpUrl(branding.logoUrl),
    color: branding.color ?? undefined,
  };
}

/** Where the account's customers get help. */
export function helpOf({ helpUrl, helpEmail, helpPhone }: CustomerCare): HelpLink[] {
  const url = safeHttpUrl(helpUrl);
  return [
    ...(url ? [{ words: url, href: url }] : []),
    ...(helpEmail ? [{ words: helpEmail, href: `mailto:${helpEmail}` }] : []),
    ...(helpPhone ? [{ words: phoneInWords(Number(helpPhone.slice(1))), href: `tel:${helpPhone}` }] : []),
  ];
}

/** Whom to ask, and why this mail came. */
export function footOf(sender: string, { order }: MessageContext): string[] {
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
