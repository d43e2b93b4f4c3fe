import { unitPriceInWords } from '../../notify/messages/mail-content.ts';
import { destinationFacts } from '../../notify/messages/message-context.ts';
import { arrivalLabel } from '../../notify/messages/order-mails.ts';
import type { TicketCommands, TicketDocument } from '../../notify/outbox/printer.ts';
import {
  handoverPayment,
  type Receipt,
  type ReceiptItem,
  type ReceiptOption,
  receiptOfOrder,
  totalLabel,
} from '../../ordering/money/receipt.ts';
import type { ShownRefund } from '../../ordering/money/refund-lines.ts';
import { handoverLines, handoverOf } from '../../ordering/order/drop-off.ts';
import { type FulfilledItem, fulfilledItems } from '../../ordering/order/fulfilled-items.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { arrivalOf, chosenOptions, placedAtOf, unitCountOf } from '../../ordering/order/order-view.ts';
import { allergensOf } from '../../ordering/order/quoted-food.ts';
import { toCollectCents } from '../../ordering/order/reprice-order.ts';
import { amountInWords, orderLocale, weightInWords } from '../../ordering/order/wording.ts';
import type { Language } from '../../platform/languages/language.ts';
import { phoneInWords } from '../../platform/lib/phone.ts';
import type { Allergen } from '../../supply/catalog/food.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import type { Glyphs } from './hex-glyphs.ts';
import type { PrinterEncoding, TextStyle } from './paper.ts';

/**
 * The documents of an order: the kitchen's ticket, the customer's receipt, and the slip that stops a canceled order.
 * Each is a list of lines; `renderTicket` prints them on paper and `ticketPage` shows them in a browser.
 */

/** The part of an order that one printer among several prints: the places of its items. */
export type StationTicket = { name: string; items: ReadonlySet<number> };

export type TicketContent = {
  /** 0 for the automatic print, n for the nth print on demand. */
  copy: number;
  /** Whether an earlier attempt ended without the printer's answer, so that the ticket may already be printed. */
  mayBeRepeated: boolean;
  /** Undefined for all items. */
  station?: StationTicket | undefined;
  /** The account's name, as customers see it. */
  brandName: string;
  /** Language of the account's customers, for orders without one. */
  customerLanguage: Language;
  /** The store's language, for all documents except the receipt. */
  language: Language;
  /** Times on any other day are shown with their day. */
  now: Temporal.Instant;
  /** Refunds of the order, by reason; refunds without a reason also have a line. */
  refunds?: readonly ShownRefund[];
  /** Registration numbers of who remits the taxes, for the receipt. */
  taxIds?: readonly string[];
};

export type PrintOptions = TicketContent & {
  encoding: PrinterEncoding;
  /** ESC/POS by default. */
  commands?: TicketCommands;
  /** Glyphs for letters that the printer's code pages lack, which are printed as images. */
  glyphs?: Glyphs | undefined;
};

/** A line of a ticket before it is wrapped. `indent` counts steps to the right. */
export type TicketLine =
  | { kind: 'text'; style: TextStyle; lead: string; text: string; indent: number }
  | { kind: 'amount'; style: TextStyle; label: string; amount: string; indent: number }
  | { kind: 'rule' };

export type PrintedLine = Exclude<TicketLine, { kind: 'rule' }>;

const RULE: TicketLine = { kind: 'rule' };

/** Creates a line of text. Later rows of a wrapped text begin below the text, right of `lead`. */
export function textLine(style: TextStyle, text: string, { indent = 0, lead = '' } = {}): TicketLine {
  return { kind: 'text', style, lead, text, indent };
}

function amountLine(style: TextStyle, label: string, amount: string, indent = 0): TicketLine {
  return { kind: 'amount', style, label, amount, indent };
}

/** Returns the part of a line that may contain text of a customer, store or account. */
export const foreignText = (line: PrintedLine): string => (line.kind === 'amount' ? line.label : line.text);

