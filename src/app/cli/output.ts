import { cleanText } from '../../platform/lib/plain-text.ts';
import { isoSeconds } from '../../platform/lib/time.ts';

/** The options of every command: `--json` writes one JSON document instead of text. */
export type OutputOptions = { json?: boolean };

/** Standard output is closed or broken, so a command that writes page by page stops reading. */
export class OutputClosed extends Error {
  constructor(cause: Error) {
    super('Standard output is closed.', { cause });
    this.name = 'OutputClosed';
  }
}

/** A moment in the format of every command: ISO 8601 in UTC, to the second. */
export function secondsText(seconds: number): string;
export function secondsText(seconds: number | null): string | null;
export function secondsText(seconds: number | null): string | null {
  return seconds === null ? null : isoSeconds(Temporal.Instant.fromEpochMilliseconds(seconds * 1000));
}

/** Writes a command's answer in the requested form. */
export function answer(options: OutputOptions, document: object, text: string): void {
  writeOut(options.json ? JSON.stringify(document) : terminalText(text));
}

/**
 * Text for a terminal. Customers and external services write parts of it, and their control characters could move the
 * cursor, change colors or the title, or reverse text. Line ends stay.
 */
export function terminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '');
}

export function writeOut(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes one part of a long answer and waits for the reader. Throws OutputClosed. */
export async function writePart(text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(text, (error) => (error ? reject(new OutputClosed(error)) : resolve()));
  await promise;
}

/** Rows in aligned columns with headings. Cells are shortened and stripped of control characters. */
export function alignedTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows];
  return alignedRows(all, columnWidths(all));
}

export function columnWidths([heads = [], ...rows]: readonly (readonly string[])[]): number[] {
  return heads.map((head, column) => Math.max(head.length, ...rows.map((row) => cleanText(row[column] ?? '').length)));
}

export function alignedRows(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cleanText(cell).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

let fault: NodeJS.ErrnoException | undefined;

/** The error of standard output: EPIPE if its reader closed the pipe (`| head -1`), or a full disk. */
export const stdoutFault = (): NodeJS.ErrnoException | undefined => fault;

/** Keeps a broken output from ending the process before the database is closed. */
export function watchOutput(): void {
  process.stdout.on('error', (error) => {
    fault ??= error;
  });
  // Ignored: if standard error fails, there is nowhere left to report it.
  process.stderr.on('error', () => {});
}
