import type { Deps } from '../deps.ts';
import type { Loop } from '../jobs/loop.ts';
import type { Answer } from '../lib/public-http/public-http.ts';
import { signedHeaders } from '../lib/standard-webhook.ts';
import { type Outcome, recordOutcomes, type TakenCall, takeDueCalls } from './delivery-queue.db.ts';
import { createLanes, FIRST_CALLS } from './lanes.ts';
import { recordHealthOf } from './record-health.flow.ts';
import { nextAttemptAt } from './retry-schedule.ts';

const LOOK_EVERY_MS = 200;
/** Longer than a call may take; a dead worker's calls are made anew by another within 30 s. */
const LEASE_S = 25;
const MOST_RECORDED_AT_ONCE = 500;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Doorstep-Webhooks/1' };

type Needs = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'metrics' | 'publicHttp' | 'jobs'>;

/**
 * Makes the calls that are due. Each runs by itself, outside of any transaction; outcomes are recorded together, as
 * many as have come in meanwhile, and room that they make is filled at once while the loop runs.
 */
export function callEndpoints(deps: Needs): Loop {
  const { db, clock, metrics, log } = deps;
  const lanes = createLanes();
  const underWay = new Set<Promise<void>>();
  const outcomes: { outcome: Outcome; tookMs: number }[] = [];
  const succeeded = metrics.count('doorstep_webhook_calls_delivered_total', 'Webhook calls answered with 2xx.');
  const failed = metrics.count(
    'doorstep_webhook_calls_failed_total',
    'Webhook calls answered otherwise, or not at all.',
  );
  metrics.gauge('doorstep_webhook_calls_under_way', 'Webhook calls that this node is making.', () => underWay.size);
  let recording: Promise<void> | undefined;
  let isIdling = false;

  const take = async (): Promise<number> => {
    const now = clock.now().round({ smallestUnit: 'millisecond', roundingMode: 'trunc' });
    const leasedUntil = now.add({ seconds: LEASE_S });
    const limits = { free: lanes.free(), allowances: lanes.allowances(), others: FIRST_CALLS };
    if (limits.free <= 0) return 0;
    const calls = await takeDueCalls(db, limits, now, leasedUntil);
    for (const call of calls) start(call, leasedUntil);
    return calls.length;
  };

  /** One take at a time: two would count the same room twice. */
  let taking: Promise<number> | undefined;
  const takeOnce = (): Promise<number> => {
    taking ??= take().finally(() => {
      taking = undefined;
    });
    return taking;
  };

  const start = (call: TakenCall, leasedUntil: Temporal.Instant): void => {
    lanes.started(call.account_id);
    const startedMs = performance.now();
    const running = makeCall(deps, call)
      .then((answer) => {
        const outcome = outcomeOf(deps, { call, leasedUntil, answer });
        (outcome.isDelivered ? succeeded : failed).inc();
        outcomes.push({ outcome, tookMs: performance.now() - startedMs });
        recording ??= record();
        return recording;
      })
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };

  /** Outcomes that cannot be recorded now keep their room, and are tried again at the next look. */
  const record = async (): Promise<void> => {
    try {
      while (outcomes.length > 0) {
        const batch = outcomes.slice(0, MOST_RECORDED_AT_ONCE);
        const ended = batch.map(({ outcome }) => outcome);
        await recordOutcomes(db, ended);
        await recordHealthOf(deps, ended);
        outcomes.splice(0, batch.length);
        for (const { outcome, tookMs } of batch) lanes.ended(outcome.call.account_id, tookMs);
        if (!isIdling) takeOnce().catch((error) => log.warn({ err: error }, 'taking webhook calls failed'));
      }
    } catch (error) {
      log.warn({ err: error }, 'recording webhook calls failed; trying again');
    } finally {
      recording = undefined;
    }
  };

  return {
    name: 'calling webhooks',
    everyMs: LOOK_EVERY_MS,
    async runOnce() {
      if (outcomes.length > 0) recording ??= record();
      return takeOnce();
    },
    async idle() {
      isIdling = true;
      await taking?.catch(() => {});
      while (underWay.size > 0) await Promise.all(underWay);
      if (outcomes.length > 0) recording ??= record();
      await recording;
      isIdling = false;
    },
  };
}

/** Never rejects: what cannot even be sent is a failed attempt. */
async function makeCall({ clock, publicHttp, log }: Needs, call: TakenCall): Promise<Answer> {
  try {
    const attempt = { id: call.webhook_id, at: clock.now(), body: call.body };
    const headers = { ...HEADERS, ...signedHeaders(call.secret, attempt) };
    return await publicHttp.post(call.url, { headers, body: call.body });
  } catch (error) {
    log.error({ reason: (error as Error).name, webhookId: call.webhook_id }, 'a webhook call could not be made');
    return { failure: 'not sent' };
  }
}

type Ended = { call: TakenCall; leasedUntil: Temporal.Instant; answer: Answer };

/** Only 2xx is a success: a redirect is not followed, and 410 is an answer like others. */
function outcomeOf({ clock, config }: Needs, { call, leasedUntil, answer }: Ended): Outcome {
  const at = clock.now();
  const status = 'status' in answer ? answer.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const error = 'failure' in answer ? answer.failure : isDelivered ? null : `status ${answer.status}`;
  const attempt = call.attempts - call.attempts_before + 1;
  const retryAt = isDelivered ? undefined : nextAttemptAt(config.webhookRetrySchedule, attempt, at, Math.random());
  return { call, leasedUntil, at, isDelivered, status, error, nextAttemptAt: retryAt };
}
