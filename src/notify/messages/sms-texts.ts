import { displayNameOf } from '../../access/accounts/branding.ts';
import { expectedSlot } from '../../ordering/order/kitchen-times.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { gsmText, smsParts } from './gsm-text.ts';
import type { MessageKind } from './message.ts';
import { arrivalInWords, type MessageContext, messageLocale } from './message-context.ts';

/*
 * Writes the SMS of each kind. The first to a number says how to opt out; the others fit one segment where the
 * account's name and the link leave room.
 */

export type SmsKind = Extract<
  MessageKind,
  | 'order_placed'
  | 'store_confirmed'
  | 'order_delayed'
  | 'ready_for_pickup'
  | 'on_its_way'
  | 'driver_nearby'
  | 'delivered'
>;

/** SMS with a link to the tracking page. */
export const LINKED_SMS: ReadonlySet<MessageKind> = new Set(['order_placed', 'on_its_way']);

const MIN_STORE_NAME = 12;
const MAX_DRIVER_NAME = 30;
const MAX_STORE_NAME = 24;

/** Writes an SMS with an order's link. `optOut` explains how to opt out, in the first SMS to a number. */
export function linkSms({ quote }: Order, optOut: string | undefined, write: (store: string) => string): string {
  const text = write(shorten(oneLine(quote.store.name), MAX_STORE_NAME));
  return gsmText(optOut === undefined ? text : `${text} ${optOut}`);
}

/** Writes the SMS with the checkout link for an order that the store took, in the customer's language. */
export function checkoutSms(order: Order, link: string, saysOptOut: boolean): string {
  const { sms } = localeOf(order.request.customer.language ?? 'en', order.quote.store.country).words.customer;
  return linkSms(order, saysOptOut ? sms.optOut : undefined, (store) => sms.payHere({ store, link }));
}

/**
 * Writes an SMS text that begins with the account's name, in the GSM alphabet where possible. To fit one part, it uses
 * a briefer text and shortens the store's name, never the account's name or the link. The first SMS to a number
 * explains how to opt out, and may have two parts.
 */
export function smsText(kind: SmsKind, context: MessageContext): string {
  const sender = oneLine(displayNameOf(context.branding));
  const store = oneLine(context.order.quote.store.name);
  const { optOut } = messageLocale(context).words.customer.sms;
  const end = context.saysOptOut ? ` ${optOut}` : '';
  const write = (storeName: string, brevity: Brevity) =>
    gsmText(`${sender}: ${TEXTS[kind](storeName, context, brevity)}${end}`);
  const shortest = Math.min(MIN_STORE_NAME, store.length);
  for (let parts = 1; parts <= (context.saysOptOut ? 2 : 1); parts += 1) {
    for (const brevity of BREVITY_LEVELS) {
      for (let length = store.length; length >= shortest; length -= 4) {
        const text = write(shorten(store, length), brevity);
        if (smsParts(text) === parts) return text;
      }
    }
  }
  return write(shorten(store, shortest), 'shortest');
}

/**
 * `whole`: all words. `brief`: of the optional words, only the time of a scheduled order. `shortest`: no optional
 * words.
 */
const BREVITY_LEVELS = ['whole', 'brief', 'shortest'] as const;
type Brevity = (typeof BREVITY_LEVELS)[number];

const TEXTS: Readonly<Record<SmsKind, (store: string, context: MessageContext, brevity: Brevity) => string>> = {
  order_placed: (store, context, brevity) => {
    const { sms, number } = smsWords(context);
    const link = context.trackingLink;
    const isScheduled = expectedSlot(context.order, context.at) !== undefined;
    if (brevity === 'whole' && isScheduled) {
      return sms.receivedScheduled({ number, store, time: arrivalInWords(context), link });
    }
    if (brevity === 'whole') return sms.received({ number, store, link });
    return isScheduled && brevity === 'brief'
      ? sms.scheduledBrief({ number, time: arrivalInWords(context), link })
      : sms.receivedBrief({ number, link });
  },
  store_confirmed: (store, context, brevity) => {
    const { sms, number } = smsWords(context);
    if (brevity !== 'whole') return sms.confirmed({ number, store });
    const { order, at } = context;
    const promise = { number, store, time: arrivalInWords(context) };
    if (expectedSlot(order, at)) return sms.confirmedScheduled(promise);
    return order.request.mode === 'delivery' ? sms.confirmedArrives(promise) : sms.confirmedReady(promise);
  },
  order_delayed: (store, context, brevity) => {
    const { sms, number } = smsWords(context);
    const delay = { number, store, time: arrivalInWords(context) };
    if (brevity !== 'whole') return sms.delayedBrief(delay);
    return context.order.request.mode === 'delivery' ? sms.delayedArrives(delay) : sms.delayedReady(delay);
  },
  ready_for_pickup: (store, context, brevity) => {
    const { sms, number } = smsWords(context);
    const address = oneLine(context.order.quote.store.address);
    return brevity === 'whole' ? sms.readyAt({ number, store, address }) : sms.ready({ number, store });
  },
  on_its_way: (store, context, brevity) => {
    const { sms, number } = smsWords(context);
    const link = context.trackingLink;
    return brevity === 'whole' ? sms.onItsWay({ number, store, link }) : sms.onItsWayBrief({ number, link });
  },
  delivered: (store, context, brevity) => {
    const { sms, number } = smsWords(context);
    return brevity === 'whole' ? sms.delivered({ number, store }) : sms.deliveredBrief({ number, store });
  },
  driver_nearby: (store, context, brevity) => {
    const { sms, number } = smsWords(context);
    const driver = shorten(oneLine(context.order.driver.name ?? ''), MAX_DRIVER_NAME);
    return driver === '' || brevity !== 'whole'
      ? sms.nearby({ number, store })
      : sms.nearbyNamed({ driver, number, store });
  },
};

function smsWords(context: MessageContext) {
  return { sms: messageLocale(context).words.customer.sms, number: shownOrderNumber(context.order) };
}
