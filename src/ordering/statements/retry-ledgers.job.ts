import type { Context } from '../../platform/db/context.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import { type LedgerDeps, writeUnwritten } from './write-ledger.flow.ts';

/** Tries damaged orders again every ten minutes: their entries are written once they read. */
export function retryLedgers(deps: LedgerDeps & Context): Worker<object> {
  return {
    kind: { name: 'retry-ledgers' },
    concurrency: 1,
    everyMinutes: 10,
    run: () => writeUnwritten(deps, deps.db, deps.clock.now()),
  };
}
