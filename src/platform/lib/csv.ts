/** Text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A record of RFC 4180 with its line end. Text that a spreadsheet would run as a formula gets an apostrophe before it;
 * a number is written as it is.
 */
export function csvRecord(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string | number | null): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell === null ? '' : FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
