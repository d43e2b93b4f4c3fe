import type { Context } from '../../platform/db/context.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import { HOURS_KINDS } from '../../supply/stores/hours.ts';
import { isStoreOpenAt } from '../../supply/stores/open-state.ts';
import { findStores } from '../../supply/stores/stores.db.ts';
import { findSilentPrinters, recordSilentPrinters } from './polled-printers.db.ts';
import { SEEN_SECONDS, SILENT } from './polled-printers.flow.ts';

const SILENT_SECONDS = 120;

/**
 * Marks a printer that has not polled for two minutes as failing, every minute, while its store is open or a ticket waits
 * for it: many are switched off for the night. Its next poll clears that.
 */
export function watchPrinters({ db, clock }: Context): Worker<object> {
  return {
    kind: { name: 'watch-printers' },
    concurrency: 1,
    everyMinutes: 1,
    async run() {
      const at = clock.now();
      const since = at.subtract({ seconds: SILENT_SECONDS + SEEN_SECONDS });
      const silent = await findSilentPrinters(db, since);
      const needed = silent.filter(({ isNeeded }) => isNeeded).map(({ storeId }) => storeId);
      const stores = await findStores(db, [...new Set(silent.map(({ storeId }) => storeId))]);
      const open = stores.filter((store) => HOURS_KINDS.some((kind) => isStoreOpenAt(store, kind, at)));
      await recordSilentPrinters(db, [...needed, ...open.map(({ storeId }) => storeId)], { since, at, error: SILENT });
    },
  };
}
