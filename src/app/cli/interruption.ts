import { isMainThread } from 'node:worker_threads';
import { Interrupted } from './failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Time when resources may close after a signal, before the process exits anyway. */
export const CLOSE_TIMEOUT_MS = 20_000;
const PARENT_POLL_MS = 250;

/** A request to end the process, by a signal or by its own code. */
export type Interruption = {
  /** Aborts with an `Interrupted`, or with the reason given to `stop`. */
  signal: AbortSignal;
  /** Ends the process from its own code, with this reason. */
  stop(reason: unknown): void;
  /** From now on SIGTERM calls `drain`, and ends the process these seconds later. */
  drainFirst(seconds: number, drain: () => void): void;
};

let interruption: Interruption | undefined;

/**
 * Listens for signals from the first call on; later calls return the same interruption. Only the first request is used,
 * because an older Node that started this process sends Ctrl-C twice, directly and forwarded. Its exit (`disconnect`)
 * counts too.
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
  let [drainMs, drain] = [0, () => {}];
  const drainFirst: Interruption['drainFirst'] = (seconds, begin) => {
    [drainMs, drain] = [seconds * 1000, begin];
  };
  // Worker threads receive no signals, so the main thread posts `stop` to them.
  if (!isMainThread) return { signal: controller.signal, stop, drainFirst };
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (name !== 'SIGTERM' || drainMs === 0) return stop(new Interrupted(name));
      drain();
      setTimeout(stop, drainMs, new Interrupted(name));
    });
  }
  if (process.channel) {
    process.on('disconnect', () => stop(new Interrupted('SIGTERM')));
    process.channel.unref();
  }
  if (process.env.npm_lifecycle_event) watchParent(() => stop(new Interrupted('SIGTERM')));
  return { signal: controller.signal, stop, drainFirst };
}

/** npm sends SIGTERM to its shell and not to this process, so the end of that shell counts as the signal. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, PARENT_POLL_MS);
  watch.unref();
}

/** Resolves once a signal ends the process. */
export async function waitForInterruption({ signal }: Interruption): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
