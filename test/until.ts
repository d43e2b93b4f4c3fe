import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Beyond the busiest machine's time: ends a hanging test and says nothing of speed. */
const DEADLINE_MS = 120_000;

/** Long waits poll less often, leaving the processor to others: a check is late by at most a tenth of the wait. */
const PAUSES = { shortestMs: 5, longestMs: 50, share: 0.1 };

/** Polls until the condition holds; fails with `what` if it never does. */
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

/** Resolves after a turn of the event loop: everything ready has run. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
