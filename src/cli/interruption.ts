import { isMainThread } from 'node:worker_threads';
import { Interrupted } from './failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** After a signal, resources have this long to close; then the process ends without them. */
export const CLOSE_TIMEOUT_MS = 20_000;
const PARENT_POLL_MS = 250;

/** A request, from outside or from inside, that this process ends. */
export type Interruption = {
  /** Aborts with an `Interrupted` as its reason, or with the reason that `stop` got. */
  signal: AbortSignal;
  /** Requests the end from inside; the reason explains it. */
  stop(reason: unknown): void;
};

let interruption: Interruption | undefined;

/**
 * Listens for signals from the first call on; every later call returns the same interruption. Only the first request
 * counts: Ctrl-C in a terminal reaches this process twice when an older Node started it, once directly and once
 * forwarded. The end of that older Node (`disconnect`) is a request too.
 */
export function listenForInterruption(): Interruption {
  interruption ??= listen();
  return interruption;
}

function listen(): Interruption {
  const controller = new AbortController();
  const stop = (reason: unknown) => {
    if (controller.signal.aborted) return;
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    controller.abort(reason);
  };
  // A worker is told by the first thread.
  if (!isMainThread) return { signal: controller.signal, stop };
  for (const name of SIGNALS) process.on(name, () => stop(new Interrupted(name)));
  if (process.channel) {
    process.on('disconnect', () => stop(new Interrupted('SIGTERM')));
    process.channel.unref();
  }
  if (process.env.npm_lifecycle_event) watchParent(() => stop(new Interrupted('SIGTERM')));
  return { signal: controller.signal, stop };
}

/** npm sends SIGTERM to the shell that it starts and not to this process: the end of that shell stands for the signal. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, PARENT_POLL_MS);
  watch.unref();
}

/** Resolves when the interruption comes. */
export async function interrupted({ signal }: Interruption): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
