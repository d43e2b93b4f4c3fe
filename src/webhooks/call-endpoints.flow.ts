import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { createBatchRecorder } from '../jobs/batch-recorder.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Loop } from '../jobs/loop.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import { createOwnerLimiter, type OwnerLimiter } from '../jobs/owner-limiter.ts';
import { createTaskSet, type TaskSet } from '../jobs/task-set.ts';
import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Answer, PublicHttp } from '../lib/public-http/public-http.ts';
import { secretsInForce, signedHeaders } from '../lib/standard-webhook.ts';
import { failSpanNow } from '../lib/tracing/span.ts';
import type { EventWork, FollowEvent } from '../orders/traces/follow-event.flow.ts';
import { CALL_HEADERS } from './call-body.ts';
import { CALL_LIMITS } from './call-limits.ts';
import { type Outcome, recordOutcomes, type TakenCall, takeDueCalls } from './call-queue.db.ts';
import { recordHealthOf } from './record-health.flow.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import { ownerKey } from './webhook.ts';

const LOOK_EVERY_MS = 200;
/** Longer than a call may take. Another worker repeats the calls of a dead worker within 30 s. */
const LEASE_S = 25;
const MAX_RECORDED_AT_ONCE = 500;

type Needs = {
  db: Db;
  clock: Clock;
  config: Config;
  log: Logger;
  metrics: Metrics;
  publicHttp: PublicHttp;
  jobs: Jobs;
  followEvent: FollowEvent;
};
type Leased = { call: TakenCall; leasedUntil: Temporal.Instant };
type Ended = { outcome: Outcome; tookMs: number };

/**
 * Makes the calls that are due. Each call runs outside of any transaction and counts against its endpoint's limit until
 * its outcome is recorded. Outcomes are recorded in batches; each batch makes room for new calls, which start at once.
 */
export function callEndpoints(deps: Needs): Loop {
  const limiter = createOwnerLimiter(CALL_LIMITS);
  const running = createTaskSet();
  const count = countersOf(deps, running);
  let isIdling = false;

  const start = (leased: Leased): void => {
    limiter.started(ownerKey(leased.call.owner));
    running.add(makeCall(deps, leased).then((ended) => recorder.add(ended)));
  };
  const take = oneAtATime(async () => {
    const calls = await takeCalls(deps, limiter);
    calls.forEach(start);
    return calls.length;
  });
  const save = async (ended: readonly Ended[]): Promise<void> => {
    await recordEnded(deps, ended);
    ended.forEach(count);
    for (const { outcome, tookMs } of ended) limiter.ended(ownerKey(outcome.call.owner), tookMs);
    if (!isIdling) take().catch(failed);
  };
  const failed = (error: unknown) => deps.log.warn({ err: error }, 'the queue of webhook calls failed; trying again');
  const recorder = createBatchRecorder(MAX_RECORDED_AT_ONCE, save, failed);
  return {
    name: 'calling webhooks',
    everyMs: LOOK_EVERY_MS,
    runOnce() {
      // Do not wait: the flush itself starts new calls when it ends.
      void recorder.flush();
      return take();
    },
    async idle() {
      isIdling = true;
      await take.current()?.catch(failed);
      await running.idle();
      await recorder.flush();
      isIdling = false;
    },
  };
}

async function takeCalls({ db, clock }: Needs, limiter: OwnerLimiter): Promise<Leased[]> {
  const free = limiter.free();
  if (free <= 0) return [];
  // The lease marks the row as this worker's. PostgreSQL keeps microseconds: round, so that the mark compares equal.
  const now = clock.now().round({ smallestUnit: 'millisecond', roundingMode: 'trunc' });
  const leasedUntil = now.add({ seconds: LEASE_S });
  const limits = { free, allowances: limiter.allowances(), others: CALL_LIMITS.first };
  const calls = await takeDueCalls(db, limits, now, leasedUntil);
  return calls.map((call) => ({ call, leasedUntil }));
}

async function makeCall(deps: Needs, { call, leasedUntil }: Leased): Promise<Ended> {
  return deps.followEvent(workOf(call), async () => {
    const startedMs = performance.now();
    const answer = await sendCall(deps, call);
    const outcome = outcomeOf(deps, { call, leasedUntil }, answer);
    if (!outcome.isDelivered) failSpanNow(String(outcome.status ?? outcome.error));
    return { outcome, tookMs: performance.now() - startedMs };
  });
}

function workOf({ orderId, sequence, owner, webhookId, attempts }: TakenCall): EventWork {
  const ids = { 'doorstep.account.id': owner.accountId, 'doorstep.webhook.id': webhookId };
  return { name: 'webhook call', orderId, sequence, attributes: { ...ids, 'doorstep.attempt': attempts + 1 } };
}

/** Never rejects: a call that cannot be sent is a failed attempt. */
async function sendCall({ clock, publicHttp, log }: Needs, call: TakenCall): Promise<Answer> {
  try {
    const attempt = { id: call.webhookId, at: clock.now(), body: call.body };
    const headers = { ...CALL_HEADERS, ...signedHeaders(secretsInForce(call, attempt.at), attempt) };
    return await publicHttp.post(call.url, { headers, body: call.body });
  } catch (error) {
    log.error(
      { reason: error instanceof Error ? error.name : 'error', ...idsOf(call) },
      'a webhook call could not be made',
    );
    return { failure: 'not sent' };
  }
}

/** Only 2xx is a success: a redirect is not followed, and 410 is an answer like others. */
function outcomeOf({ clock, config }: Needs, { call, leasedUntil }: Leased, answer: Answer): Outcome {
  const at = clock.now();
  const status = 'status' in answer ? answer.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const error = 'failure' in answer ? answer.failure : isDelivered ? null : `status ${answer.status}`;
  const attempt = call.attempts - call.attemptsBefore + 1;
  const retryAt = isDelivered ? undefined : nextAttemptAt(config.webhookRetrySchedule, attempt, at, Math.random());
  return { call, leasedUntil, at, isDelivered, status, error, nextAttemptAt: retryAt };
}

async function recordEnded(deps: Needs, ended: readonly Ended[]): Promise<void> {
  const outcomes = ended.map(({ outcome }) => outcome);
  await recordOutcomes(deps.db, outcomes);
  for (const outcome of outcomes) logFailure(deps, outcome);
  await recordHealthOf(deps, outcomes);
}

const idsOf = ({ webhookId, owner }: TakenCall) => ({ webhookId, accountId: owner.accountId, mode: owner.mode });

/** The first attempt and the last one: those between fail alike. `error` names a status or a fault of the network. */
function logFailure({ log }: Needs, { call, isDelivered, error, nextAttemptAt: next }: Outcome): void {
  if (isDelivered) return;
  if (!next) log.warn({ ...idsOf(call), reason: error }, 'a webhook call is given up');
  else if (call.attempts === call.attemptsBefore) log.info({ ...idsOf(call), reason: error }, 'a webhook call failed');
}

function countersOf({ metrics }: Needs, running: TaskSet): (ended: Ended) => void {
  metrics.gauge('doorstep_webhook_calls_under_way', 'Webhook calls that this node is making.', running.size);
  const delivered = metrics.count('doorstep_webhook_calls_delivered_total', 'Webhook calls answered with 2xx.');
  const help = 'Webhook calls answered otherwise, or not at all.';
  const failed = metrics.count('doorstep_webhook_calls_failed_total', help);
  return ({ outcome }) => (outcome.isDelivered ? delivered : failed).inc();
}
