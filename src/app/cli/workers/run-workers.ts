import { join } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { ConfigError } from '../../../platform/config/config.ts';
import { BUILD_COMMIT as commit, VERSION as version } from '../../../platform/lib/build-info.ts';
import { HeartbeatMonitor } from '../../../platform/lib/heartbeat-monitor.ts';
import { createLog } from '../../../platform/lib/log.ts';
import { createMetrics } from '../../../platform/lib/metrics.ts';
import { RestartBackoff } from '../../../platform/lib/restart-backoff.ts';
import { CounterTable } from '../../../platform/load/shared-counters.ts';
import { SearchWriter } from '../../../search/products/search-writer.flow.ts';
import { migrateSchema } from '../../wiring/open-connections.ts';
import { snapshotFolder } from '../../wiring/open-stores.ts';
import { loadSettings } from '../../wiring/read-settings.ts';
import type { Role } from '../../wiring/service-options.ts';
import { CommandFailure } from '../failure.ts';
import { CLOSE_TIMEOUT_MS, listenForInterruption, waitForInterruption } from '../interruption.ts';
import { readConfigToListen } from '../listen-at.ts';
import { failOnStrayErrors, onDatabase } from '../on-database.ts';
import { SCHEMA } from '../with-database.ts';
import { mergeMetrics } from './merge-metrics.ts';
import type { FromWorker, Listening, StartData, ToWorker, WorkerFailure } from './worker-messages.ts';

/* The thread that starts, watches and stops the workers of one service, and shares their counters. */

export type WorkersRun = {
  role: Role;
  workers: number;
  /** Called when every worker answers; `url` is undefined if they do not listen. */
  announce(url: string | undefined): void;
};

/**
 * Runs the service as several threads that share a port, until a signal (docs/scaling.md#workers). This thread opens
 * the database, migrates the schema, and restarts workers that end. Ends like `runService`.
 */
export async function runWorkers({ role, workers, announce }: WorkersRun): Promise<void> {
  const config = role === 'worker' ? await loadSettings(process.env) : await readConfigToListen(process.env);
  const log = createLog(config.logLevel);
  const interruption = listenForInterruption();
  failOnStrayErrors(interruption, (error) => log.fatal({ err: error }, 'uncaught error: stopping'));
  await onDatabase({ config, log, interruption }, async (connectionString, resources) => {
    await migrateSchema({ connectionString, schema: SCHEMA, log });
    if (interruption.signal.aborted) return;
    const onFailure = (error: Error) => interruption.stop(error);
    const snapshots = snapshotFolder(config, SCHEMA);
    const group = new WorkerGroup({
      count: workers,
      role,
      connectionString,
      log,
      snapshotFolder: snapshots,
      maxShelfBytes: config.productIndexBytes,
      onFailure,
    });
    resources.defer(() => group.stop());
    const at = await Promise.race([group.listening, waitForInterruption(interruption)]);
    if (!at) return;
    log.info({ url: at.url, metricsUrl: at.metricsUrl, role, workers, version, commit }, 'ready');
    if (role !== 'worker') interruption.drainFirst(config.drainSeconds, () => group.drain());
    announce(at.url);
    await waitForInterruption(interruption);
    log.info('stopping');
  });
}

/** Time-out of a worker's metrics; a scrape omits workers that do not answer. */
const SCRAPE_TIMEOUT_MS = 2000;

type GroupOptions = {
  count: number;
  role: Role;
  connectionString: string;
  log: Logger;
  snapshotFolder: string | null;
  maxShelfBytes: number;
  /** Called when no worker can continue; then the service must end. */
  onFailure(error: Error): void;
};

/** A scrape of all workers' metrics, with the responses received so far, by worker number. */
type Scrape = { texts: Map<number, string>; pending: number; complete(): void };

/**
 * The workers of one port: starts each, lets them listen once all have opened the service, restarts a worker that ends,
 * and merges their metrics. The kernel distributes connections (`SO_REUSEPORT`).
 */
class WorkerGroup {
  /** Resolves once every worker listens; rejects if a worker cannot start. */
  readonly listening: Promise<Listening>;
  private readonly options: GroupOptions;
  private readonly slots: readonly WorkerSlot[];
  private readonly counters: CounterTable;
  /** Workers share one search index, written by one thread. */
  private readonly search: SearchWriter;
  private readonly metrics = createMetrics({ worker: '0' });
  private readonly scrapes = new Map<number, Scrape>();
  private readonly start = Promise.withResolvers<Listening>();
  private readonly opened = new Set<number>();
  private readonly listeners = new Set<number>();
  private readonly failures = new Map<number, WorkerFailure>();
  private isServing = false;
  private lastScrape = 0;

