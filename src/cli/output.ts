/** Every command has it: one JSON document on standard output instead of text for people. */
export type OutputOptions = { json?: boolean };

/** What a command has to say, in the form that was asked for. */
export function answer(options: OutputOptions, document: object, text: string): void {
  writeOut(options.json ? JSON.stringify(document) : text);
}

export function writeOut(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Rows in aligned columns under their heads; cells are short texts. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [heads, ...rows].map(line).join('\n');
}

/** A reader that goes away (`| head`) is no fault of the command: the rest of its output is for nobody. */
export function survivePipeClosing(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
