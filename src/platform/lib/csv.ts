/** A cell of CSV. Cents are written as dollars with two decimals, which spreadsheets read as a number. */
export type CsvCell = string | number | null | { cents: number };

/** A table of CSV. Its rows come in batches, so that a long one is never in memory as a whole. */
export type CsvTable = { head: readonly string[]; batches: AsyncIterable<readonly (readonly CsvCell[])[]> };

/** Text that a spreadsheet would run as a formula, also after spaces and in full-width signs. */
const FORMULA = /^(?:[\s"]*[=+\-@＝＋－＠]|[\t\r])/;
/** Spaces in front of a formula, with separators of spreadsheets that separate cells by semicolons or tabs. */
const BEFORE_FORMULA = /(?:;|(?<![\s";])[\s"])[\s"]*(?=[=+\-@＝＋－＠])/g;
const SEPARATOR = /[;\t\r\n]/g;

/**
 * Writes a record of RFC 4180 with its line end. Text that a spreadsheet would run as a formula gets an apostrophe
 * before it, also after a separator that this file does not use; a number is written as it is.
 */
export const csvRecord = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return dollars(cell.cents);
  if (typeof cell === 'number') return String(cell);
  const split = cell.replaceAll(BEFORE_FORMULA, (spaces) => spaces.replaceAll(SEPARATOR, "$&'"));
  const text = FORMULA.test(split) ? `'${split}` : split;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Cents as dollars with two decimals. */
export function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Runs a read when it is scheduled. */
export type InTurn = <Part>(read: () => Promise<Part>) => Promise<Part>;

/** Returns a table whose batches are each read by `inTurn`. */
export const scheduleBatches = ({ head, batches }: CsvTable, inTurn: InTurn): CsvTable => ({
  head,
  batches: batchesInTurn(batches[Symbol.asyncIterator](), inTurn),
});

/** Reads each batch by `inTurn`. */
export async function* batchesInTurn<Batch>(batches: AsyncIterator<Batch>, inTurn: InTurn): AsyncGenerator<Batch> {
  for (;;) {
    const { value, done } = await inTurn(() => batches.next());
    if (done) return;
    yield value;
  }
}

/** Yields the text of a table, a batch at a time. */
export async function* csvText({ head, batches }: CsvTable): AsyncGenerator<string> {
  yield csvRecord(head);
  for await (const rows of batches) if (rows.length > 0) yield rows.map(csvRecord).join('');
}
