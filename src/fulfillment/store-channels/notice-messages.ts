import { gsmText } from '../../notify/messages/gsm-text.ts';
import type { MailContent, MailFact } from '../../notify/messages/mail-content.ts';
import { handoverLines, handoverOf } from '../../ordering/order/drop-off.ts';
import { type FulfilledItem, fulfilledItems } from '../../ordering/order/fulfilled-items.ts';
import type { Order } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { arrivalOf, chosenOptions, placedAtOf, unitCountOf } from '../../ordering/order/order-view.ts';
import { allergenSentences } from '../../ordering/order/quoted-food.ts';
import { amountInWords } from '../../ordering/order/wording.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import { isoMillis } from '../../platform/lib/time.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { StoreOrder } from './present-store-order.ts';
import type { NoticeKind, StoreNotice } from './store-notice.ts';

/* A notice to a store as an SMS, an email or a call to its POS. */

const MAX_SMS_NAME = 24;

/** Inputs of an email or SMS to a store. */
export type NoticeText = { order: Order; number: string; kind: NoticeKind; link: string; locale: Locale };

/** Writes an SMS to a store, without the customer's name. */
export function noticeSms({ order, number, kind, link, locale }: NoticeText): string {
  const { notice, terms } = locale.words.store;
  const store = shorten(oneLine(order.quote.store.name), MAX_SMS_NAME);
  if (kind === 'canceled') return gsmText(notice.smsCanceled({ store, number }));
  if (kind === 'updated') return gsmText(notice.smsUpdated({ store, number, link }));
  const items = terms.items({ count: unitCountOf(order) });
  const offer = order.request.mode === 'pickup' ? notice.smsPickup : notice.smsDelivery;
  return gsmText(`${offer({ store, number, items })} ${dueInWords(order, locale)} ${notice.smsOpen({ link })}`);
}

/** Writes an email to a store. Items are listed with options and notes, without prices. */
export function noticeMail({ order, number, kind, link, locale }: NoticeText): MailContent {
  const { notice, terms } = locale.words.store;
  const { name } = order.quote.store;
  const isPickup = order.request.mode === 'pickup';
  const offer = `${isPickup ? notice.isPickup : notice.isDelivery} ${dueInWords(order, locale)} ${notice.confirmIt}`;
  const texts = {
    offered: [notice.newOrder({ number }), offer, notice.open],
    updated: [notice.updated({ number }), notice.seeChange, notice.seeOrder],
    canceled: [notice.canceled({ number }), notice.doNotMake, notice.seeOrder],
  } as const;
  const [headline, lead, label] = texts[kind === 'updated' || kind === 'canceled' ? kind : 'offered'];
  return {
    locale,
    brand: { name, logoUrl: undefined },
    subject: notice.subject({ headline, mode: isPickup ? terms.pickup : terms.delivery, store: name }),
    headline,
    lead: [lead],
    link: { label, url: link },
    facts: [...handedOver(order).map((item) => factOf(item, locale)), ...notesOf(order, locale)],
    receipt: undefined,
    foot: [notice.foot],
  };
}

/** Returns the items of an order, without missing items. */
const handedOver = (order: Order): FulfilledItem[] => fulfilledItems(order).filter(({ quantity }) => quantity > 0);

function factOf(item: FulfilledItem, locale: Locale): MailFact {
  const { terms } = locale.words.store;
  const note = oneLine(item.notes);
  const options = chosenOptions(item.customizations).map(
    ({ name, quantity, depth }) => `${'– '.repeat(depth + 1)}${quantity > 1 ? `${quantity} × ` : ''}${name}`,
  );
  const lines = [item.name, ...options, ...allergenSentences(item, locale)];
  return { label: amountInWords(item, locale), lines: note === '' ? lines : [...lines, terms.note({ note })] };
}

function notesOf(order: Order, { words }: Locale): MailFact[] {
  const lines = handoverLines(handoverOf(order), words.customer.dropOff).map(oneLine);
  return lines.length === 0 ? [] : [{ label: words.store.notice.note, lines }];
}

/** Writes `Due by 6:45 PM.`, or the slot of a scheduled order. */
function dueInWords(order: Order, { words, format }: Locale): string {
  const { notice } = words.store;
  const { quote } = order;
  const zone = orderZone(order);
  if (quote.scheduled) return notice.scheduledFor({ slot: format.datedSlot(quote.scheduled, zone, placedAtOf(order)) });
  return notice.dueBy({ time: format.moment(arrivalOf(order), zone, placedAtOf(order)) });
}

/** Writes the body of a call to a store's POS, in the format of calls to accounts (docs/store-api.md#pos-webhook). */
export function noticeCallBody({ kind, createdAt }: StoreNotice, order: StoreOrder): string {
  return JSON.stringify({ type: `order.${kind}`, timestamp: isoMillis(createdAt), data: { order } });
}
