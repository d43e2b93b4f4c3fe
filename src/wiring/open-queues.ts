import type { Logger } from 'pino';
import { callCouriers } from '../deliveries/couriers/call-couriers.flow.ts';
import { courierEvents } from '../deliveries/couriers/courier-events.flow.ts';
import { timerEvents } from '../deliveries/timer-events.flow.ts';
import { type JobQueue, type JobRun, openJobQueue } from '../jobs/job-queue.ts';
import type { Loop } from '../jobs/loop.ts';
import { repeat } from '../jobs/repeat.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Tracer } from '../lib/tracing/tracer.ts';
import { messageEvents } from '../messages/message-events.flow.ts';
import { messageLoops } from '../messages/send-messages.flow.ts';
import { offerEvents } from '../offers/offer-events.flow.ts';
import { noticeLoop } from '../offers/send-notices.flow.ts';
import { dispatchAllEvents, type EventHandler, refundEvents } from '../orders/dispatch-events.flow.ts';
import type { WaitingEvent } from '../orders/order-events.db.ts';
import { callEndpoints } from '../webhooks/call-endpoints.flow.ts';
import { webhookEvents } from '../webhooks/webhook-events.flow.ts';
import { workersOf } from '../workers.ts';
import type { Deps } from './deps.ts';
import { countOrderEvents } from './measure-orders.ts';
import type { ServiceOptions } from './service-options.ts';

/** An event of this process is dispatched to its handlers at most this long after its commit. */
const DISPATCH_EVERY_MS = 200;
/** Queues without work are looked at so often: what other processes write waits no longer. */
const IDLE_MS = 1000;

/** What a worker node repeats beside its jobs. */
export type Queues = {
  /** What follows from an order's events: timers, couriers, messages, webhook calls. */
  eventHandlers: readonly EventHandler[];
  /** Counts dispatched events for `/metrics`, and logs each. */
  countEvents: (events: readonly WaitingEvent[]) => void;
  /** The queues of webhook calls, of couriers' deliveries, of messages and of notices to stores. */
  loops: readonly Loop[];
  /** Called after whatever may have written to one of these queues: none of them rests any longer. */
  wake: () => void;
};

/** Connects to the job queue; no job runs before `startQueues`. */
export async function openJobs(
  options: ServiceOptions,
  tracer: Tracer | undefined,
  opened: AsyncDisposableStack,
): Promise<JobQueue> {
  const jobs = await openJobQueue({
    connectionString: options.connectionString,
    schema: `${options.schema}_jobs`,
    log: options.log,
    clock: options.clock,
    works: options.role !== 'api',
    tracer,
    ...(options.bossClock ? { bossClock: options.bossClock } : {}),
  });
  opened.defer(() => jobs.stop());
  return jobs;
}

/** Starts the background work of a node: jobs, the dispatching of events, the queues of calls and messages. */
export async function startQueues(
  deps: Deps,
  jobs: JobQueue,
  { role, log, bossClock }: ServiceOptions,
  opened: AsyncDisposableStack,
): Promise<Queues> {
  const eventHandlers = [
    timerEvents(deps),
    refundEvents(deps),
    courierEvents(deps),
    messageEvents(deps),
    webhookEvents(deps),
    offerEvents,
  ];
  const countEvents = noteEvents(deps);
  let wake = () => {};
  const couriers = callCouriers(deps, () => wake());
  const loops = [callEndpoints(deps), couriers, ...messageLoops(deps), noticeLoop(deps)];
  const countRun = countJobs(deps.metrics);
  await jobs.work(workersOf(deps), (run) => {
    countRun(run);
    wake();
  });
  opened.defer(async () => void (await Promise.all(loops.map((loop) => loop.idle()))));
  if (role === 'api' || bossClock) return { eventHandlers, countEvents, loops, wake };
  wake = repeatLoops({ db: deps.db, eventHandlers, countEvents }, loops, log, opened);
  // Build the frame of e-mail now, so that no message waits for it.
  deps.messaging.frame().catch((error) => log.error({ err: error }, 'no e-mail can be written'));
  return { eventHandlers, countEvents, loops, wake };
}

/** Dispatches events and looks at the queues again and again; returns how to end their rests. */
function repeatLoops(
  dispatch: Parameters<typeof dispatchAllEvents>[0],
  loops: readonly Loop[],
  log: Logger,
  opened: AsyncDisposableStack,
): () => void {
  const looks = loops.map(({ name, everyMs, runOnce }) =>
    repeat(name, { everyMs, idleMs: IDLE_MS }, log, async () => (await runOnce()) > 0),
  );
  const wakeLooks = () => {
    for (const look of looks) look.wake();
  };
  const dispatching = repeat('dispatching events', { everyMs: DISPATCH_EVERY_MS, idleMs: IDLE_MS }, log, async () => {
    const hasFound = (await dispatchAllEvents(dispatch)) > 0;
    if (hasFound) wakeLooks();
    return hasFound;
  });
  opened.defer(async () => void (await Promise.all([dispatching, ...looks].map((task) => task.stop()))));
  return () => {
    dispatching.wake();
    wakeLooks();
  };
}

/** Writes one log line for each event of an order: of clients, stores, couriers and the service itself. */
function noteEvents({ metrics, log }: Deps): Queues['countEvents'] {
  const count = countOrderEvents(metrics);
  return (events) => {
    count(events);
    for (const { orderId, accountId, storeId, mode, type, sequence } of events)
      log.info({ orderId, accountId, storeId, mode, type, sequence }, 'an order changed');
  };
}

/** From a look that finds nothing to a job that reads a database through. */
const JOB_BUCKETS = [0.01, 0.1, 1, 10, 60];

function countJobs(metrics: Metrics): (run: JobRun) => void {
  const observe = metrics.histogram({
    name: 'doorstep_job_duration_seconds',
    help: 'Runs of background jobs, by kind and outcome. A failed run is tried again as often as the job allows.',
    labels: ['kind', 'outcome'],
    buckets: JOB_BUCKETS,
  });
  return ({ job, outcome, seconds }) => observe({ kind: job, outcome }, seconds);
}
