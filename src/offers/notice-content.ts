import { instantOfEpochSeconds } from '../lib/time.ts';
import { gsmText } from '../messages/gsm-text.ts';
import type { MailContent, MailFact } from '../messages/mail-content.ts';
import { oneLine, shorten } from '../messages/plain-text.ts';
import { momentInWords, windowInWords } from '../messages/when.ts';
import { type FulfilledItem, fulfilledItems } from '../orders/adjustments/item-adjustment.ts';
import { allergensOf } from '../orders/item-food.ts';
import type { Order } from '../orders/order.ts';
import type { PricedCustomization } from '../quotes/price-order.ts';
import type { NoticeKind } from './store-notice.ts';

const MAX_SMS_NAME = 24;

/** What a store is told of an order by e-mail or SMS: its number, its way, its time, and the link that opens it. */
export type NoticeText = { order: Order; orderNumber: string; kind: NoticeKind; link: string };

/** The text of an SMS to a store; it names no customer. */
export function noticeSms({ order, orderNumber, kind, link }: NoticeText): string {
  const store = shorten(oneLine(order.quote.store.name), MAX_SMS_NAME);
  if (kind === 'canceled') return gsmText(`${store}: order ${orderNumber} is CANCELED. Do not make it.`);
  return gsmText(
    `${store}: new ${order.request.mode} order ${orderNumber}, ${itemCount(order)}, ${dueWords(order)}. Open: ${link}`,
  );
}

/** The e-mail to a store. Items are listed with their options and notes, without prices. */
export function noticeMail({ order, orderNumber, kind, link }: NoticeText): MailContent {
  const { name } = order.quote.store;
  const isCanceled = kind === 'canceled';
  const headline = isCanceled ? `Order ${orderNumber} is canceled` : `New order ${orderNumber}`;
  const lead = isCanceled
    ? ['Do not make it. If it is made already, it is not picked up.']
    : [
        `${order.request.mode === 'pickup' ? 'Pickup' : 'Delivery'}, ${dueWords(order)}. It waits for your confirmation.`,
      ];
  return {
    brand: { name, logoUrl: undefined },
    subject: `${headline} · ${order.request.mode} · ${name}`,
    headline,
    lead,
    link: { label: isCanceled ? 'See the order' : 'Open and confirm', url: link },
    facts: [...handedOver(order).map(factOf), ...notesOf(order)],
    receipt: undefined,
    foot: ['This link opens this one order, until the order ends. Do not forward it.'],
  };
}

/** Without the items that the store lacks. */
function handedOver(order: Order): FulfilledItem[] {
  return fulfilledItems(order).filter(({ quantity }) => quantity > 0);
}

function factOf(item: FulfilledItem): MailFact {
  const note = oneLine(item.notes);
  const lines = [item.name, ...item.customizations.flatMap((choice) => optionLines(choice, 1)), ...allergenLines(item)];
  return { label: `${item.quantity} ×`, lines: note === '' ? lines : [...lines, `Note: ${note}`] };
}

function allergenLines(item: FulfilledItem): string[] {
  const { contains, mayContain } = allergensOf(item);
  const line = (label: string, words: readonly string[] | null) =>
    words && words.length > 0 ? [`${label}: ${words.join(', ').replaceAll('_', ' ')}`] : [];
  return [...line('Allergens', contains), ...line('May contain', mayContain)];
}

function optionLines({ options }: PricedCustomization, depth: number): string[] {
  return options.flatMap(({ name, quantity, customizations }) => [
    `${'– '.repeat(depth)}${quantity > 1 ? `${quantity} × ` : ''}${name}`,
    ...customizations.flatMap((nested) => optionLines(nested, depth + 1)),
  ]);
}

function notesOf({ request }: Order): MailFact[] {
  const { pickupNotes, dropoffNotes } = request.customer;
  const note = oneLine(request.mode === 'pickup' ? pickupNotes : dropoffNotes);
  return note === '' ? [] : [{ label: 'Note', lines: [note] }];
}

function itemCount(order: Order): string {
  const count = handedOver(order).reduce((sum, { quantity }) => sum + quantity, 0);
  return count === 1 ? '1 item' : `${count} items`;
}

/** `due by 6:45 PM`, or the window of a scheduled order, on the store's clock. */
function dueWords({ quote, placedAt, createdAt }: Order): string {
  const { timeZone } = quote.store;
  if (quote.scheduled) return `for ${windowInWords(quote.scheduled, timeZone)}`;
  return `due by ${momentInWords(instantOfEpochSeconds(quote.etaEpochS), timeZone, placedAt ?? createdAt)}`;
}
