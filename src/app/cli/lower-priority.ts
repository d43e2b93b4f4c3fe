import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The default of `nice`. Alongside a normal process, a busy command gets about a tenth of the processor. */
export const NICENESS = 10;

/**
 * Lowers this process's priority, so that a large import does not slow down a service on the same machine. Keeps the
 * priority if a system call filter forbids the change.
 */
export function lowerPriority(): void {
  for (const thread of threads()) {
    try {
      // A process can lower its priority but not raise it.
      setPriority(thread, Math.max(getPriority(thread), NICENESS));
    } catch {}
  }
}

/**
 * On Linux each thread has its own niceness, and 0 means the main thread only, while threads for garbage collection and
 * file reads are already running. On other systems 0 means the whole process.
 */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}
