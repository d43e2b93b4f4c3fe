import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** As `nice` has it: a process of priority 0 gets the processor some nine times as long where both want all of it. */
export const NICENESS = 10;

/**
 * Leaves the processor to a service on the same machine: its requests would wait for a large command otherwise. A system
 * that forbids the change of a priority (a filter of system calls) leaves the command as it is.
 */
export function giveWay(): void {
  for (const thread of threads()) {
    try {
      // A process may lower its priority, and may not raise it.
      setPriority(thread, Math.max(getPriority(thread), NICENESS));
    } catch {}
  }
}

/**
 * Linux keeps a niceness for each thread, and 0 names the main thread alone there; the threads that collect garbage and
 * read files have begun before. Other systems know the process, which is 0.
 */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}
