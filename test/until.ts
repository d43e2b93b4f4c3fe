import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Ends a hanging test; not an assertion of speed. */
const DEADLINE_MS = 300_000;

/** Longer waits poll less often to save processor time; the delay is no more than a tenth of the wait. */
const PAUSES = { shortestMs: 5, longestMs: 50, share: 0.1 };

/** Polls until the condition holds; fails with `what` if it never does, which may then say what was seen. */
export async function until(
  what: string | (() => string),
  isTrue: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const { shortestMs, longestMs, share } = PAUSES;
  const begunMs = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - begunMs;
    if (waitedMs >= deadlineMs) assert.fail(`not within ${deadlineMs} ms: ${typeof what === 'string' ? what : what()}`);
    await pause(Math.min(longestMs, Math.max(shortestMs, waitedMs * share)));
  }
}

/** Resolves after one turn of the event loop, when everything ready has run. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
