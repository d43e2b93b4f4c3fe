import { timeInWords } from '../messages/when.ts';
import type { Order } from '../orders/order.ts';
import type { TicketContent } from './ticket.ts';
import { copyLines, headLines } from './ticket-head.ts';
import { RULE, type TicketLine, textLine } from './ticket-line.ts';

/** Tells the kitchen to stop: the number of the order, the reason, and the items that are not needed. */
export function canceledSlip(order: Order, content: TicketContent): TicketLine[] {
  const { quote, request, canceledAt, cancelReason } = order;
  const at = canceledAt === null ? '' : ` at ${timeInWords(canceledAt, quote.store.timeZone)}`;
  return [
    textLine('banner', 'CANCELED'),
    ...copyLines(order, content),
    ...headLines(order),
    textLine('item', request.customer.name),
    textLine('alert', `DO NOT MAKE. Canceled${at}.`),
    textLine('plain', `Reason: ${(cancelReason ?? 'not given').replaceAll('_', ' ')}`),
    RULE,
    ...quote.items.map(({ name, quantity }) => textLine('strong', name, { lead: `${quantity} x ` })),
  ];
}
