import { transform } from 'receiptline';
import type { Printers, TicketDocument } from '../../notify/outbox/printer.ts';
import type { Order } from '../../ordering/order/order.ts';
import { shorten } from '../../platform/lib/plain-text.ts';
import { drawnColumns, drawRow, monochromePng, type Row } from './draw-row.ts';
import { GLYPH_COLUMN_DOTS, type Glyphs } from './hex-glyphs.ts';
import {
  canPrint,
  canSpell,
  columnsOf,
  lettersOf,
  PAPER_COLUMNS,
  PAPER_DOTS,
  PAPER_LOOKS,
  type PaperLook,
  type PrinterEncoding,
  paperText,
  printableText,
  withoutEmoji,
} from './paper.ts';
import {
  foreignText,
  kitchenLocale,
  type PrintedLine,
  type PrintOptions,
  type TicketLine,
  textLine,
  ticketLines,
} from './ticket-documents.ts';

/**
 * Renders tickets for paper: lines are wrapped to the columns of their style, written as ReceiptLine markup, and
 * converted to ESC/POS. Text that the printer's code page lacks is drawn, if the service has a font.
 */

/** The printers of stores, and the glyphs for printers that lack letters. */
export type TicketPrinting = { printers: Printers; glyphs: Glyphs | undefined };

/** ReceiptLine's names for commands of Star printers, by how many bytes a letter of the encoding may have. */
const STAR_COMMANDS = {
  starprnt: { multilingual: 'starsbcs', tis620: 'starsbcs', shiftjis: 'starmbcs', others: 'starmbcs2' },
  starline: { multilingual: 'starlinesbcs', tis620: 'starlinesbcs', shiftjis: 'starlinembcs', others: 'starlinembcs2' },
} as const;

function commandsOf({ commands = 'escpos', encoding }: PrintOptions) {
  if (commands === 'escpos') return commands;
  const byEncoding: Readonly<Record<string, string>> = STAR_COMMANDS[commands];
  return (byEncoding[encoding] ?? STAR_COMMANDS[commands].others) as 'starsbcs';
}

/**
 * Returns the document for 80 mm paper: 48 columns, 576 dots, one cut at the end, and in ESC/POS a request for the
 * paper's status; its response shows that the printer has read all before it.
 */
export function renderTicket(document: TicketDocument, order: Order, options: PrintOptions): Buffer {
  const { encoding } = options;
  const lines = ticketLines(document, order, options);
  const markup = [...lines, ...missingLines(lines, order, options)].flatMap((line) => markupOf(line, options));
  const bytes = transform(markup.join('\n'), {
    cpl: PAPER_COLUMNS,
    encoding,
    command: commandsOf(options),
    // Prints drawn letters without gradients, because shades would blur them.
    spacing: true,
    gradient: false,
  });
  return Buffer.from(bytes, 'latin1');
}

/** Lines that a warning names, and the length of each. */
const MAX_NAMED = 5;
const MAX_NAMED_LENGTH = 40;

/** Warns the reader of a ticket that letters are missing, and names their lines. */
function missingLines(lines: readonly TicketLine[], order: Order, options: PrintOptions): TicketLine[] {
  const { encoding, glyphs } = options;
  const texts = glyphs
    ? []
    : lines.flatMap((line) => (line.kind === 'rule' ? [] : [foreignText(cleanLine(line, options))]));
  const faulty = [...new Set(texts.filter((text) => !canSpell(text, encoding)))].slice(0, MAX_NAMED);
  if (faulty.length === 0) return [];
  const { format, words } = kitchenLocale(order, options);
  const named = faulty.map((text) => `"${shorten(printableText(text, encoding), MAX_NAMED_LENGTH)}"`);
  return [textLine('alert', words.store.ticket.lettersMissing({ lines: format.list(named) }))];
}

type Paper = { encoding: PrinterEncoding; glyphs?: Glyphs | undefined };

