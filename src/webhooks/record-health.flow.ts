import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { buryCalls, type Outcome } from './calls.db.ts';
import { disableEndpoint, type Health, recordHealth } from './endpoints.db.ts';
import { PATIENCE_DAYS, WEBHOOK_SWITCHED_OFF } from './switched-off.ts';
import { type Owner, ownerKey } from './webhook.ts';

type Needs = { db: Db; clock: Clock; log: Logger; jobs: Jobs };

/** Records the health of endpoints after a batch of calls, and switches off endpoints that failed for too long. */
export async function recordHealthOf(deps: Needs, outcomes: readonly Outcome[]): Promise<void> {
  const now = deps.clock.now();
  const failingBefore = now.subtract({ hours: PATIENCE_DAYS * 24 });
  for (const owner of await recordHealth(deps.db, healthsOf(outcomes), now, failingBefore)) {
    await switchOff(deps, owner, failingBefore, now);
  }
}

/** Switches an endpoint off, ends its waiting calls and queues the notice to its owner, in one transaction. */
async function switchOff(
  { db, jobs, log }: Needs,
  { accountId, mode }: Owner,
  failingBefore: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await disableEndpoint(tx, { accountId, mode }, failingBefore, now))) return;
    await buryCalls(tx, { accountId, mode });
    await jobs.enqueue(tx, WEBHOOK_SWITCHED_OFF, { accountId, mode, at: now.toString() });
    log.warn({ accountId, mode }, 'webhook endpoint switched off after days of failures');
  });
}

/** By owner and URL, in the order in which the calls ended. */
function healthsOf(outcomes: readonly Outcome[]): Health[] {
  const healths = new Map<string, Health>();
  for (const { call, isDelivered } of outcomes) {
    const key = JSON.stringify([ownerKey(call.owner), call.url]);
    const before = healths.get(key);
    healths.set(key, {
      ...call.owner,
      url: call.url,
      hasSucceeded: isDelivered || before?.hasSucceeded === true,
      lastFailed: !isDelivered,
    });
  }
  return [...healths.values()];
}
