import { safeHttpUrl } from 'doorstep/html';
import { firstName } from 'doorstep/search-engine/text';
import { type CustomerCare, displayNameOf } from '../../access/accounts/branding.ts';
import { declinedInWords } from '../../ordering/money/hold-times.ts';
import { handoverPayment, type Receipt, receiptOfOrder } from '../../ordering/money/receipt.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { unitsInWords } from '../../ordering/money/refund-lines.ts';
import { expectedSlot } from '../../ordering/order/kitchen-times.ts';
import { isChargedHere, movementOf } from '../../ordering/order/money-plan.ts';
import type { Order } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { orderTotalCents } from '../../ordering/order/order-view.ts';
import { adjustedCents, dueCents } from '../../ordering/order/reprice-order.ts';
import { isWeighedOrder } from '../../ordering/order/weighed-order.ts';
import { cancelReasonInWords, itemChanges } from '../../ordering/order/wording.ts';
import { dialUrl, phoneInWords } from '../../platform/lib/phone.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import type { HelpLink, MailContent, MailFact } from './mail-content.ts';
import {
  arrivalInWords,
  destinationFacts,
  type MessageContext,
  messageLocale,
  orderFact,
  shownCard,
  storeFact,
} from './message-context.ts';

/** The emails about an order, in the order's language. Text that people typed is not translated. */

/** What every email about an order has, and what it's written with. */
function draftOf(context: MessageContext) {
  const { order, branding, trackingLink: url } = context;
  const locale = messageLocale(context);
  const { words, format } = locale;
  const { mail } = words.customer;
  const link = { label: mail.view, url };
  const help = helpOf(branding);
  const common = { locale, brand: brandOf(context), receipt: undefined, help, foot: footOf(context, locale), link };
  const facts = [storeFact(order, locale), orderFact(order, locale)];
  const store = order.quote.store.name;
  return { ...context, locale, words, format, mail, store, common, facts, taxes: taxFacts(context, locale) };
}

/** Writes the confirmation email and receipt, with items, exact amounts and the tracking link. */
export function receiptMail(context: MessageContext): MailContent {
  const { order, trackingLink, locale, mail, store, common, taxes } = draftOf(context);
  const { request } = order;
  const isScheduled = expectedSlot(order, context.at) !== undefined;
  const name = request.customer.name.split(/\s/)[0] ?? '';
  return {
    ...common,
    subject: mail.received.subject({ store }),
    headline: name === '' ? mail.received.headline : mail.received.headlineNamed({ name }),
    lead: [`${passedOnWords(order, locale)} ${mail.received.follow}`],
    link: { label: mail.track, url: trackingLink },
    facts: [
      { label: arrivalLabel(request.mode === 'delivery', isScheduled, locale), lines: [arrivalInWords(context)] },
      storeFact(order, locale),
      ...destinationFacts(order, locale),
      ...paymentFacts(context),
      orderFact(order, locale),
      ...agentFacts(order, locale),
      ...taxes,
    ],
    receipt: receiptOfOrder(order, [], locale),
  };
}

/** Says that the order is passed on, never that the store has it: it may not have been sent there yet. */
function passedOnWords({ quote, placedAt, offerAt }: Order, { words }: Locale): string {
  const { later, passingOn } = words.customer.mail.received;
  const isLater = placedAt && offerAt && Temporal.Instant.compare(offerAt, placedAt) > 0;
  return (isLater ? later : passingOn)({ store: quote.store.name });
}

/** Returns the name and logo of the email's header, and color of its button and accents. */
function brandOf({ branding }: MessageContext): MailContent['brand'] {
  return { name: displayNameOf(branding), logoUrl: safeHttpUrl(branding.logoUrl), color: branding.color ?? undefined };
}

function helpOf({ helpUrl, helpEmail, helpPhone }: CustomerCare): HelpLink[] {
  const url = safeHttpUrl(helpUrl);
  return [
    ...(url ? [{ words: url, href: url }] : []),
    ...(helpEmail ? [{ words: helpEmail, href: `mailto:${helpEmail}` }] : []),
    ...(helpPhone ? [{ words: phoneInWords(helpPhone), href: dialUrl(helpPhone) }] : []),
  ];
}

/** States where to ask questions about the order, and why the recipient gets this email. */
function footOf({ order, branding }: MessageContext, { words }: Locale): string[] {
  const { questions, why } = words.customer.mail;
  const { name, phoneNumber, phoneExtension } = order.quote.store;
  const call =
    phoneNumber === null ? [] : [questions({ store: name, phone: phoneInWords(phoneNumber, phoneExtension) })];
  return [...call, why({ brand: displayNameOf(branding) })];
}

/** Returns the label of the promised time: `Arrives by`, `Ready by` or `Scheduled for`. */
export function arrivalLabel(isDelivery: boolean, isScheduled: boolean, { words }: Locale): string {
  const { arrivesBy, readyBy } = words.customer.mail;
  if (isScheduled) return words.customer.places.scheduledFor;
  return isDelivery ? arrivesBy : readyBy;
}