/** Lines that mark sandbox orders and copies; none for the first print of a live order. */
function copyLines(order: Order, content: TicketContent): TicketLine[] {
  const { copy, mayBeRepeated } = content;
  const { ticket } = kitchenLocale(order, content).words.store;
  return [
    ...(order.mode === 'sandbox' ? [textLine('banner', ticket.test)] : []),
    ...(copy > 0 ? [textLine('banner', ticket.reprint({ copy }))] : []),
    ...(mayBeRepeated && copy === 0 ? [textLine('banner', ticket.reprintInDoubt)] : []),
    ...(mayBeRepeated ? [textLine('banner', ticket.mayBePrinted)] : []),
  ];
}

/** Returns the kitchen's language, with the formats of its country. */
export function kitchenLocale({ quote }: Order, { language }: Pick<TicketContent, 'language'>): Locale {
  return localeOf(language, quote.store.country);
}

/** Writes the large order number, and whether the order is delivered or picked up. */
function headLines(order: Order, { words }: Locale): TicketLine[] {
  const { ticket } = words.store;
  const isDelivery = order.request.mode === 'delivery';
  return [textLine('number', shownOrderNumber(order)), textLine('title', isDelivery ? ticket.delivery : ticket.pickup)];
}

/** Writes the slot of a scheduled order, otherwise the promised time, for the kitchen. */
function dueLines(order: Order, { now }: Pick<TicketContent, 'now'>, { words, format }: Locale): TicketLine[] {
  const { ticket } = words.store;
  const { request, quote } = order;
  const zone = orderZone(order);
  if (quote.scheduled) {
    return [textLine('banner', ticket.scheduled), textLine('title', format.datedSlot(quote.scheduled, zone, now))];
  }
  const time = format.moment(arrivalOf(order), zone, now);
  return [textLine('title', request.mode === 'delivery' ? ticket.asapThere({ time }) : ticket.asapReady({ time }))];
}

/** Writes the kitchen's ticket: the items to make, the due time and the customer. Without prices. */
export function kitchenTicket(order: Order, content: TicketContent): TicketLine[] {
  const locale = kitchenLocale(order, content);
  const { ticket, terms } = locale.words.store;
  const { quote, request } = order;
  const { name: store } = quote.store;
  const items = fulfilledItems(order);
  const placed = locale.format.moment(placedAtOf(order), orderZone(order), content.now);
  return [
    ...copyLines(order, content),
    ...(content.mayBeRepeated ? [textLine('center', ticket.lookFirst)] : []),
    ...(content.station ? [textLine('title', content.station.name.toLocaleUpperCase(locale.format.tag))] : []),
    ...headLines(order, locale),
    ...dueLines(order, content, locale),
    textLine('item', request.customer.name),
    textLine('plain', ticket.placed({ store, time: placed })),
    ...collectLines(order, locale),
    ...customerNotes(order, locale),
    RULE,
    ...items.flatMap((item, index) =>
      isPrinted(content, index)
        ? [...kitchenItemLines(item, locale), ...missingItemLines(order, item, index, locale)]
        : [],
    ),
    RULE,
    textLine('strong', itemCount(order, items, content, terms)),
  ];
}

function isPrinted({ station }: Pick<TicketContent, 'station'>, place: number): boolean {
  return station === undefined || station.items.has(place);
}

/** Writes `5 items`, or `2 of 5 items` of a printer that prints some of them. */
function itemCount(
  order: Order,
  items: readonly FulfilledItem[],
  content: TicketContent,
  { items: all, someItems }: Locale['words']['store']['terms'],
): string {
  const total = unitCountOf(order);
  const count = items.reduce((sum, { quantity }, place) => sum + (isPrinted(content, place) ? quantity : 0), 0);
  return count === total ? all({ count }) : someItems({ count, total });
}

function changedTicket(order: Order, content: TicketContent): TicketLine[] {
  const { ticket } = kitchenLocale(order, content).words.store;
  return [textLine('banner', ticket.changed), ...kitchenTicket(order, content)];
}

