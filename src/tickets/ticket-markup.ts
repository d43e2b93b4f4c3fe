import { drawnColumns, drawRow } from './draw-row.ts';
import { GLYPH_COLUMN_DOTS, type Glyphs } from './hex-glyphs.ts';
import { monochromePng } from './monochrome-png.ts';
import { PAPER_COLUMNS, PAPER_DOTS, PAPER_LOOKS, type PaperLook } from './paper-look.ts';
import { canPrint, columnsOf, type PrinterEncoding, paperText, printableText } from './printable-text.ts';
import { foreignText, type PrintedLine, type TicketLine } from './ticket-line.ts';
import { type Row, rowsOf } from './ticket-rows.ts';

type Paper = { encoding: PrinterEncoding; glyphs?: Glyphs | undefined };

/** Letters that mean something in a ReceiptLine document, and spaces, which its columns swallow. */
const MARKUP = /[\\|{}~_"`^=-]/g;

/** Foreign text as ReceiptLine text: no letter of it is read as markup. */
export function escapeMarkup(text: string): string {
  return text.replace(MARKUP, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`).replaceAll(' ', '~');
}

/** The line as lines of a ReceiptLine document. A line without text has none. */
export function markupOf(line: TicketLine, paper: Paper): string[] {
  if (line.kind === 'rule') return ['-'];
  const cleaned = cleanLine(line);
  const text = foreignText(cleaned);
  if (text === '' && cleaned.kind === 'text' && cleaned.lead === '') return [];
  const look = PAPER_LOOKS[line.style];
  if (paper.glyphs && !canPrint(text, paper.encoding)) return imageMarkup(cleaned, look, paper.glyphs);
  const columns = Math.floor(PAPER_COLUMNS / look.width);
  const widthOf = (letter: string) => columnsOf(printableText(letter, paper.encoding), paper.encoding);
  return rowsOf(cleaned, columns, widthOf).map((row) => textMarkup(row, look, paper.encoding));
}

function cleanLine(line: PrintedLine): PrintedLine {
  return line.kind === 'amount' ? { ...line, label: paperText(line.label) } : { ...line, text: paperText(line.text) };
}

function textMarkup({ indent, text }: Row, look: PaperLook, encoding: PrinterEncoding): string {
  const size = '^'.repeat(look.carets);
  const open = `${size}${look.isEmphasized ? '"' : ''}${look.isInverted ? '`' : ''}`;
  const close = `${look.isInverted ? '`' : ''}${look.isEmphasized ? '"' : ''}${size}`;
  const shown = escapeMarkup(printableText(text, encoding));
  return `|${'~'.repeat(indent)}${open}${shown}${close}${look.isCentred ? '|' : ' |'}`;
}

function imageMarkup(line: PrintedLine, look: PaperLook, glyphs: Glyphs): string[] {
  const columns = Math.floor(PAPER_DOTS / (GLYPH_COLUMN_DOTS * look.dotScale));
  return rowsOf(line, columns, (letter) => drawnColumns(letter, glyphs)).map(
    (row) => `{image:${monochromePng(drawRow(row, look, glyphs)).toString('base64')}}`,
  );
}