/** Names the program that prepared the order by its domain, the only proven fact. */
function agentFacts({ request: { agent } }: Order, { words }: Locale): MailFact[] {
  return agent ? [{ label: words.customer.mail.orderedWith, lines: [agent.host || agent.name] }] : [];
}

/** Lists the tax registration numbers, which every receipt shows. */
function taxFacts({ taxIds = [] }: MessageContext, { words }: Locale): MailFact[] {
  return taxIds.length === 0 ? [] : [{ label: words.customer.receipt.taxIds, lines: taxIds }];
}

/** Writes the final receipt of goods by weight: the estimate, the amounts held and paid, and each line's weight. */
export function finalReceiptMail(context: MessageContext): MailContent {
  const { order, refunds, locale, format, mail, store, common, facts, taxes } = draftOf(context);
  const estimate = format.money(order.quote.totalWithTipCents + order.addedTipCents);
  const amount = format.money(orderTotalCents(order));
  const held =
    order.moneyPlan === 'held' ? [{ label: mail.held, lines: [format.money(order.authorizedCents ?? 0)] }] : [];
  return {
    ...common,
    subject: mail.weighed.subject({ store }),
    headline: mail.weighed.headline({ amount }),
    lead: [mail.weighed.lead({ store, estimate, amount }) + leftInWords(context, locale)],
    facts: [
      { label: mail.weighed.estimated, lines: [estimate] },
      ...held,
      ...paymentFacts(context),
      ...facts,
      ...taxes,
    ],
    receipt: receiptOfOrder(order, refunds, locale),
  };
}

/** A sentence that the rest of a hold, or of the money taken at placing, goes back; empty if nothing is left. */
function leftInWords({ order, card }: MessageContext, { words, format }: Locale): string {
  const { mail } = words.customer;
  const leftCents = (order.authorizedCents ?? 0) - (order.capturedCents ?? 0);
  if (leftCents === 0) return '';
  if (order.moneyPlan === 'held') return ` ${mail.weighed.released}`;
  return ` ${mail.changed.refund({ amount: format.money(leftCents), card: shownCard(card) })} ${mail.whenShown}`;
}

/** Writes the email that the card will not hold the money of a placed order any longer, with the link to give another. */
export function cardDeclinedMail(context: MessageContext): MailContent {
  const { order, at, cardPageUrl, refunds, locale, words, mail, store, common, facts } = draftOf(context);
  return {
    ...common,
    subject: mail.declined.subject({ store }),
    headline: mail.declined.headline,
    lead: [declinedInWords(order, locale, at)],
    link: { label: words.checkout.card.other, url: cardPageUrl },
    facts,
    receipt: receiptOfOrder(order, refunds, locale),
  };
}

function paymentFacts(context: MessageContext): MailFact[] {
  const { order, locale, format, mail } = draftOf(context);
  const card = shownCard(context.card);
  const due = handoverPayment(order, locale);
  if (due) return [{ label: due.label, lines: [format.money(due.cents)] }];
  const heldCents = order.chargeState === 'authorized' ? (order.authorizedCents ?? 0) : 0;
  const [label, amountCents] =
    order.chargedCents > 0 ? [mail.paid, order.chargedCents] : [order.holdUntil ? mail.held : mail.willHold, heldCents];
  if (!card || amountCents === 0) return [];
  return [{ label, lines: [mail.paidWith({ amount: format.money(amountCents), card })] }];
}

/** Writes the email that a driver has picked up the order, if the account enables it. */
export function onItsWayMail(context: MessageContext): MailContent {
  const { order, trackingLink, locale, mail, store, common } = draftOf(context);
  const driver = firstName(order.driver.name ?? '') || undefined;
  return {
    ...common,
    subject: mail.onItsWay.subject({ store }),
    headline: mail.onItsWay.headline,
    lead: [mail.onItsWay.lead({ driver })],
    link: { label: mail.track, url: trackingLink },
    facts: [
      { label: mail.arrives, lines: [arrivalInWords(context)] },
      storeFact(order, locale),
      ...destinationFacts(order, locale),
      orderFact(order, locale),
    ],
  };
}

/** Writes the email that the order was delivered, if the account enables it. */
export function deliveredMail(context: MessageContext): MailContent {
  const { order, at, format, mail, store, common, facts } = draftOf(context);
  const delivered = format.moment(order.completedAt ?? at, orderZone(order), at);
  return {
    ...common,
    subject: mail.arrived.subject({ store }),
    headline: mail.arrived.headline,
    lead: [mail.arrived.lead],
    facts: [{ label: mail.delivered, lines: [delivered] }, ...facts],
  };
}

/** Writes the cancelation email, with the reason and the refund; the refund is stated even if nothing was charged. */
export function cancelationMail(context: MessageContext): MailContent {
  const { order, refundCents, locale, format, mail, store, common, facts } = draftOf(context);
  const reason = cancelReasonInWords(order.cancelReason, locale);
  return {
    ...common,
    subject: mail.canceled.subject({ store }),
    headline: mail.canceled.headline,
    lead: [`${mail.canceled.lead({ store })} ${reason}`, refundInWords(context, locale)],
    facts: [
      { label: mail.refund, lines: [format.money(refundCents)] },
      { label: mail.orderTotal, lines: [format.money(orderTotalCents(order))] },
      ...facts,
    ],
  };
}