  constructor(options: GroupOptions) {
    const { count, role, connectionString, log, snapshotFolder, maxShelfBytes } = options;
    this.options = options;
    this.listening = this.start.promise;
    // The caller may be interrupted before it awaits this promise.
    this.listening.catch(() => {});
    const counters = CounterTable.allocate(count);
    // The first thread has a table without counts of its own.
    this.counters = new CounterTable(counters, 1, count);
    this.slots = Array.from({ length: count }, (_, nth) => this.createSlot(nth + 1, counters));
    this.search = new SearchWriter({
      data: { connectionString, schema: SCHEMA, snapshotFolder },
      maxShelfBytes,
      log,
      onStart: () => {
        for (const slot of this.slots) this.connectSearch(slot);
      },
    });
    if (role !== 'worker') this.search.start();
    for (const slot of this.slots) slot.start();
  }

  drain(): void {
    this.postAll({ kind: 'drain' });
  }

  /** Lets workers finish their requests; resolves once none is running. */
  async stop(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.stop()));
    await this.search.close();
  }

  private createSlot(number: number, counters: SharedArrayBuffer): WorkerSlot {
    const { role, count, connectionString, log } = this.options;
    const slot: WorkerSlot = new WorkerSlot({
      data: { connectionString, role, number, count, counters },
      log,
      receive: (message) => this.receive(slot, message),
      onStart: () => this.connectSearch(slot),
      onExit: (how) => this.onWorkerExit(number, how),
    });
    return slot;
  }

  private connectSearch(slot: WorkerSlot): void {
    const port = this.search.connect();
    // Closes an unsent port, because the writer keeps every version that a port's reader has not released.
    if (port && !slot.post({ kind: 'search', port }, [port])) port.close();
  }

  private postAll(message: ToWorker): void {
    for (const slot of this.slots) slot.post(message);
  }

  private receive(slot: WorkerSlot, message: FromWorker): void {
    const { count, log, onFailure } = this.options;
    const { number } = slot;
    switch (message.kind) {
      case 'heartbeat':
        break;
      case 'metrics':
        this.receiveMetrics(number, message.id, message.text);
        break;
      case 'read all metrics':
        this.answerMetrics(slot, message.id).catch((error) => log.error({ err: error }, 'metrics cannot be read'));
        break;
      case 'opened':
        this.opened.add(number);
        if (!this.isServing && this.opened.size === count) this.postAll({ kind: 'listen' });
        break;
      case 'failed':
        this.failures.set(number, message);
        if (this.isServing && message.reason === 'newer schema') onFailure(workerError(message, number));
        break;
      case 'listening':
        this.onListening(number, message);
    }
  }

  private onListening(number: number, at: Listening): void {
    const { count, log } = this.options;
    this.listeners.add(number);
    if (this.isServing) log.info({ worker: number }, 'a worker answers again');
    if (this.isServing || this.listeners.size < count) return;
    this.isServing = true;
    this.start.resolve(at);
  }

  private onWorkerExit(number: number, how: string): void {
    this.counters.forget(number);
    const failure = this.failures.get(number);
    this.failures.delete(number);
    if (!this.isServing) {
      this.start.reject(workerError(failure, number, how));
      for (const slot of this.slots) void slot.stop();
    } else if (failure) {
      const reason = failure.sentence ?? failure.detail;
      this.options.log.error({ worker: number, reason }, 'a worker failed');
    }
  }

  private async answerMetrics(slot: WorkerSlot, id: number): Promise<void> {
    slot.post({ kind: 'all metrics', id, text: await this.readMetrics() });
  }

  /** Metrics of this process and of the workers that answered, as one text. */
  private async readMetrics(): Promise<string> {
    this.lastScrape += 1;
    const id = this.lastScrape;
    const { promise, resolve: complete } = Promise.withResolvers<void>();
    const pending = this.slots.filter((slot) => slot.post({ kind: 'read metrics', id })).length;
    const texts = new Map<number, string>();
    this.scrapes.set(id, { texts, pending, complete });
    const timeout = setTimeout(complete, SCRAPE_TIMEOUT_MS);
    await promise;
    clearTimeout(timeout);
    this.scrapes.delete(id);
    const bySlot = this.slots.flatMap(({ number }) => texts.get(number) ?? []);
    const up = new Set(texts.keys());
    return mergeMetrics([await this.metrics.text(), ...bySlot, describeSlots(this.slots, up)]);
  }

  private receiveMetrics(number: number, id: number, text: string): void {
    const scrape = this.scrapes.get(id);
    if (!scrape) return;
    scrape.texts.set(number, text);
    if (scrape.texts.size === scrape.pending) scrape.complete();
  }
}

