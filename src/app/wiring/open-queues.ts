import type { Logger } from 'pino';
import { callCouriers, courierEvents } from '../../fulfillment/deliveries/couriers/call-couriers.flow.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { queueStoreNotices } from '../../fulfillment/store-channels/queue-notices.flow.ts';
import { noticeQueue } from '../../fulfillment/store-channels/send-notices.flow.ts';
import { messageEvents } from '../../notify/messages/message-events.flow.ts';
import { messageQueues } from '../../notify/messages/send-messages.flow.ts';
import { callEndpoints, webhookEvents } from '../../notify/webhooks/call-endpoints.flow.ts';
import { timerEvents } from '../../ordering/money/order-timer.job.ts';
import { dispatchAllEvents, type EventHandler, moneyEvents } from '../../ordering/order/dispatch-events.flow.ts';
import { countOrderDays } from '../../ordering/order/order-days.db.ts';
import type { WaitingEvent } from '../../ordering/order/order-events.db.ts';
import { showUsedOffers } from '../../ordering/order/show-used-offers.flow.ts';
import { ledgerEvents } from '../../ordering/statements/write-ledger.flow.ts';
import { JobQueue, type JobRun } from '../../platform/jobs/job-queue.ts';
import type { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import { RepeatedTask } from '../../platform/jobs/repeat.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { roomQueue } from '../../supply/pricing/publish-room.flow.ts';
import { promotionsQueue } from '../../supply/promotions/show-promotions.flow.ts';
import { alertQueue } from '../../surfaces/operator/alerts/send-alerts.flow.ts';
import { callPlatforms, platformEvents } from '../../surfaces/ucp/call-platforms.flow.ts';
import type { Deps } from './deps.ts';
import { countOrderEvents } from './measure-service.ts';
import type { ServiceOptions } from './service-options.ts';
import { simulationOf, workersOf } from './workers.ts';

/** Interval for dispatching waiting events; the queues behind them are checked right after. */
const DISPATCH_INTERVAL_MS = 200;
/** Interval for checking queues for due retries and new rows. */
const QUEUE_POLL_MS = 1000;
/** A quarter of a job's lease. */
const RENEW_JOBS_MS = 5000;

/** The repeated work of a worker node. */
export type Queues = {
  /** Handlers of order events, for timers, couriers, messages, webhook calls and the ledger. */
  eventHandlers: readonly EventHandler[];
  /** Counts dispatched events for `/metrics`, and logs each. */
  countEvents: (events: readonly WaitingEvent[]) => void;
  /** The queues of jobs, webhook calls, courier deliveries, messages and store notices. */
  queues: readonly Pick<LeasedQueue, 'name' | 'runOnce' | 'wake' | 'idle'>[];
};

/** Starts a node's background work: jobs, event dispatch, and queues of calls and messages. */
export async function startQueues(
  deps: Deps,
  { role, log, isDriven }: ServiceOptions,
  opened: AsyncDisposableStack,
): Promise<Queues> {
  const eventHandlers = [
    timerEvents({ ...deps, simulation: simulationOf(deps) }),
    moneyEvents(deps),
    courierEvents(deps),
    messageEvents(deps),
    webhookEvents(deps),
    countOrderDays,
    showUsedOffers,
    queueStoreNotices,
    ledgerEvents({ findCourierStores, log: deps.log }),
    platformEvents(deps),
  ];
  const countEvents = noteEvents(deps);
  const jobs = new JobQueue({ ...deps, workers: workersOf(deps), onRun: countJobs(deps.metrics) });
  const notices = [noticeQueue(deps), alertQueue(deps), roomQueue(deps), promotionsQueue(deps)];
  const calls = [callEndpoints(deps), callPlatforms(deps), callCouriers(deps), ...messageQueues(deps), ...notices];
  const started = { eventHandlers, countEvents, queues: [jobs.queue, ...calls] };
  if (role === 'api') return started;
  await jobs.schedule();
  opened.defer(async () => void (await Promise.all([jobs.stop(), ...calls.map((queue) => queue.idle())])));
  if (isDriven) return started;
  repeatQueues({ db: deps.db, jobs, ...started }, log, opened);
  // Builds the email frame now, so that no message waits for it.
  deps.messaging.frame().catch((error) => log.error({ err: error }, 'no email can be written'));
  return started;
}

/** Repeatedly dispatches events and checks the queues. */
function repeatQueues(
  { queues, jobs, ...dispatch }: Queues & Pick<Deps, 'db'> & { jobs: JobQueue },
  log: Logger,
  opened: AsyncDisposableStack,
): void {
  const looks = queues.map((queue) => {
    return new RepeatedTask({ name: queue.name, everyMs: QUEUE_POLL_MS, log, run: () => queue.runOnce() });
  });
  const run = async () => {
    if ((await dispatchAllEvents(dispatch)) > 0) for (const queue of queues) queue.wake();
  };
  const dispatching = new RepeatedTask({ name: 'dispatching events', everyMs: DISPATCH_INTERVAL_MS, log, run });
  const renewing = new RepeatedTask({ name: 'renewing jobs', everyMs: RENEW_JOBS_MS, log, run: () => jobs.renew() });
  opened.defer(async () => void (await Promise.all([dispatching, renewing, ...looks].map((task) => task.stop()))));
}

/** Writes one log line per order event, whether of clients, stores, couriers or the service. */
function noteEvents({ metrics, log }: Deps): Queues['countEvents'] {
  const count = countOrderEvents(metrics);
  return (events) => {
    count(events);
    for (const { orderId, accountId, storeId, mode, type, sequence } of events)
      log.info({ orderId, accountId, storeId, mode, type, sequence }, 'an order changed');
  };
}

/** Buckets in seconds: from a check that finds nothing to a job that reads the whole database. */
const JOB_BUCKETS = [0.01, 0.1, 1, 10, 60];

function countJobs(metrics: Metrics): (run: JobRun) => void {
  const observe = metrics.histogram({
    name: 'doorstep_job_duration_seconds',
    help: 'Runs of background jobs, by kind and outcome. A failed run is retried as often as the job allows.',
    labels: ['kind', 'outcome'],
    buckets: JOB_BUCKETS,
  });
  return ({ job, outcome, seconds }) => observe({ kind: job, outcome }, seconds);
}