function refundInWords({ order, branding, refundCents, card }: MessageContext, { words, format }: Locale): string {
  const { mail } = words.customer;
  if (refundCents > 0) {
    const write = order.refundedCents > 0 ? mail.canceled.refundRest : mail.canceled.refundInFull;
    return `${write({ amount: format.money(refundCents), card: shownCard(card) })} ${mail.whenShown}`;
  }
  return isChargedHere(order) ? mail.canceled.notCharged : mail.paidElsewhere({ brand: displayNameOf(branding) });
}

/** Writes the email about unavailable items, with their substitutes and the refund. */
export function itemChangedMail(context: MessageContext): MailContent {
  const { order, refunds, locale, mail, store, common, facts, taxes } = draftOf(context);
  const receipt = receiptOfOrder(order, refunds, locale);
  return {
    ...common,
    subject: mail.changed.subject({ store }),
    headline: mail.changed.headline,
    lead: [mail.changed.lead({ store }), changedPriceInWords(context, receipt, locale)],
    facts: [...changeFacts(context, locale), ...facts, ...taxes],
    receipt,
  };
}

/** Returns the changed items, by their names in the order. */
function changeFacts({ order }: MessageContext, locale: Locale): MailFact[] {
  return itemChanges(order, locale).flatMap((change, index) =>
    change === undefined ? [] : [{ label: order.quote.items[index]?.name ?? '', lines: [change] }],
  );
}

function changedPriceInWords(
  { order, branding, refundCents, card }: MessageContext,
  { isEstimate, weightNote = '' }: Receipt,
  { words, format }: Locale,
) {
  const { mail } = words.customer;
  if (refundCents > 0) {
    return `${mail.changed.refund({ amount: format.money(refundCents), card: shownCard(card) })} ${mail.whenShown}`;
  }
  const isByWeight = isWeighedOrder(order.quote) && isChargedHere(order);
  if (isByWeight && isEstimate) return weightNote;
  if (!isByWeight && adjustedCents(order) <= 0) return mail.changed.sameCost;
  if (isByWeight || movementOf(order, 'change') === 'lower')
    return mail.changed.payLess({ amount: format.money(dueCents(order)) });
  return isChargedHere(order) ? mail.changed.refundedBefore : mail.paidElsewhere({ brand: displayNameOf(branding) });
}

/** Writes the partial refund email, with the reason, the card and the updated receipt. */
export function refundMail(context: MessageContext): MailContent {
  const { order, refundCents, refunds, locale, format, mail, store, common, facts, taxes } = draftOf(context);
  const refund = refunds.at(-1);
  const amount = format.money(refundCents);
  const what = { amount, store, card: shownCard(context.card) };
  const items = refund && refund.items.length > 0 && unitsInWords(refund.items, order.quote.items, locale);
  const lead = items ? mail.refunded.leadItems({ ...what, items }) : mail.refunded.lead(what);
  return {
    ...common,
    subject: mail.refunded.subject(what),
    headline: mail.refunded.headline({ amount }),
    lead: order.moneyPlan === 'collected' ? [mail.handedBack(what)] : [lead, mail.whenShown],
    facts: [{ label: mail.refund, lines: [amount] }, ...reasonFacts(refund, locale), ...facts, ...taxes],
    receipt: receiptOfOrder(order, refunds, locale),
  };
}

function reasonFacts(refund: Refund | undefined, locale: Locale): MailFact[] {
  const reason = refund?.reason.trim() ?? '';
  const { mail } = locale.words.customer;
  return reason === '' ? [] : [{ label: mail.reason, lines: [cancelReasonInWords(reason, locale)] }];
}

/** Writes the email to the account about a problem that the customer reported, in the account's language. */
export function problemMail(context: MessageContext): MailContent {
  const { order, branding, refunds, trackingLink, report } = context;
  const locale = localeOf(branding.language, order.quote.store.country);
  const { mail, problem } = locale.words.customer;
  const { name, email, phone } = order.request.customer;
  const reason = problem.reasons[report?.reason ?? 'other'];
  const number = order.orderNumber ?? order.orderId;
  return {
    locale,
    brand: brandOf(context),
    subject: mail.problem.subject({ number, reason }),
    headline: mail.problem.headline({ number }),
    lead: (report?.text ?? '').split('\n').filter((line) => line.trim() !== ''),
    link: { label: mail.problem.view, url: trackingLink },
    facts: [
      { label: mail.reason, lines: [reason] },
      { label: mail.problem.customer, lines: [name, email].filter((line) => line !== ''), phone },
      storeFact(order, locale),
      ...destinationFacts(order, locale),
      orderFact(order, locale),
    ],
    receipt: receiptOfOrder(order, refunds, locale),
    foot: email === '' ? [] : [mail.problem.reply],
  };
}
