/** The longest rest after a run. */
const MAX_REST_MS = 2000;

export type PacedTask = {
  /** Whether the task runs again; otherwise the loop pauses until it is woken. */
  hasWork(): boolean;
  /** Never rejects. Resolves with the milliseconds until the next run; undefined for a pause as long as the run. */
  run(): Promise<number | undefined>;
};

/**
 * A background task, one run at a time, that pauses between runs for at least as long as they take, so that other work
 * has half of the time.
 */
export type PacedLoop = {
  /** Runs the task after so many milliseconds, unless it runs, is due or has no work. */
  wake(afterMs: number): void;
  readonly isClosed: boolean;
  /** Ends once the current run has ended; the task does not run again. */
  close(): Promise<void>;
};

/** The timer does not keep the process alive. */
export function createPacedLoop({ hasWork, run }: PacedTask): PacedLoop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  function wake(afterMs: number): void {
    if (isClosed || timer || running || !hasWork()) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = runOnce();
    }, afterMs);
    timer.unref();
  }

  async function runOnce(): Promise<void> {
    const startMs = performance.now();
    const pauseMs = await run();
    running = undefined;
    wake(pauseMs ?? Math.min(MAX_REST_MS, performance.now() - startMs));
  }

  return {
    wake,
    get isClosed() {
      return isClosed;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
