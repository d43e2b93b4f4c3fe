import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Loop } from '../jobs/loop.ts';
import { recordTogether } from '../jobs/record-together.ts';
import { createUnderWay, type UnderWay } from '../jobs/under-way.ts';
import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Answer, PublicHttp } from '../lib/public-http/public-http.ts';
import { signedHeaders } from '../lib/standard-webhook.ts';
import { type Outcome, recordOutcomes, type TakenCall, takeDueCalls } from './delivery-queue.db.ts';
import { createLanes, FIRST_CALLS, type Lanes } from './lanes.ts';
import { recordHealthOf } from './record-health.flow.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import { ownerKey } from './webhook.ts';

const LOOK_EVERY_MS = 200;
/** Longer than a call may take; a dead worker's calls are made anew by another within 30 s. */
const LEASE_S = 25;
const MOST_RECORDED_AT_ONCE = 500;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Doorstep-Webhooks/1' };

type Needs = {
  db: Db;
  clock: Clock;
  config: Config;
  log: Logger;
  metrics: Metrics;
  publicHttp: PublicHttp;
  jobs: Jobs;
};
type Leased = { call: TakenCall; leasedUntil: Temporal.Instant };
type Ended = { outcome: Outcome; tookMs: number };

/**
 * Makes the calls that are due. Each runs by itself, outside of any transaction, and keeps its room until its outcome
 * is recorded; outcomes are recorded together, and the room that they make is filled at once.
 */
export function callEndpoints(deps: Needs): Loop {
  const lanes = createLanes();
  const underWay = createUnderWay();
  const count = countersOf(deps, underWay);
  let isIdling = false;

  const start = (leased: Leased): void => {
    lanes.started(ownerKey(leased.call.owner));
    underWay.add(makeCall(deps, leased).then((ended) => recorder.add(ended)));
  };
  const take = oneAtATime(async () => {
    const calls = await takeCalls(deps, lanes);
    calls.forEach(start);
    return calls.length;
  });
  const save = async (ended: readonly Ended[]): Promise<void> => {
    await recordEnded(deps, ended);
    ended.forEach(count);
    for (const { outcome, tookMs } of ended) lanes.ended(ownerKey(outcome.call.owner), tookMs);
    if (!isIdling) take().catch(failed);
  };
  const failed = (error: unknown) => deps.log.warn({ err: error }, 'the queue of webhook calls failed; trying again');
  const recorder = recordTogether(MOST_RECORDED_AT_ONCE, save, failed);
  return {
    name: 'calling webhooks',
    everyMs: LOOK_EVERY_MS,
    runOnce() {
      // Not waited for: the room that it makes is filled when it ends.
      void recorder.flush();
      return take();
    },
    async idle() {
      isIdling = true;
      await take.current()?.catch(failed);
      await underWay.idle();
      await recorder.flush();
      isIdling = false;
    },
  };
}

/** Two takes at once would count the same room twice: who asks meanwhile gets the answer of the one under way. */
function oneAtATime(task: () => Promise<number>) {
  let current: Promise<number> | undefined;
  const run = (): Promise<number> => {
    current ??= task().finally(() => {
      current = undefined;
    });
    return current;
  };
  return Object.assign(run, { current: () => current });
}

async function takeCalls({ db, clock }: Needs, lanes: Lanes): Promise<Leased[]> {
  const free = lanes.free();
  if (free <= 0) return [];
  // The lease is this worker's mark on the row: it must come back from the database as it went.
  const now = clock.now().round({ smallestUnit: 'millisecond', roundingMode: 'trunc' });
  const leasedUntil = now.add({ seconds: LEASE_S });
  const limits = { free, allowances: lanes.allowances(), others: FIRST_CALLS };
  const calls = await takeDueCalls(db, limits, now, leasedUntil);
  return calls.map((call) => ({ call, leasedUntil }));
}

async function makeCall(deps: Needs, { call, leasedUntil }: Leased): Promise<Ended> {
  const startedMs = performance.now();
  const answer = await sendCall(deps, call);
  return { outcome: outcomeOf(deps, { call, leasedUntil }, answer), tookMs: performance.now() - startedMs };
}

/** Never rejects: what cannot even be sent is a failed attempt. */
async function sendCall({ clock, publicHttp, log }: Needs, call: TakenCall): Promise<Answer> {
  try {
    const attempt = { id: call.webhook_id, at: clock.now(), body: call.body };
    const headers = { ...HEADERS, ...signedHeaders(call.secret, attempt) };
    return await publicHttp.post(call.url, { headers, body: call.body });
  } catch (error) {
    log.error({ reason: (error as Error).name, webhookId: call.webhook_id }, 'a webhook call could not be made');
    return { failure: 'not sent' };
  }
}

/** Only 2xx is a success: a redirect is not followed, and 410 is an answer like others. */
function outcomeOf({ clock, config }: Needs, { call, leasedUntil }: Leased, answer: Answer): Outcome {
  const at = clock.now();
  const status = 'status' in answer ? answer.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const error = 'failure' in answer ? answer.failure : isDelivered ? null : `status ${answer.status}`;
  const attempt = call.attempts - call.attempts_before + 1;
  const retryAt = isDelivered ? undefined : nextAttemptAt(config.webhookRetrySchedule, attempt, at, Math.random());
  return { call, leasedUntil, at, isDelivered, status, error, nextAttemptAt: retryAt };
}

async function recordEnded(deps: Needs, ended: readonly Ended[]): Promise<void> {
  const outcomes = ended.map(({ outcome }) => outcome);
  await recordOutcomes(deps.db, outcomes);
  await recordHealthOf(deps, outcomes);
}

function countersOf({ metrics }: Needs, underWay: UnderWay): (ended: Ended) => void {
  metrics.gauge('doorstep_webhook_calls_under_way', 'Webhook calls that this node is making.', underWay.size);
  const delivered = metrics.count('doorstep_webhook_calls_delivered_total', 'Webhook calls answered with 2xx.');
  const help = 'Webhook calls answered otherwise, or not at all.';
  const failed = metrics.count('doorstep_webhook_calls_failed_total', help);
  return ({ outcome }) => (outcome.isDelivered ? delivered : failed).inc();
}