function collectLines(order: Order, { words, format }: Locale): TicketLine[] {
  const toCollect = toCollectCents(order);
  if (toCollect === null) return [];
  const { collect, collectCash } = words.store.ticket;
  const amount = format.money(toCollect);
  return [textLine('alert', order.moneyPlan === 'collected' ? collectCash({ amount }) : collect({ amount }))];
}

function customerNotes(order: Order, { words }: Locale): TicketLine[] {
  const { ticket } = words.store;
  const handover = handoverOf(order);
  const note = handoverLines(handover, words.customer.dropOff).join(' - ');
  if (note === '') return [];
  return [textLine('alert', handover.isDelivery ? ticket.dropoffNote({ note }) : ticket.pickupNote({ note }))];
}

function kitchenItemLines(item: FulfilledItem, locale: Locale): TicketLine[] {
  const { ticket } = locale.words.store;
  const { contains, mayContain } = allergensOf(item);
  const line = textLine('item', item.name, { lead: `${amountInWords(item, locale, 'x')} ` });
  if (item.quantity === 0) return [line];
  const { weight, scaled } = item;
  return [
    line,
    ...(weight && !scaled
      ? [
          textLine('plain', ticket.upTo({ weight: weightInWords(weight, locale, { milli: weight.max }) }), {
            indent: 2,
          }),
        ]
      : []),
    ...kitchenOptionLines(item.customizations, 2, locale),
    ...(item.notes.trim() === '' ? [] : [textLine('alert', ticket.note({ note: item.notes }), { indent: 2 })]),
    ...allergenLine(ticket.allergens, contains, locale),
    ...allergenLine(ticket.mayContain, mayContain, locale),
    ...(item.isAlcoholic ? [textLine('alert', ticket.checkId, { indent: 2 })] : []),
  ];
}

/** Writes missing units and their substitutes, otherwise the customer's substitution preference. */
function missingItemLines(order: Order, item: FulfilledItem, index: number, locale: Locale): TicketLine[] {
  const { words, format } = locale;
  const { ticket, terms } = words.store;
  const { quantity, orderedQuantity: ordered, replaces } = item;
  const { weight } = order.quote.items[index] ?? {};
  const alert = (text: string) => textLine('alert', text, { indent: 2 });
  const missing = weight
    ? ticket.missingWeight({ ordered: weightInWords(weight, locale) })
    : ticket.missing({ ordered });
  const fewerWords = quantity === 0 ? missing : ticket.only({ quantity, ordered });
  const fewer = quantity < ordered ? [alert(fewerWords)] : [];
  if (replaces) return [alert(ticket.insteadOf({ name: replaces.name })), ...fewer];
  if (fewer.length > 0) return fewer;
  const { preference } = order.request.items[index]?.substitution ?? { preference: 'refund' };
  if (preference === 'refund') return [];
  const names = format.anyOf(item.namedSubstitutes.map(({ name }) => name));
  const wish = preference === 'specific' ? terms.ifSoldOut({ names }) : terms.ifSoldOutChoose;
  return [textLine('plain', wish, { indent: 2 })];
}

/** Writes allergens in capitals; nothing without known allergens, because their absence is never certain. */
function allergenLine(
  say: (pieces: { list: string }) => string,
  allergens: readonly Allergen[] | null,
  { words, format }: Locale,
): TicketLine[] {
  if (!allergens || allergens.length === 0) return [];
  const names = allergens.map((allergen) => words.store.food.allergen[allergen].toLocaleUpperCase(format.tag));
  return [textLine('alert', say({ list: names.join(', ') }), { indent: 2 })];
}

/** Writes options below their customization; an option's own options are one step further right. */
function kitchenOptionLines(
  customizations: readonly PricedCustomization[],
  indent: number,
  { words }: Locale,
): TicketLine[] {
  return chosenOptions(customizations).map(({ customization, name, quantity, depth }) => {
    const times = quantity === 1 ? '' : `${quantity} x `;
    const line = words.store.terms.option({ customization, choice: `${times}${name}` });
    return textLine('strong', line, { indent: indent + depth, lead: '+ ' });
  });
}

