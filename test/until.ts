import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Beyond what the busiest machine may take: it ends a test that waits in vain, and says nothing of speed. */
const DEADLINE_MS = 120_000;

/** Looks again and again until it is so; fails with `what` where it never is. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, `not within ${deadlineMs} ms: ${what}`);
    await pause(5);
  }
}
