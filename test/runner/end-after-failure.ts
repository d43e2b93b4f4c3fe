import { AsyncResource } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { after, afterEach } from 'node:test';

/**
 * Preloaded into each process of `npm test`. A failed test may leave servers, sockets and child processes open, which
 * would keep its process alive: the process ends once all hooks of its last file have run. Where every test passed, what
 * is left open still hangs, and is found.
 */
const LINGER_MS = 1000;

const file = new AsyncResource('test file');
const children = new Set<ChildProcess>();
let hasFailed = false;
let isHeld = false;
let isDue = false;

if (process.env.NODE_TEST_CONTEXT) {
  subscribe('child_process', (message) => {
    const child = (message as { process: ChildProcess }).process;
    children.add(child);
    child.once('exit', () => children.delete(child));
  });
  afterEach((context) => {
    if (hasFailed || !('passed' in context) || context.passed) return;
    hasFailed = true;
    // Declared only now, because hooks run in the sequence of their declaration.
    file.runInAsyncScope(() => after(endSoon));
  });
}

/** From now on a failed test ends the process only after `releaseEnd`. */
export function holdEnd(): void {
  isHeld = true;
}

export function releaseEnd(): void {
  isHeld = false;
  if (isDue) endSoon();
}

function endSoon(): void {
  if (isHeld) isDue = true;
  else setTimeout(end, LINGER_MS).unref();
}

function end(): void {
  for (const child of children) child.kill('SIGKILL');
  process.exit(1);
}
