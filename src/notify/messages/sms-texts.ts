import { displayNameOf } from '../../access/accounts/branding.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import { gsmText, smsParts } from './gsm-text.ts';
import type { MessageKind } from './message.ts';
import { arrivalInWords, type MessageContext } from './message-context.ts';

export type SmsKind = Extract<
  MessageKind,
  'order_placed' | 'store_confirmed' | 'ready_for_pickup' | 'on_its_way' | 'driver_nearby' | 'delivered'
>;

const SHORTEST_STORE_NAME = 12;

/**
 * An SMS text, the account's name first, in the GSM alphabet where possible. To stay within one part it drops optional
 * words and shortens the store's name, never the account's name or the link.
 */
export function smsText(kind: SmsKind, context: MessageContext): string {
  const sender = oneLine(displayNameOf(context.branding));
  const store = oneLine(context.order.quote.store.name);
  const write = (storeName: string, brevity: Brevity) =>
    gsmText(`${sender}: ${TEXTS[kind](storeName, context, brevity)}`);
  const shortest = Math.min(SHORTEST_STORE_NAME, store.length);
  for (const brevity of BREVITIES) {
    for (let length = store.length; length >= shortest; length -= 4) {
      const text = write(shorten(store, length), brevity);
      if (smsParts(text) === 1) return text;
    }
  }
  return write(shorten(store, shortest), 'shortest');
}

/** `whole`: all words; `brief`: of the optional words only the time of a scheduled order; `shortest`: none. */
const BREVITIES = ['whole', 'brief', 'shortest'] as const;
type Brevity = (typeof BREVITIES)[number];

const TEXTS: Readonly<Record<SmsKind, (store: string, context: MessageContext, brevity: Brevity) => string>> = {
  order_placed: (store, context, brevity) => {
    const { order, trackingLink } = context;
    const number = numberOf(order);
    const { scheduled } = order.quote;
    if (brevity === 'whole') {
      return `we have your order${number} from ${store}.${scheduled ? ` ${timeSentence(context)}` : ''} Track it: ${trackingLink}`;
    }
    const time = scheduled && brevity === 'brief' ? `, ${arrivalInWords(context)}` : ' received';
    return `order${number}${time}: ${trackingLink}`;
  },
  store_confirmed: (store, context, brevity) =>
    `${store} confirmed your order${numberOf(context.order)}.${brevity === 'whole' ? ` ${timeSentence(context)}` : ''}`,
  ready_for_pickup: (store, { order }, brevity) =>
    `your order${numberOf(order)} is ready for pickup at ${store}${brevity === 'whole' ? `, ${oneLine(order.quote.store.address)}` : ''}.`,
  on_its_way: (store, { order, trackingLink }, brevity) =>
    brevity === 'whole'
      ? `your order${numberOf(order)} from ${store} is on its way. Follow it: ${trackingLink}`
      : `order${numberOf(order)} is on its way: ${trackingLink}`,
  delivered: (store, { order }, brevity) =>
    `your order${numberOf(order)} from ${store} was delivered.${brevity === 'whole' ? ' Enjoy!' : ''}`,
  driver_nearby: (store, { order }, brevity) => {
    const name = brevity === 'whole' ? oneLine(order.driver.name ?? '') : '';
    return `your driver${name === '' ? '' : ` ${shorten(name, 30)}`} is almost there with your order${numberOf(order)} from ${store}.`;
  },
};

/** `Scheduled for 5:00-5:30 PM.`, or by when the order is delivered or ready. */
function timeSentence(context: MessageContext): string {
  const { request, quote } = context.order;
  const time = arrivalInWords(context);
  if (quote.scheduled) return `Scheduled for ${time}.`;
  return `${request.mode === 'delivery' ? 'Delivery' : 'Ready'} by ${time}.`;
}

/** The short number, which the customer names at the counter; an unplaced order has none. */
function numberOf({ orderNumber }: MessageContext['order']): string {
  return orderNumber === null ? '' : ` ${orderNumber}`;
}
