import type { PrintedLine } from './ticket-line.ts';
import { wrapText } from './wrap-text.ts';

/** A row as it lies on paper: `indent` columns of space, then the text. */
export type Row = { indent: number; text: string };

const INDENT_COLUMNS = 2;
/** At least one column between a label and its amount. */
const GAP_COLUMNS = 2;
/** Deeper lines are not moved further right: half of the paper stays for their text. */
const MAX_INDENT_PART = 0.5;

/** The rows of a line on paper of so many columns. */
export function rowsOf(line: PrintedLine, columns: number, widthOf: (letter: string) => number): Row[] {
  const indent = Math.min(line.indent * INDENT_COLUMNS, Math.floor(columns * MAX_INDENT_PART));
  const free = columns - indent;
  if (line.kind === 'amount') return amountRows(line, indent, free, widthOf);
  const lead = line.lead.length;
  return wrapText(line.text, free - lead, widthOf).map((text, at) =>
    at === 0 ? { indent, text: line.lead + text } : { indent: indent + lead, text },
  );
}

/** The amount stands at the right edge of the first row. */
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