/**
 * Writes the slip that stops the kitchen: the order's number, the reason and the canceled items. A substitute is
 * printed with the item it replaces, which an earlier ticket may show.
 */
export function canceledSlip(order: Order, content: TicketContent): TicketLine[] {
  const locale = kitchenLocale(order, content);
  const { words, format } = locale;
  const { ticket, terms } = words.store;
  const { request, canceledAt, cancelReason } = order;
  const time = format.time(canceledAt ?? content.now, orderZone(order));
  const reasons: Readonly<Record<string, string>> = terms.cancelReason;
  const reason = reasons[cancelReason ?? ''] ?? ((cancelReason ?? '').replaceAll('_', ' ') || terms.noReason);
  return [
    textLine('banner', ticket.canceled),
    ...copyLines(order, content),
    ...headLines(order, locale),
    textLine('item', request.customer.name),
    textLine('alert', ticket.canceledAt({ time })),
    textLine('plain', ticket.reason({ reason })),
    RULE,
    ...fulfilledItems(order)
      .filter(({ quantity }, place) => quantity > 0 && isPrinted(content, place))
      .flatMap((item) => canceledItemLines(item, locale)),
  ];
}

function canceledItemLines(item: FulfilledItem, locale: Locale): TicketLine[] {
  const { name, replaces } = item;
  const line = textLine('strong', name, { lead: `${amountInWords(item, locale, 'x')} ` });
  if (!replaces) return [line];
  return [line, textLine('plain', locale.words.store.ticket.insteadOf({ name: replaces.name }), { indent: 2 })];
}

/**
 * Writes the customer's receipt, with the same items and amounts as the emailed receipt (docs/messages.md). The store
 * prints it, so it has no amounts if the account has marked up prices or added fees.
 */
export function printedReceipt(order: Order, content: TicketContent): TicketLine[] {
  const locale = orderLocale(order, { language: content.customerLanguage });
  const receipt = receiptOfOrder(order, content.refunds ?? [], locale);
  const labels = locale.words.customer.receipt;
  const name = order.request.customer.name.trim().split(/\s/)[0] ?? '';
  return [
    ...copyLines(order, content),
    ...storeLines(order),
    ...(content.taxIds ?? []).map((numbers) => textLine('center', locale.words.store.statements.taxIds({ numbers }))),
    RULE,
    ...orderLines(order, content, locale),
    RULE,
    ...(addsToPrices(order)
      ? [
          ...receipt.items.flatMap((item) => itemLinesWithoutAmounts(item, locale)),
          RULE,
          textLine('center', labels.pricesOnPage),
        ]
      : [...receipt.items.flatMap((item) => itemLines(item, locale)), RULE, ...totalLines(order, receipt, locale)]),
    RULE,
    textLine('strong', name === '' ? labels.thanks : labels.thanksNamed({ name })),
    textLine('center', labels.orderedWith({ brand: content.brandName })),
  ];
}

function addsToPrices({ request, quote }: Order): boolean {
  return request.receipt.pricesMarked || quote.addedFee.totalCents !== 0 || quote.miscFees.length > 0;
}

function storeLines({ quote }: Order): TicketLine[] {
  const { name, address, phoneNumber, phoneExtension } = quote.store;
  return [
    textLine('title', name),
    textLine('center', address),
    ...(phoneNumber === null ? [] : [textLine('center', phoneInWords(phoneNumber, phoneExtension))]),
  ];
}

