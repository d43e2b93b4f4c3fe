import { retentionsOf } from '../../src/app/wiring/retentions.ts';
import { deleteExpiredRows } from '../../src/platform/jobs/delete-expired.job.ts';
import type { App } from '../harness.ts';

/** Runs the job that deletes what is kept for a time. */
export const runRetention = ({ service: { deps } }: Pick<App, 'service'>): Promise<void> =>
  deleteExpiredRows(deps, retentionsOf(deps.config)).run({}, new AbortController().signal);
