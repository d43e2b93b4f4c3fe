import { displayNameOf } from '../accounts/branding.ts';
import { gsmText, smsParts } from './gsm-text.ts';
import type { MessageKind } from './message.ts';
import type { Occasion } from './occasion.ts';
import { arrivalInWords } from './order-facts.ts';
import { oneLine, shorten } from './plain-text.ts';

export type SmsKind = Extract<
  MessageKind,
  'order_placed' | 'store_confirmed' | 'ready_for_pickup' | 'on_its_way' | 'driver_nearby' | 'delivered'
>;

const SHORTEST_STORE_NAME = 12;

/**
 * The text of an SMS: the account's name first, in the GSM alphabet as far as possible. A text that would need a second
 * part loses its optional words and a part of the store's name; never the account's name, never the link.
 */
export function smsText(kind: SmsKind, occasion: Occasion): string {
  const sender = oneLine(displayNameOf(occasion.branding));
  const store = oneLine(occasion.order.quote.store.name);
  const write = (storeName: string, isBrief: boolean) =>
    gsmText(`${sender}: ${TEXTS[kind](storeName, occasion, isBrief)}`);
  const shortest = Math.min(SHORTEST_STORE_NAME, store.length);
  for (const isBrief of [false, true]) {
    for (let length = store.length; length >= shortest; length -= 4) {
      const text = write(shorten(store, length), isBrief);
      if (smsParts(text) === 1) return text;
    }
  }
  return write(shorten(store, shortest), true);
}

const TEXTS: Readonly<Record<SmsKind, (store: string, occasion: Occasion, isBrief: boolean) => string>> = {
  order_placed: (store, { order, trackingLink }, isBrief) =>
    isBrief
      ? `order${numberOf(order)} received. Track it: ${trackingLink}`
      : `we have your order${numberOf(order)} from ${store}. Track it: ${trackingLink}`,
  store_confirmed: (store, occasion, isBrief) => {
    const isDelivery = occasion.order.request.mode === 'delivery';
    const when = occasion.order.quote.scheduled ? arrivalInWords(occasion) : `by ${arrivalInWords(occasion)}`;
    return `${store} confirmed your order${numberOf(occasion.order)}.${isBrief ? '' : ` ${isDelivery ? 'Delivery' : 'Ready'} ${when}.`}`;
  },
  ready_for_pickup: (store, { order }, isBrief) =>
    `your order${numberOf(order)} is ready for pickup at ${store}${isBrief ? '' : `, ${oneLine(order.quote.store.address)}`}.`,
  on_its_way: (store, { order, trackingLink }, isBrief) =>
    `your order${numberOf(order)}${isBrief ? '' : ` from ${store}`} is on its way. Follow it: ${trackingLink}`,
  delivered: (store, { order }, isBrief) =>
    `your order${numberOf(order)} from ${store} was delivered.${isBrief ? '' : ' Enjoy!'}`,
  driver_nearby: (store, { order }, isBrief) => {
    const name = isBrief ? '' : oneLine(order.driver.name ?? '');
    return `your driver${name === '' ? '' : ` ${shorten(name, 30)}`} is almost there with your order${numberOf(order)} from ${store}.`;
  },
};

/** The short number, which the customer names at the counter; orders from before numbers existed have none. */
function numberOf({ orderNumber }: Occasion['order']): string {
  return orderNumber === null ? '' : ` ${orderNumber}`;
}
