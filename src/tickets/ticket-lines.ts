import type { Order } from '../orders/order.ts';
import { canceledSlip } from './canceled-slip.ts';
import { kitchenTicket } from './kitchen-ticket.ts';
import { printedReceipt } from './printed-receipt.ts';
import type { TicketContent, TicketDocument } from './ticket.ts';
import type { TicketLine } from './ticket-line.ts';

const VIEWS: Readonly<Record<TicketDocument, (order: Order, content: TicketContent) => TicketLine[]>> = {
  kitchen: kitchenTicket,
  receipt: printedReceipt,
  canceled: canceledSlip,
};

/** The lines of a document: the one description of it, for the printer and for the page. */
export function ticketLines(document: TicketDocument, order: Order, content: TicketContent): TicketLine[] {
  return VIEWS[document](order, content);
}
