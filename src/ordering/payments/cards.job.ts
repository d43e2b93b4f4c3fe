import type { KeyMode } from '../../access/accounts/account.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { deleteCardSetups } from './card-setups.db.ts';
import { deleteOldDeclines } from './declines.db.ts';
import { type Gateways, RESOLVE_SETUP } from './payment-gateway.ts';
import { resolveCardSetup } from './save-card.flow.ts';

/** Deletes a card at the gateway after its payment method was deleted. */
export const FORGET_CARD: JobKind<{ token: string; mode: KeyMode }> = { name: 'forget-card' };

/** Deletes a card at the gateway. A second deletion is no error; without a gateway there is nothing to do. */
export function forgetCard({ gateways }: { gateways: Gateways }): Worker<{ token: string; mode: KeyMode }> {
  return {
    kind: FORGET_CARD,
    concurrency: 2,
    run: async ({ token, mode }) => gateways[mode]?.deleteCard(token),
  };
}

/** Hours for which an expired setup is kept, because a gateway's webhook may be days late. */
const SETUP_RETENTION_HOURS = 7 * 24;

/** Deletes card setups that ended long ago, every night. */
export function purgeCardSetups({ db, clock }: { db: Db; clock: Clock }): Worker<object> {
  return {
    kind: { name: 'purge-card-setups' },
    concurrency: 1,
    everyMinutes: '41 3 * * *',
    run: async () => {
      await deleteCardSetups(db, clock.now().subtract({ hours: SETUP_RETENTION_HOURS }));
    },
  };
}

type ResolveDeps = { db: Db; clock: Clock; gateways: Gateways };

/** Stores the card of a setup page that the gateway's webhook reported, because the customer may never return. */
export function resolveSetups(deps: ResolveDeps): Worker<{ setupId: string; session: string }> {
  return {
    kind: RESOLVE_SETUP,
    concurrency: 2,
    run: async ({ setupId, session }) => {
      await resolveCardSetup(deps, setupId, session);
    },
  };
}

/** Deletes declines and charges that no longer count, every hour. */
export function purgeDeclines({ db, clock }: { clock: Clock; db: Db }): Worker<object> {
  return {
    kind: { name: 'purge-declines' },
    concurrency: 1,
    everyMinutes: '13 * * * *',
    run: () => deleteOldDeclines(db, clock.now()),
  };
}
