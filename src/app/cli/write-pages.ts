import { alignedRows, columnWidths, type OutputOptions, writePart } from './output.ts';

/** A list's format. `name` is the only member of its JSON document; a row has one cell per heading. */
export type ListForm<Row> = {
  name: string;
  document(row: Row): object;
  heads: readonly string[];
  cells(row: Row): readonly string[];
};

/** Follows a list's cursor and yields the rows of each page, without empty pages. */
export async function* followPages<Cursor extends string | number, Page extends { next: Cursor | null }, Row>(
  read: (cursor: Cursor | undefined) => Promise<Page>,
  rowsOf: (page: Page) => Row[],
): AsyncGenerator<Row[]> {
  let cursor: Cursor | undefined;
  do {
    const page = await read(cursor);
    if (rowsOf(page).length > 0) yield rowsOf(page);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Writes a list page by page with back-pressure, so that memory holds one page. The first page sets the column widths.
 * Throws the signal's reason, or OutputClosed when the reader leaves.
 */
export async function writePages<Row>(
  { json }: OutputOptions,
  form: ListForm<Row>,
  pages: AsyncIterable<readonly Row[]>,
  signal: AbortSignal,
): Promise<void> {
  let separator = `{"${form.name}":[`;
  let widths: readonly number[] | undefined;
  for await (const page of pages) {
    signal.throwIfAborted();
    if (!json) {
      const rows = page.map((row) => form.cells(row));
      const shown = widths === undefined ? [form.heads, ...rows] : rows;
      widths ??= columnWidths(shown);
      await writePart(`${alignedRows(shown, widths)}\n`);
      continue;
    }
    await writePart(separator + page.map((row) => JSON.stringify(form.document(row))).join(','));
    separator = ',';
  }
  if (!json && widths === undefined) await writePart(`${alignedRows([form.heads], columnWidths([form.heads]))}\n`);
  if (json) await writePart(separator === ',' ? ']}\n' : `{"${form.name}":[]}\n`);
}
