import type { Db } from '../db/connect.ts';
import type { Worker } from '../jobs/job-queue.ts';
import type { Clock } from '../lib/clock.ts';
import { resolveCardSetup } from './finish-card-setup.flow.ts';
import { RESOLVE_SETUP } from './gateway-notice.ts';
import type { Gateways } from './payment-gateway.ts';

type ResolveDeps = { db: Db; clock: Clock; gateways: Gateways };

/** Stores the card of a page that the gateway's webhook has told of; the customer may never come back. */
export function resolveSetups(deps: ResolveDeps): Worker<{ setupId: string; session: string }> {
  return {
    kind: RESOLVE_SETUP,
    retryLimit: 50,
    concurrency: 2,
    run: async ({ setupId, session }) => {
      await resolveCardSetup(deps, setupId, session);
    },
  };
}
