import { UNAVAILABLE_CAUSES } from '../db/is-database-unavailable.ts';
import type { Metrics } from '../lib/metrics.ts';

/** Causes of answers with 503: of the database, of the node itself, or an outside party. */
export const CAUSES_OF_503 = [...UNAVAILABLE_CAUSES, 'not_ready', 'upstream_unavailable'] as const;
export type CountUnavailable = (cause: (typeof CAUSES_OF_503)[number]) => void;

/** Causes begin at 0, because an alert sees no increase in a series that begins at 1. */
export function createCountUnavailable(metrics: Metrics): CountUnavailable {
  const help = 'Requests refused because something is unavailable, by cause; probes are left out.';
  const count = metrics.countBy({ name: 'doorstep_unavailable_total', help, labels: ['cause'] });
  for (const cause of CAUSES_OF_503) count({ cause }, 0);
  return (cause) => count({ cause });
}
