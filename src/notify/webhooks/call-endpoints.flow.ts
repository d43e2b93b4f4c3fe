import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { EventHandler } from '../../ordering/order/dispatch-events.flow.ts';
import { findEvents } from '../../ordering/order/order-events.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import type { WorkLimits } from '../../platform/jobs/owner-limiter.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { activeSecrets } from '../../platform/lib/standard-webhook.ts';
import { type Attempt, letterQueue, type OutboxDeps } from '../outbox/send-letters.flow.ts';
import { CALLS, endWaitingCalls, insertCalls, type LeasedCall } from './calls.db.ts';
import { disableEndpoint, findListeners, type Health, recordHealth } from './endpoints.db.ts';
import { DISABLE_AFTER_DAYS, WEBHOOK_SWITCHED_OFF } from './notify-endpoint-disabled.job.ts';
import { type Owner, ownerKey, USER_AGENT, webhookBody } from './webhook.ts';

/**
 * Writes one call per event for owners with an endpoint. If the endpoint is switched off, the call is stored as failed;
 * a replay sends it once the endpoint is on again.
 */
export function webhookEvents(deps: { clock: Clock; trackingSites: Pick<TrackingSites, 'siteOf'> }): EventHandler {
  const { clock, trackingSites } = deps;
  return async (tx, events) => {
    const listeners = await findListeners(tx, [...new Set(events.map(({ accountId }) => accountId))]);
    // Whole orders are read only for owners with an endpoint.
    const subscribed = await findEvents(
      tx,
      events.filter((event) => listeners.has(ownerKey(event))),
    );
    if (subscribed.length === 0) return;
    const now = clock.now();
    const calls = subscribed.map((event) => ({
      webhookId: randomId('msg_'),
      accountId: event.order.accountId,
      mode: event.order.mode,
      orderId: event.order.orderId,
      sequence: event.sequence,
      type: event.type,
      body: webhookBody(event, trackingSites.siteOf(event.order.accountId)),
      at: event.at,
      nextAttemptAt: listeners.get(ownerKey(event.order)) ? now : null,
    }));
    await insertCalls(tx, calls);
  };
}

/**
 * Limits of a node's webhook calls: a hanging endpoint delays only its own calls, and all hanging endpoints together
 * leave half of the slots.
 */
const CALL_LIMITS: WorkLimits = { max: 250, perOwner: 25, first: 4, slowMs: 2000, maxSlow: 125 };

type CallEndpointsDeps = OutboxDeps & { config: Config; metrics: Metrics; jobs: Jobs };

/** Creates the queue of calls to accounts' endpoints. */
export function callEndpoints(deps: CallEndpointsDeps): LeasedQueue<LeasedCall> {
  const { clock, config, metrics } = deps;
  const failed = 'Webhook deliveries with another response, or none.';
  const queue = letterQueue<LeasedCall>(deps, {
    name: 'calling webhooks',
    noun: 'a webhook call',
    table: CALLS,
    limits: CALL_LIMITS,
    retries: { delaysSeconds: config.webhookRetrySchedule },
    counters: {
      taken: metrics.count('doorstep_webhook_calls_delivered_total', 'Webhook deliveries with a 2xx response.'),
      failed: metrics.count('doorstep_webhook_calls_failed_total', failed),
    },
    ownerOf: ({ owner }) => ownerKey(owner),
    keyOf: ({ webhookId }) => ({ webhookId }),
    idsOf: ({ webhookId, owner }) => ({ webhookId, accountId: owner.accountId, mode: owner.mode }),
    workOf({ orderId, sequence, owner, webhookId, attempts }) {
      const ids = { 'doorstep.account.id': owner.accountId, 'doorstep.webhook.id': webhookId };
      return { name: 'webhook call', orderId, sequence, attributes: { ...ids, 'doorstep.attempt': attempts } };
    },
    async write(call) {
      const { webhookId: id, url, body } = call;
      return { channel: 'call', url, userAgent: USER_AGENT, secrets: activeSecrets(call, clock.now()), id, body };
    },
    columnsOf: ({ status }) => ({ lastStatus: status }),
    onEnded: (attempts) => recordEndpointHealth(deps, attempts),
  });
  const help = 'Webhook deliveries in progress on this node.';
  metrics.gauge('doorstep_webhook_calls_under_way', help, () => queue.runningCount);
  return queue;
}

type EndpointHealthDeps = Pick<CallEndpointsDeps, 'db' | 'clock' | 'log' | 'jobs'>;

/** Records endpoints' health after a batch of calls, and switches off endpoints that have failed for too long. */
async function recordEndpointHealth(deps: EndpointHealthDeps, attempts: readonly Attempt<LeasedCall>[]): Promise<void> {
  const now = deps.clock.now();
  const failingBefore = now.subtract({ hours: DISABLE_AFTER_DAYS * 24 });
  for (const owner of await recordHealth(deps.db, healthsOf(attempts), now, failingBefore)) {
    await switchOff(deps, owner, failingBefore, now);
  }
}

/** Switches an endpoint off, ends its waiting calls and queues the notice to its owner, in one transaction. */
async function switchOff(
  { db, jobs, log }: EndpointHealthDeps,
  { accountId, mode }: Owner,
  failingBefore: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await disableEndpoint(tx, { accountId, mode }, failingBefore, now))) return;
    await endWaitingCalls(tx, { accountId, mode });
    await jobs.enqueue(tx, WEBHOOK_SWITCHED_OFF, { accountId, mode, at: now.toString() });
    log.warn({ accountId, mode }, 'webhook endpoint switched off after days of failures');
  });
}

/** Returns the health of each owner's URL, from calls in the order that they ended. */
function healthsOf(attempts: readonly Attempt<LeasedCall>[]): Health[] {
  const healths = new Map<string, Health>();
  for (const { row, end } of attempts) {
    const key = JSON.stringify([ownerKey(row.owner), row.url]);
    healths.set(key, {
      ...row.owner,
      url: row.url,
      hasSucceeded: end === 'taken' || healths.get(key)?.hasSucceeded === true,
      lastFailed: end !== 'taken',
    });
  }
  return [...healths.values()];
}
