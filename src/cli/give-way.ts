import { getPriority, setPriority } from 'node:os';

/** As `nice` has it: a process of priority 0 gets the processor some nine times as long where both want all of it. */
export const NICENESS = 10;

/** Leaves the processor to a service on the same machine: its requests would wait for a large command otherwise. */
export function giveWay(): void {
  // A process may lower its priority, and may not raise it.
  setPriority(Math.max(getPriority(), NICENESS));
}
