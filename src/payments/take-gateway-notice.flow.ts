import type { Db } from '../db/connect.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { insertGatewayEvent } from './gateway-events.db.ts';
import { type DisputeNotice, type GatewayNotice, RECONCILE_CHARGE, RESOLVE_SETUP } from './gateway-notice.ts';

type NoticeDeps = { db: Db; jobs: Jobs; clock: Clock };

/**
 * Writes down what a notice asks for, so that the gateway gets its answer at once: jobs ask the gateway how the charge or
 * the page stands. A job that runs twice, or for an older event than another job, finds the same.
 */
export async function takeGatewayNotice(deps: NoticeDeps, notice: GatewayNotice): Promise<void> {
  const { db, jobs } = deps;
  switch (notice.kind) {
    case 'setup':
      return jobs.enqueue(db, RESOLVE_SETUP, { setupId: notice.setupId, session: notice.session });
    case 'dispute':
      return takeDispute(deps, notice);
    default:
      return jobs.enqueue(db, RECONCILE_CHARGE, { chargeId: notice.chargeId });
  }
}

/** The money of a dispute moves between banks alone: the operator must see it and answer at the gateway. */
async function takeDispute({ db, jobs, clock }: NoticeDeps, notice: DisputeNotice): Promise<void> {
  const { eventId, chargeId } = notice;
  await db.transaction().execute(async (tx) => {
    if (!(await insertGatewayEvent(tx, { ...notice, orderId: null }, clock.now()))) return;
    await jobs.enqueue(tx, RECONCILE_CHARGE, { chargeId, eventId });
  });
}
