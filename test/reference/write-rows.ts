const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;

/** The document with these rows in its table that has these columns. */
export function withRows(document: string, columns: readonly string[], rows: readonly string[][]): string {
  const head = `${lineOf(columns)}|${columns.map(() => '---|').join('')}\n`;
  const [before, after, ...more] = document.split(head);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`One table is wanted: ${head}`);
  return before + head + rows.map(lineOf).join('') + after.replace(/^(?:\|.*\n)*/, '');
}
