import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Metrics } from './metrics.ts';
import { oncePerMinute } from './once-per-minute.ts';

/**
 * Reports something that a response or index lacks without an error: counted by kind in the metrics, and logged with
 * the first one's fields, once a minute per text. `kind` is a metric label, so there must be few.
 */
export type ReportLeftOut = (kind: string, text: string, fields: object, times?: number) => void;

type ReportDeps = { log: Pick<Logger, 'warn'>; clock: Clock; metrics: Metrics };

/** `kinds` begin at 0 in the metrics, because an alert sees no increase in a series that begins at 1. */
export function createReportLeftOut({ log, clock, metrics }: ReportDeps, kinds: readonly string[]): ReportLeftOut {
  const newsOf = oncePerMinute(clock);
  const count = metrics.countBy({
    name: 'doorstep_left_out_total',
    help: 'Data missing from responses and indexes without an error, by kind.',
    labels: ['kind'],
  });
  for (const kind of kinds) count({ kind }, 0);
  return (kind, text, fields, times = 1) => {
    count({ kind }, times);
    const since = newsOf(text, times);
    if (since > 0) log.warn({ ...fields, times: since }, text);
  };
}
