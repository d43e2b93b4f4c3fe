import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Beyond what the busiest machine may take: it ends a test that waits in vain, and says nothing of speed. */
const DEADLINE_MS = 120_000;

/** A long wait leaves the processor to what it waits for: a look comes later by at most a tenth of the wait. */
const PAUSES = { shortestMs: 5, longestMs: 50, share: 0.1 };

/** Looks again and again until it is so; fails with `what` where it never is. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const { shortestMs, longestMs, share } = PAUSES;
  const begunMs = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - begunMs;
    assert.ok(waitedMs < deadlineMs, `not within ${deadlineMs} ms: ${what}`);
    await pause(Math.min(longestMs, Math.max(shortestMs, waitedMs * share)));
  }
}

/** Resolves when the event loop has gone round: what was ready to run has run. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
