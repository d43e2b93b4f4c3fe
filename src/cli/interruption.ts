import { Interrupted } from './failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long everything may take to close after a signal before the process ends regardless. */
const CLOSE_TIMEOUT_MS = 20_000;
const PARENT_POLL_MS = 250;

/** The wish, from outside, that this process ends. */
export type Interruption = {
  /** Aborts with an `Interrupted` as its reason. */
  signal: AbortSignal;
  /** Starts the same end from inside, with an error that explains it. */
  stop(reason: unknown): void;
};

/**
 * Listens for Ctrl-C and its kin from now on; asked twice, it stops once: a terminal sends Ctrl-C to this process and
 * to the `doorstep` that an older Node runs, which forwards it. The end of that one (`disconnect`) asks as well.
 */
export function listenForInterruption(): Interruption {
  const controller = new AbortController();
  const stop = (reason: unknown) => {
    if (controller.signal.aborted) return;
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    controller.abort(reason);
  };
  for (const name of SIGNALS) process.on(name, () => stop(new Interrupted(name)));
  if (process.channel) {
    process.on('disconnect', () => stop(new Interrupted('SIGTERM')));
    process.channel.unref();
  }
  if (process.env.npm_lifecycle_event) watchParent(() => stop(new Interrupted('SIGTERM')));
  return { signal: controller.signal, stop };
}

/** npm starts a shell that starts us, and passes its own SIGTERM to that shell only: its end is ours. */
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
