import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { recordSilentPrinters } from './polled-printers.db.ts';
import { SEEN_SECONDS, SILENT } from './polled-printers.flow.ts';

const SILENT_SECONDS = 120;

/** Marks a printer that has not polled for two minutes as failing, every minute; its next poll clears that. */
export function watchPrinters({ db, clock }: { db: Db; clock: Clock }): Worker<object> {
  return {
    kind: { name: 'watch-printers' },
    concurrency: 1,
    everyMinutes: 1,
    async run() {
      const at = clock.now();
      const since = at.subtract({ seconds: SILENT_SECONDS + SEEN_SECONDS });
      await recordSilentPrinters(db, { since, at, error: SILENT });
    },
  };
}
