import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The niceness of `nice`: beside a process of priority 0, a busy command gets about a tenth of the processor. */
export const NICENESS = 10;

/**
 * Lowers the priority of this process, so that a large import does not slow down a service on the same machine. Where a
 * system call filter forbids it, the priority stays.
 */
export function lowerPriority(): void {
  for (const thread of threads()) {
    try {
      // A process may lower its priority but not raise it.
      setPriority(thread, Math.max(getPriority(thread), NICENESS));
    } catch {}
  }
}

/**
 * On Linux each thread has its own niceness, and 0 means the main thread alone; threads for garbage collection and file
 * reads already run. Elsewhere 0 means the whole process.
 */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}
