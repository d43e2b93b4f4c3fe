import { createHash } from 'node:crypto';
import { type Html, html, toMarkup } from 'doorstep/html';
import type { TicketDocument } from '../../notify/outbox/printer.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import { oneLine } from '../../platform/lib/plain-text.ts';
import {
  kitchenLocale,
  type PrintedLine,
  type TicketContent,
  type TicketLine,
  ticketLines,
} from './ticket-documents.ts';

/**
 * Renders the document as a page for the browser's printer: the same lines as on a ticket printer, as text in any
 * script. It has no JavaScript; the page that frames it calls the frame's `print()`.
 */
export function ticketPage(document: TicketDocument, order: Order, content: TicketContent): string {
  const lines = ticketLines(document, order, content);
  const { ticket, print } = kitchenLocale(order, content).words.store;
  const { kitchenTitle: kitchen, canceledTitle: canceled } = ticket;
  const title = { kitchen, changed: kitchen, receipt: print.receipt, canceled }[document];
  const customer = order.request.customer.language ?? content.customerLanguage;
  const heading = lines.find((line) => isOf(line, 'number')) ?? lines.find((line) => isOf(line, 'title'));
  return toMarkup(html`<!doctype html>
<html lang="${document === 'receipt' ? customer : content.language}">
<head>
<meta charset="utf-8">
<title>${title} ${shownOrderNumber(order)}</title>
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

const isOf = (line: TicketLine, style: PrintedLine['style']): boolean => line.kind === 'text' && line.style === style;

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

/**
 * Style of a ticket's page: 80 mm paper with 4 mm margins, black on white in any theme. Drivers of roll printers offer
 * 80 x 297 mm.
 */
const TICKET_STYLE = `
@page { size: 80mm 297mm; margin: 0; }
* { box-sizing: border-box; }
html { background: #fff; color: #000; color-scheme: only light; }
body { margin: 0 auto; width: 80mm; padding: 4mm; font: 3.6mm/1.3 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, p { margin: 0; break-inside: avoid; font-size: inherit; font-weight: inherit; }
.number { font-size: 17mm; font-weight: 800; line-height: 1.05; text-align: center; }
.banner { margin: .6mm 0; padding: .6mm; background: #000; color: #fff; font-size: 5.2mm; font-weight: 800; text-align: center; }
.title { font-size: 5.2mm; font-weight: 700; line-height: 1.2; text-align: center; }
.item { margin-top: 1.6mm; font-size: 4.8mm; font-weight: 700; line-height: 1.2; }
.alert { margin: .6mm 0; padding: .4mm 1.2mm; background: #000; color: #fff; font-size: 4.4mm; font-weight: 700; line-height: 1.25; }
.total { margin-top: 1mm; font-size: 4.8mm; font-weight: 800; }
.strong { font-weight: 700; }
.center { text-align: center; }
.led, .amount { display: flex; gap: 1mm; }
.led span:first-child { flex: none; }
.amount { justify-content: space-between; gap: 4mm; }
.amount span:last-child { flex: none; font-variant-numeric: tabular-nums; }
.in-1 { margin-left: 4mm; }
.in-2 { margin-left: 8mm; }
.in-3 { margin-left: 12mm; }
.in-4 { margin-left: 16mm; }
.in-5 { margin-left: 20mm; }
.in-6 { margin-left: 24mm; }
hr { margin: 1.6mm 0; border: 0; border-top: .4mm solid #000; }
@media print { * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
@media screen { body { margin: 4mm auto; outline: .3mm solid #999; } }
`;

/** Maximum indentation steps in the style; deeper lines stay at this step. */
const MAX_STYLED_INDENT = 6;

const STYLE_HASH = createHash('sha256').update(TICKET_STYLE).digest('base64');

/**
 * The page's Content-Security-Policy allows only its own style, and framing by pages of the same site, which print it.
 */
export const TICKET_POLICY = {
  'default-src': ["'none'"],
  'style-src': [`'sha256-${STYLE_HASH}'`],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'self'"],
};
