import { readFileSync } from 'node:fs';

/** How long the main thread of a process has run, and how long it has waited for a processor, in milliseconds. */
export type ThreadTimes = { ranMs: number; waitedMs: number };

/** Of a system without `/proc`. */
export const UNKNOWN_TIMES: ThreadTimes = { ranMs: Number.NaN, waitedMs: Number.NaN };
const NS_OF_MS = 1e6;

export function mainThreadOf(pid: number): ThreadTimes {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1');
    const [ranNs = Number.NaN, waitedNs = Number.NaN] = text.split(' ').map(Number);
    return { ranMs: ranNs / NS_OF_MS, waitedMs: waitedNs / NS_OF_MS };
  } catch {
    return UNKNOWN_TIMES;
  }
}

/** The times of each second of a phase that took `ms`. */
export function eachSecond(from: ThreadTimes, until: ThreadTimes, ms: number): ThreadTimes {
  const seconds = ms / 1000;
  return { ranMs: (until.ranMs - from.ranMs) / seconds, waitedMs: (until.waitedMs - from.waitedMs) / seconds };
}
