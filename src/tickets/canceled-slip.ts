import { timeInWords } from '../messages/when.ts';
import { type FulfilledItem, fulfilledItems } from '../orders/adjustments/item-adjustment.ts';
import type { Order } from '../orders/order.ts';
import type { TicketContent } from './ticket.ts';
import { copyLines, headLines } from './ticket-head.ts';
import { RULE, type TicketLine, textLine } from './ticket-line.ts';

/**
 * Tells the kitchen to stop: the number of the order, the reason, and the items that are not needed. A substitute is named
 * with the item that it replaces, because the paper in the kitchen may still have the ordered item.
 */
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
    ...fulfilledItems(order)
      .filter(({ quantity }) => quantity > 0)
      .flatMap(itemLines),
  ];
}

function itemLines({ name, quantity, replaces }: FulfilledItem): TicketLine[] {
  const line = textLine('strong', name, { lead: `${quantity} x ` });
  return replaces ? [line, textLine('plain', `INSTEAD OF: ${replaces.name}`, { indent: 2 })] : [line];
}