function orderLines(order: Order, { now }: TicketContent, locale: Locale): TicketLine[] {
  const { quote, request } = order;
  const isDelivery = request.mode === 'delivery';
  const zone = orderZone(order);
  const { words, format } = locale;
  const { receipt, page } = words.customer;
  const due = quote.scheduled
    ? format.datedSlot(quote.scheduled, zone, now)
    : format.moment(arrivalOf(order), zone, now);
  const facts = [
    { label: arrivalLabel(isDelivery, quote.scheduled !== null, locale), lines: [due] },
    ...destinationFacts(order, locale),
  ];
  return [
    textLine('title', page.orderNumber({ number: shownOrderNumber(order) })),
    textLine('plain', receipt.placed({ time: format.date(placedAtOf(order), zone) })),
    ...(isDelivery ? [] : [textLine('plain', request.customer.name)]),
    ...facts.flatMap(({ label, lines }) => [
      textLine('plain', label),
      ...lines.map((line) => textLine('plain', line, { indent: 1 })),
    ]),
  ];
}

function itemLines(item: ReceiptItem, locale: Locale): TicketLine[] {
  return [
    amountLine('strong', `${item.weight ?? `${item.quantity} x`} ${item.name}`, locale.format.money(item.totalCents)),
    ...[unitPriceInWords(item, locale) ?? []].flat().map((price) => textLine('plain', price, { indent: 1 })),
    ...optionLines(item.options, 1, locale),
    ...item.discounts.map((line) => textLine('plain', line, { indent: 1 })),
    ...remarkLines(item, locale),
  ];
}

function itemLinesWithoutAmounts(item: ReceiptItem, locale: Locale): TicketLine[] {
  return [
    textLine('strong', item.name, { lead: `${item.weight ?? `${item.quantity} x`} ` }),
    ...optionLines(item.options, 1, locale, false),
    ...remarkLines(item, locale),
  ];
}

function remarkLines({ change, food, notes }: ReceiptItem, { words }: Locale): TicketLine[] {
  return [
    ...(change === undefined ? [] : [textLine('strong', change, { indent: 1 })]),
    ...food.map((known) => textLine('plain', known, { indent: 1 })),
    ...(notes.trim() === '' ? [] : [textLine('plain', words.customer.receipt.note({ note: notes }), { indent: 1 })]),
  ];
}

function optionLines(
  options: readonly ReceiptOption[],
  indent: number,
  locale: Locale,
  hasAmounts = true,
): TicketLine[] {
  const { words, format } = locale;
  return options.flatMap((option) => {
    const times = option.quantity > 1 ? `${option.quantity} x ` : '';
    const extra = option.extraCents === 0 || !hasAmounts ? '' : ` (${format.extra(option.extraCents)})`;
    const choice = `${times}${option.name}${extra}`;
    const line = words.store.terms.option({ customization: option.customization, choice });
    return [textLine('plain', line, { indent }), ...optionLines(option.options, indent + 1, locale, hasAmounts)];
  });
}

function totalLines(order: Order, receipt: Receipt, locale: Locale): TicketLine[] {
  const { words, format } = locale;
  const { chargedCents, collectedCents } = order;
  const handover = handoverPayment(order, locale);
  const labels = words.customer.receipt;
  const plain = (label: string, cents: number) => amountLine('plain', label, format.money(cents));
  return [
    plain(labels.subtotal, receipt.subtotalCents),
    ...receipt.charges.map(({ label, cents }) => plain(label, cents)),
    amountLine('total', totalLabel(receipt, locale), format.money(receipt.totalCents)),
    ...(chargedCents > 0 && collectedCents === null ? [plain(labels.paidByCard, chargedCents)] : []),
    ...receipt.refunds.map(({ label, cents }) => plain(label, cents)),
    ...(receipt.weightNote === undefined ? [] : [textLine('plain', receipt.weightNote)]),
    ...(handover
      ? [amountLine(collectedCents === null ? 'total' : 'plain', handover.label, format.money(handover.cents))]
      : []),
  ];
}

const VIEWS: Readonly<Record<TicketDocument, (order: Order, content: TicketContent) => TicketLine[]>> = {
  kitchen: kitchenTicket,
  changed: changedTicket,
  receipt: printedReceipt,
  canceled: canceledSlip,
};

/** Writes the lines of a document, used by both the printer and the page. */
export function ticketLines(document: TicketDocument, order: Order, content: TicketContent): TicketLine[] {
  return VIEWS[document](order, content);
}
