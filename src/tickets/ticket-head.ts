import { instantOfEpochSeconds } from '../lib/time.ts';
import { momentInWords, windowInWords } from '../messages/when.ts';
import type { Order } from '../orders/order.ts';
import { numberOf } from '../orders/order.ts';
import type { TicketContent } from './ticket.ts';
import { type TicketLine, textLine } from './ticket-line.ts';

/** Lines that say what kind of print this is: nothing for the first print of a live order. */
export function copyLines({ mode }: Pick<Order, 'mode'>, { copy, mayBeRepeated }: TicketContent): TicketLine[] {
  return [
    ...(mode === 'sandbox' ? [textLine('banner', 'TEST - DO NOT MAKE')] : []),
    ...(copy > 0 ? [textLine('banner', `REPRINT ${copy}`)] : []),
    ...(mayBeRepeated ? [textLine('banner', 'MAY BE PRINTED ALREADY')] : []),
  ];
}

/** The large number, and whether the order is brought or fetched. */
export function headLines(order: Order): TicketLine[] {
  const isDelivery = order.request.mode === 'delivery';
  return [textLine('number', numberOf(order)), textLine('title', isDelivery ? 'DELIVERY' : 'PICKUP')];
}

/** The window of a scheduled order, else the promised time, for the kitchen; on the store's clock. */
export function dueLines(order: Order, content: Pick<TicketContent, 'now'>): TicketLine[] {
  const { request, quote } = order;
  const due = dueInWords(order, content);
  if (quote.scheduled) return [textLine('banner', 'SCHEDULED'), textLine('title', due)];
  return [textLine('title', `ASAP - ${request.mode === 'delivery' ? 'there' : 'ready'} by ${due}`)];
}

/** The window of a scheduled order, else the promised time; on the store's clock. */
export function dueInWords({ quote, eta }: Order, { now }: Pick<TicketContent, 'now'>): string {
  const { timeZone } = quote.store;
  if (quote.scheduled) return windowInWords(quote.scheduled, timeZone);
  return momentInWords(eta ?? instantOfEpochSeconds(quote.etaEpochS), timeZone, now);
}
