const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
/** After a run of this length the next pause is the first again. */
const STEADY_MS = 60_000;

/** Starts a thread that has ended by itself again, after a pause that doubles from restart to restart. */
export class RestartBackoff {
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;

  /** Calls `start` after the pause, and returns the pause; `ranMs` is how long the thread ran. */
  restart(ranMs: number, start: () => void): number {
    const pauseMs = ranMs > STEADY_MS ? FIRST_PAUSE_MS : this.pauseMs;
    this.pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    this.timer = setTimeout(start, pauseMs);
    return pauseMs;
  }

  cancel(): void {
    clearTimeout(this.timer);
  }
}
