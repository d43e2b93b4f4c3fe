import type { Deps } from '../deps.ts';
import type { Worker } from '../jobs/boss.ts';
import { WEBHOOK_SWITCHED_OFF } from './switched-off.ts';

/** Tells an account that its endpoint was switched off. */
export function tellSwitchedOff({ log }: Deps): Worker<{ accountId: string; at: string }> {
  return {
    kind: WEBHOOK_SWITCHED_OFF,
    retryLimit: 20,
    concurrency: 1,
    async run({ accountId }) {
      log.warn({ accountId }, 'a webhook endpoint was switched off');
    },
  };
}