/** Metrics about workers that the workers cannot report themselves. */
export function describeSlots(slots: readonly WorkerSlot[], up: ReadonlySet<number>): string {
  return [
    '# HELP doorstep_worker_up Whether the worker answered this scrape.',
    '# TYPE doorstep_worker_up gauge',
    ...slots.map(({ number }) => `doorstep_worker_up{worker="${number}"} ${up.has(number) ? 1 : 0}`),
    '# HELP doorstep_worker_starts_total How often the worker was started.',
    '# TYPE doorstep_worker_starts_total counter',
    ...slots.map(({ number, starts }) => `doorstep_worker_starts_total{worker="${number}"} ${starts}`),
  ].join('\n');
}

/** The command's error, with the worker's sentence if it posted one. */
function workerError(failure: WorkerFailure | undefined, number: number, how = ''): Error {
  if (!failure) return new CommandFailure(`Worker ${number} ended before the service started (${how}).`);
  const { sentence, detail, reason } = failure;
  if (sentence === undefined) return new Error(`Worker ${number} failed: ${detail}`);
  return reason === 'other' ? new CommandFailure(sentence) : new ConfigError([sentence]);
}

const PROGRAM = join(import.meta.dirname, 'worker-thread.ts');
/** Time when a thread must end after `stop` or `terminate`. */
const THREAD_END_TIMEOUT_MS = CLOSE_TIMEOUT_MS - 2000;

type SlotOptions = {
  data: Omit<StartData, 'isReplacement'>;
  log: Logger;
  receive(message: FromWorker): void;
  /** A thread was started. */
  onStart(): void;
  /** The worker ended by itself. A replacement starts unless this calls `stop`. */
  onExit(how: string): void;
};

/** A worker's place: its thread, and the threads that replace it. */
class WorkerSlot {
  readonly number: number;
  /** How often a thread was started in this place. */
  starts = 0;
  private readonly options: SlotOptions;
  private readonly backoff = new RestartBackoff();
  private thread: Worker | undefined;
  private ended: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(options: SlotOptions) {
    this.options = options;
    this.number = options.data.number;
  }

  start(): void {
    const { data, log, receive, onStart } = this.options;
    const { number } = this;
    const { promise, resolve } = Promise.withResolvers<void>();
    const startedMs = performance.now();
    this.starts += 1;
    const thread = new Worker(PROGRAM, {
      workerData: { ...data, isReplacement: this.starts > 1 },
      name: `worker ${number}`,
    });
    [this.thread, this.ended] = [thread, promise];
    const onStuck = () => {
      log.error({ worker: number }, 'a worker is stuck: terminating it');
      this.requireEnd();
      void thread.terminate();
    };
    const heartbeat = new HeartbeatMonitor(onStuck, { isLoading: true });
    thread.on('message', (message: FromWorker) => {
      heartbeat.receive();
      receive(message);
    });
    // The thread will end, after running out of memory or an early error.
    thread.on('error', (error) => log.error({ err: error, worker: number }, 'a worker failed'));
    thread.once('exit', (status) => {
      heartbeat.stop();
      this.thread = undefined;
      resolve();
      if (!this.isStopping) this.replace(`exit status ${status}`, performance.now() - startedMs);
    });
    log.info({ worker: number, thread: thread.threadId }, 'worker started');
    onStart();
  }

  /** Posts the message; returns false if no thread is running. */
  post(message: ToWorker, transferred: MessagePort[] = []): boolean {
    this.thread?.postMessage(message, transferred);
    return this.thread !== undefined;
  }

  /** Lets the thread finish its requests; resolves once none is running. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.backoff.cancel();
    if (this.post({ kind: 'stop' })) this.requireEnd();
    await this.ended;
  }

  /** Kills the process if even `terminate` does not end the thread, because the thread is only collecting garbage. */
  private requireEnd(): void {
    const end = setTimeout(() => {
      this.options.log.fatal({ worker: this.number }, 'a worker cannot be terminated: ending the process');
      process.kill(process.pid, 'SIGKILL');
    }, THREAD_END_TIMEOUT_MS).unref();
    void this.ended.then(() => clearTimeout(end));
  }

  private replace(how: string, ranMs: number): void {
    const { log, onExit } = this.options;
    onExit(how);
    if (this.isStopping) return;
    const pauseMs = this.backoff.restart(ranMs, () => this.start());
    log.error({ worker: this.number, how, pauseMs }, 'a worker ended: starting it again');
  }
}
