import type { Logger } from 'pino';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { EventHandler } from '../../ordering/orders/dispatch-events.flow.ts';
import type { EventWork, FollowEvent } from '../../ordering/orders/follow-event.flow.ts';
import { findEvents } from '../../ordering/orders/order-events.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { isRefusedStatement } from '../../platform/db/hot-statement.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import type { WorkLimits } from '../../platform/jobs/owner-limiter.ts';
import { batchCalls } from '../../platform/lib/batch-calls.ts';
import { SerialGate } from '../../platform/lib/batch-gate.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { oncePerMinute } from '../../platform/lib/once-per-minute.ts';
import type { HttpAnswer, PublicHttp } from '../../platform/lib/public-http.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { nextAttemptAt } from '../../platform/lib/retry-schedule.ts';
import { activeSecrets } from '../../platform/lib/standard-webhook.ts';
import { failActiveSpan } from '../../platform/lib/tracing.ts';
import { callHeaders, faultOf } from '../messages/hand-over.flow.ts';
import { CALL_QUEUE, endWaitingCalls, insertCalls, type Outcome, recordOutcomes, type TakenCall } from './calls.db.ts';
import { disableEndpoint, findListeners, type Health, recordHealth } from './endpoints.db.ts';
import { DISABLE_AFTER_DAYS, WEBHOOK_SWITCHED_OFF } from './notify-endpoint-disabled.job.ts';
import { type Owner, ownerKey, USER_AGENT, webhookBody } from './webhook.ts';

/**
 * Writes one call per event for owners with an endpoint. If the endpoint is switched off, the call is stored as failed;
 * a replay sends it once the endpoint is on again.
 */
export function webhookEvents({
  clock,
  trackingSites,
}: {
  clock: Clock;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
}): EventHandler {
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

type CallEndpointsDeps = {
  db: Db;
  clock: Clock;
  config: Config;
  log: Logger;
  metrics: Metrics;
  publicHttp: PublicHttp;
  jobs: Jobs;
  followEvent: FollowEvent;
};

/** The queue of webhook calls. Calls that end at about the same time share the statement that records them. */
export function callEndpoints(deps: CallEndpointsDeps): LeasedQueue<TakenCall> {
  const count = countersOf(deps.metrics);
  const logFailure = logFailures(deps);
  const record = batchCalls<Outcome, void>({
    maxBatch: CALL_LIMITS.max,
    gate: new SerialGate(),
    didNothing: isRefusedStatement,
    async run(outcomes) {
      await recordOutcomes(deps.db, outcomes);
      await recordHealthOf(deps, outcomes);
      return outcomes.map(() => undefined);
    },
  });
  const queue = new LeasedQueue<TakenCall>({
    name: 'calling webhooks',
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    table: CALL_QUEUE,
    limits: CALL_LIMITS,
    ownerOf: ({ owner }) => ownerKey(owner),
    async work(call) {
      const outcome = await deps.followEvent(webhookWork(call), () => makeCall(deps, call));
      await record(outcome);
      count(outcome);
      logFailure(outcome);
    },
  });
  const help = 'Webhook calls that this node is making.';
  deps.metrics.gauge('doorstep_webhook_calls_under_way', help, () => queue.runningCount);
  return queue;
}

async function makeCall(deps: CallEndpointsDeps, call: TakenCall): Promise<Outcome> {
  const outcome = callOutcome(deps, call, await sendCall(deps, call));
  if (!outcome.isDelivered) failActiveSpan(String(outcome.status ?? outcome.error));
  return outcome;
}

function webhookWork({ orderId, sequence, owner, webhookId, attempts }: TakenCall): EventWork {
  const ids = { 'doorstep.account.id': owner.accountId, 'doorstep.webhook.id': webhookId };
  return { name: 'webhook call', orderId, sequence, attributes: { ...ids, 'doorstep.attempt': attempts + 1 } };
}

/** Never rejects: a call that cannot be sent is a failed attempt. */
async function sendCall({ clock, publicHttp, log }: CallEndpointsDeps, call: TakenCall): Promise<HttpAnswer> {
  try {
    const { webhookId: id, url, body } = call;
    const at = clock.now();
    const headers = callHeaders({ userAgent: USER_AGENT, secrets: activeSecrets(call, at), id, at, body });
    return await publicHttp.post(url, { headers, body });
  } catch (error) {
    log.error(
      { reason: error instanceof Error ? error.name : 'error', ...callIds(call) },
      'a webhook call could not be made',
    );
    return { failure: 'not sent' };
  }
}

function callOutcome({ clock, config }: CallEndpointsDeps, call: TakenCall, answer: HttpAnswer): Outcome {
  const at = clock.now();
  const status = 'status' in answer ? answer.status : null;
  const error = faultOf(answer);
  const isDelivered = error === null;
  // A replay restarts the schedule.
  const attempt = call.attempts - call.attemptsBefore + 1;
  const schedule = { delaysSeconds: config.webhookRetrySchedule };
  const retryAt = isDelivered ? undefined : nextAttemptAt(schedule, { attempt, since: at, now: at }, Math.random());
  return { call, at, isDelivered, status, error, nextAttemptAt: retryAt };
}

const callIds = ({ webhookId, owner }: TakenCall) => ({ webhookId, accountId: owner.accountId, mode: owner.mode });

/** Logs failed calls of an endpoint once a minute, with their number. `error` names a status or a network fault. */
function logFailures({ log, clock }: CallEndpointsDeps): (outcome: Outcome) => void {
  const newsOf = oncePerMinute(clock);
  return ({ call, isDelivered, error }) => {
    const times = isDelivered ? 0 : newsOf(ownerKey(call.owner));
    if (times > 0) log.warn({ ...callIds(call), reason: error, times }, 'webhook calls failed');
  };
}

function countersOf(metrics: Metrics): (outcome: Outcome) => void {
  const delivered = metrics.count('doorstep_webhook_calls_delivered_total', 'Webhook calls answered with 2xx.');
  const help = 'Webhook calls answered otherwise, or not at all.';
  const failed = metrics.count('doorstep_webhook_calls_failed_total', help);
  return ({ isDelivered }) => (isDelivered ? delivered : failed).inc();
}

type EndpointHealthDeps = { db: Db; clock: Clock; log: Logger; jobs: Jobs };

/** Records endpoints' health after a batch of calls, and switches off endpoints that have failed for too long. */
async function recordHealthOf(deps: EndpointHealthDeps, outcomes: readonly Outcome[]): Promise<void> {
  const now = deps.clock.now();
  const failingBefore = now.subtract({ hours: DISABLE_AFTER_DAYS * 24 });
  for (const owner of await recordHealth(deps.db, healthsOf(outcomes), now, failingBefore)) {
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

/** The health of each owner's URL, from calls in the order in which they ended. */
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