/** Characters with a meaning in ReceiptLine, and spaces, which it would collapse. */
const MARKUP = /[\\|{}~_"`^=-]/g;

/** Escapes text for ReceiptLine, so that no character is read as markup. */
function escapeMarkup(text: string): string {
  return text.replace(MARKUP, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`).replaceAll(' ', '~');
}

/** Returns the ReceiptLine markup of a line; none for a line without text. */
function markupOf(line: TicketLine, paper: Paper): string[] {
  if (line.kind === 'rule') return ['-'];
  const cleaned = cleanLine(line, paper);
  const text = foreignText(cleaned);
  if (text === '' && cleaned.kind === 'text' && cleaned.lead === '') return [];
  const look = PAPER_LOOKS[line.style];
  if (paper.glyphs && !canPrint(text, paper.encoding)) return imageMarkup(cleaned, look, paper.glyphs);
  const columns = Math.floor(PAPER_COLUMNS / look.width);
  const widthOf = (letter: string) => columnsOf(printableText(letter, paper.encoding), paper.encoding);
  return rowsOf(cleaned, columns, widthOf).map((row) => textMarkup(row, look, paper.encoding));
}

function cleanLine(line: PrintedLine, { encoding, glyphs }: Paper): PrintedLine {
  const clean = (text: string) => (glyphs ? paperText(text) : withoutEmoji(paperText(text), encoding));
  return line.kind === 'amount'
    ? { ...line, label: clean(line.label), amount: paperText(line.amount) }
    : { ...line, text: clean(line.text) };
}

function textMarkup({ indent, text }: Row, look: PaperLook, encoding: PrinterEncoding): string {
  const size = '^'.repeat(look.carets);
  const open = `${size}${look.isEmphasized ? '"' : ''}${look.isInverted ? '`' : ''}`;
  const close = `${look.isInverted ? '`' : ''}${look.isEmphasized ? '"' : ''}${size}`;
  const shown = escapeMarkup(printableText(text, encoding));
  return `|${'~'.repeat(indent)}${open}${shown}${close}${look.isCentered ? '|' : ' |'}`;
}

function imageMarkup(line: PrintedLine, look: PaperLook, glyphs: Glyphs): string[] {
  const columns = Math.floor(PAPER_DOTS / (GLYPH_COLUMN_DOTS * look.dotScale));
  return rowsOf(line, columns, (letter) => drawnColumns(letter, glyphs)).map(
    (row) => `{image:${monochromePng(drawRow(row, look, glyphs)).toString('base64')}}`,
  );
}

const INDENT_COLUMNS = 2;
/** Minimum columns between a label and its amount. */
const GAP_COLUMNS = 2;
/** Maximum indentation as a share of the columns, which leaves half of the paper for text. */
const MAX_INDENT_PART = 0.5;

/** Lays a line out in rows for paper of this width. */
function rowsOf(line: PrintedLine, columns: number, widthOf: (letter: string) => number): Row[] {
  const indent = Math.min(line.indent * INDENT_COLUMNS, Math.floor(columns * MAX_INDENT_PART));
  const free = columns - indent;
  if (line.kind === 'amount') return amountRows(line, indent, free, widthOf);
  const lead = line.lead.length;
  return wrapText(line.text, free - lead, widthOf).map((text, at) =>
    at === 0 ? { indent, text: line.lead + text } : { indent: indent + lead, text },
  );
}

/** Puts the amount at the right edge of the first row. */
function amountRows(
  { label, amount }: Extract<PrintedLine, { kind: 'amount' }>,
  indent: number,
  free: number,
  widthOf: (letter: string) => number,
): Row[] {
  return wrapText(label, free - amount.length - GAP_COLUMNS, widthOf).map((text, at) => {
    if (at > 0) return { indent, text };
    const used = [...new Intl.Segmenter('en').segment(text)].reduce((sum, { segment }) => sum + widthOf(segment), 0);
    return { indent, text: `${text}${' '.repeat(Math.max(free - used - amount.length, 1))}${amount}` };
  });
}

/**
 * Wraps text into rows of up to `columns`, between words if possible, otherwise between letters. At least one row; a
 * letter that is wider than a row gets a row of its own.
 */
function wrapText(text: string, columns: number, widthOf: (letter: string) => number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  const put = (piece: string, width: number) => {
    row += piece;
    used += width;
  };
  const breakRow = () => {
    rows.push(row);
    row = '';
    used = 0;
  };
  for (const word of text.split(' ')) {
    const letters = lettersOf(word).map((letter) => ({ letter, width: widthOf(letter) }));
    const width = letters.reduce((sum, letter) => sum + letter.width, 0);
    if (row !== '' && used + 1 + width > columns) breakRow();
    if (row !== '') put(' ', 1);
    for (const one of letters) {
      if (row !== '' && used + one.width > columns) breakRow();
      put(one.letter, one.width);
    }
  }
  return [...rows, row];
}
