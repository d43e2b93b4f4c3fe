import { type Html, html, markupOf } from '../lib/html.ts';
import { oneLine } from '../messages/plain-text.ts';
import type { Order } from '../orders/order.ts';
import { numberOf } from '../orders/order.ts';
import type { TicketContent, TicketDocument } from './ticket.ts';
import type { PrintedLine, TicketLine } from './ticket-line.ts';
import { ticketLines } from './ticket-lines.ts';
import { MAX_STYLED_INDENT, TICKET_STYLE } from './ticket-style.ts';

const TITLES: Readonly<Record<TicketDocument, string>> = {
  kitchen: 'Kitchen ticket',
  receipt: 'Receipt',
  canceled: 'Canceled',
};

/**
 * The document as a page for the browser's printer: the same lines as on a ticket printer, as text in any script. It
 * has no JavaScript; the page that shows it in a frame calls the frame's `print()`.
 */
export function ticketPage(document: TicketDocument, order: Order, content: TicketContent): string {
  const lines = ticketLines(document, order, content);
  const heading = lines.find((line) => isOf(line, 'number')) ?? lines.find((line) => isOf(line, 'title'));
  return markupOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${TITLES[document]} ${numberOf(order)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<style>${TICKET_STYLE}</style>
</head>
<body>
<main>
${lines.map((line) => elementOf(line, line === heading))}</main>
</body>
</html>
`);
}

function isOf(line: TicketLine, style: PrintedLine['style']): boolean {
  return line.kind === 'text' && line.style === style;
}

function elementOf(line: TicketLine, isHeading: boolean): Html | null {
  if (line.kind === 'rule') return html`<hr>\n`;
  const indent = Math.min(line.indent, MAX_STYLED_INDENT);
  const place = `${line.style}${indent > 0 ? ` in-${indent}` : ''}`;
  if (line.kind === 'amount') {
    return html`<p class="amount ${place}"><span>${oneLine(line.label)}</span> <span>${line.amount}</span></p>\n`;
  }
  const text = oneLine(line.text);
  if (line.lead !== '') {
    return html`<p class="led ${place}"><span>${line.lead.trim()}</span> <span>${text}</span></p>\n`;
  }
  if (text === '') return null;
  return isHeading ? html`<h1 class="${place}">${text}</h1>\n` : html`<p class="${place}">${text}</p>\n`;
}
