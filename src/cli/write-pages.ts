import { type OutputOptions, terminalText, writePart } from './output.ts';

/** How a list is written: `name` is the only field of its JSON document. */
export type ListForm<Row> = { name: string; document(row: Row): object; line(row: Row): string };

/**
 * Writes a list page by page: memory holds one page, and the next page is read when the reader has taken the last one.
 * Throws the signal's reason, or OutputClosed when the reader leaves.
 */
export async function writePages<Row>(
  { json }: OutputOptions,
  form: ListForm<Row>,
  pages: AsyncIterable<readonly Row[]>,
  signal: AbortSignal,
): Promise<void> {
  let separator = `{"${form.name}":[`;
  for await (const page of pages) {
    signal.throwIfAborted();
    if (!json) {
      await writePart(page.map((row) => `${terminalText(form.line(row))}\n`).join(''));
      continue;
    }
    await writePart(separator + page.map((row) => JSON.stringify(form.document(row))).join(','));
    separator = ',';
  }
  if (json) await writePart(separator === ',' ? ']}\n' : `{"${form.name}":[]}\n`);
}
