import { UNAVAILABLE_CAUSES } from '../db/is-database-unavailable.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { RefusalRecords } from './refusal.ts';

export type CountUnavailable = (cause: string) => void;

/** Causes of answers with 503: of the database, and every refusal code with this status. */
export function causesOf503(refusals: RefusalRecords): string[] {
  const refused = Object.entries(refusals).filter(([, { status }]) => status === 503);
  return [...UNAVAILABLE_CAUSES, ...refused.map(([code]) => code)];
}

/** Causes begin at 0, because an alert sees no increase in a series that begins at 1. */
export function createCountUnavailable(metrics: Metrics, refusals: RefusalRecords): CountUnavailable {
  const help = 'Requests refused because something is unavailable, by cause; probes are left out.';
  const count = metrics.countBy({ name: 'doorstep_unavailable_total', help, labels: ['cause'] });
  for (const cause of causesOf503(refusals)) count({ cause }, 0);
  return (cause) => count({ cause });
}
