/** Interval for a thread to post at least one message, as a heartbeat. */
export const HEARTBEAT_MS = 5000;
/** Missed heartbeats before a thread counts as stuck. No step of a computation takes a minute. */
const MAX_MISSED_HEARTBEATS = 12;

/**
 * Calls `onStuck` after a minute of silence. Counts beats, not time: a machine that slept for an hour has one beat when
 * it wakes, and reads its threads' messages before the next. `isLoading` counts from the first message, because a busy
 * machine may take a minute to load a program.
 */
export class HeartbeatMonitor {
  private missed = 0;
  private interval: NodeJS.Timeout | undefined;
  private readonly onStuck: () => void;

  constructor(onStuck: () => void, { isLoading = false } = {}) {
    this.onStuck = onStuck;
    if (!isLoading) this.receive();
  }

  /** Records that the thread posted a message. */
  receive(): void {
    this.missed = 0;
    this.interval ??= setInterval(() => {
      this.missed += 1;
      if (this.missed === MAX_MISSED_HEARTBEATS) this.onStuck();
    }, HEARTBEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.interval);
  }
}
