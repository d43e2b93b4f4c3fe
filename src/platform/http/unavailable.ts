import { UNAVAILABLE_CAUSES, type UnavailableCause } from '../db/is-database-unavailable.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { RefusalRecords } from './refusal.ts';

const STANDBY = 'standby';
/** Symptoms of commits that wait for a synchronous standby: timeouts of statements and locks, an exhausted pool. */
const CAUSED_BY_STANDBY: readonly string[] = ['timeout', 'connections'] satisfies UnavailableCause[];

export type CountUnavailable = (cause: string) => void;

/** Causes of answers with 503: of the database, and every error code with this status. */
export function causesOf503(refusals: RefusalRecords): string[] {
  const refused = Object.entries(refusals).filter(([, { status }]) => status === 503);
  return [...UNAVAILABLE_CAUSES, STANDBY, ...refused.map(([code]) => code)];
}

/** Causes begin at 0, because an alert sees no increase in a series that begins at 1. */
export function createCountUnavailable(
  metrics: Metrics,
  refusals: RefusalRecords,
  commitsWait: () => Promise<boolean>,
): CountUnavailable {
  const help = 'Requests refused because something is unavailable, by cause; probes are left out.';
  const count = metrics.countBy({ name: 'doorstep_unavailable_total', help, labels: ['cause'] });
  for (const cause of causesOf503(refusals)) count({ cause }, 0);
  let reading: Promise<boolean> | undefined;
  const waits = () => {
    reading ??= commitsWait()
      .catch(() => false)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  return (cause) => {
    if (!CAUSED_BY_STANDBY.includes(cause)) count({ cause });
    else void waits().then((isStandby) => count({ cause: isStandby ? STANDBY : cause }));
  };
}
