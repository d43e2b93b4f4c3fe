import { Presets, SingleBar } from 'cli-progress';

/** The progress of a long command; both numbers have the same unit. */
type Progress = { done: number; total: number; what: string };

/**
 * Shows progress on standard error, because standard output is for the result: a bar at a terminal; with --json, one
 * JSON document per line for each new subject; otherwise nothing.
 */
export function showProgress(
  { json }: { json?: boolean },
  stream: NodeJS.WritableStream & { isTTY?: boolean } = process.stderr,
): { show(progress: Progress): void; stop(): void } {
  if (json) return jsonLines(stream);
  if (!stream.isTTY) return { show: () => {}, stop: () => {} };
  const bar = new SingleBar(
    { stream, format: '{bar} {percentage}% | {what}', clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(1, 0, { what: '' });
  return {
    show({ done, total, what }) {
      bar.setTotal(Math.max(total, 1));
      bar.update(Math.min(done, total), { what });
    },
    stop: () => bar.stop(),
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
