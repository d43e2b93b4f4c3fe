const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
/** Minimum run time before the pause is reset. */
const STABLE_RUN_MS = 60_000;

/** Exponential backoff for restarting a thread that ends unexpectedly. */
export class RestartBackoff {
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;

  restart(ranMs: number, start: () => void): number {
    const pauseMs = ranMs > STABLE_RUN_MS ? FIRST_PAUSE_MS : this.pauseMs;
    this.pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    this.timer = setTimeout(start, pauseMs);
    return pauseMs;
  }

  cancel(): void {
    clearTimeout(this.timer);
  }
}
