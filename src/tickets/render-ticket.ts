import { transform } from 'receiptline';
import type { Order } from '../orders/order.ts';
import { PAPER_COLUMNS } from './paper-look.ts';
import { canPrint, MISSING, paperText } from './printable-text.ts';
import type { PrintOptions, TicketDocument } from './ticket.ts';
import { foreignText, type TicketLine, textLine } from './ticket-line.ts';
import { ticketLines } from './ticket-lines.ts';
import { markupOf } from './ticket-markup.ts';

/**
 * The document as ESC/POS for 80 mm paper: 48 columns, 576 dots, one cut at the end, and a request for the paper's
 * status, whose answer says that the printer has read all before it.
 */
export function renderTicket(document: TicketDocument, order: Order, options: PrintOptions): Buffer {
  const { encoding } = options;
  const lines = ticketLines(document, order, options);
  const markup = [...lines, ...missingLines(lines, options)].flatMap((line) => markupOf(line, options));
  const bytes = transform(markup.join('\n'), {
    ...{ cpl: PAPER_COLUMNS, encoding, command: 'escpos' },
    // Drawn letters are black or white: shades would blur them.
    ...{ spacing: true, gradient: false },
  });
  return Buffer.from(bytes, 'latin1');
}

/** Tells the reader of a ticket that it lacks letters. */
function missingLines(lines: readonly TicketLine[], { encoding, glyphs }: PrintOptions): TicketLine[] {
  if (glyphs || lines.every((line) => line.kind === 'rule' || canPrint(paperText(foreignText(line)), encoding)))
    return [];
  return [textLine('alert', `"${MISSING}" is a letter that this printer lacks. The order has it on screen.`)];
}
