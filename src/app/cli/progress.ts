/** The progress of a long command; both numbers have the same unit. */
type Progress = { done: number; total: number; what: string };

/**
 * Shows progress on standard error, because standard output is for the result: at a terminal an overwritten line; with
 * --json, one JSON document per line for each new subject; otherwise nothing.
 */
export function showProgress(
  { json }: { json?: boolean },
  stream: NodeJS.WritableStream & { isTTY?: boolean } = process.stderr,
): { show(progress: Progress): void; stop(): void } {
  if (json) return jsonLines(stream);
  if (!stream.isTTY) return { show: () => {}, stop: () => {} };
  const write = (text: string) => stream.write(`\r\x1b[K${text}`);
  return {
    show: ({ done, total, what }) =>
      write(`${Math.floor((100 * Math.min(done, total)) / Math.max(total, 1))}% ${what}`),
    stop: () => write(''),
  };
}

function jsonLines(stream: NodeJS.WritableStream) {
  let shown = '';
  return {
    show({ done, total, what }: Progress): void {
      if (what === shown) return;
      shown = what;
      stream.write(`${JSON.stringify({ progress: { what, done, total } })}\n`);
    },
    stop: () => {},
  };
}
