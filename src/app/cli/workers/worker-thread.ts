import { setTimeout as pause } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Logger } from 'pino';
import { NewerSchemaError } from '../../../platform/db/newer-schema.ts';
import { systemClock } from '../../../platform/lib/clock.ts';
import { HEARTBEAT_MS } from '../../../platform/lib/heartbeat-monitor.ts';
import { createLog } from '../../../platform/lib/log.ts';
import { CounterTable } from '../../../platform/load/shared-counters.ts';
import { loadSettings, type ServiceConfig } from '../../wiring/read-settings.ts';
import { type Service, startService } from '../../wiring/service.ts';
import { errorSentence, isSettingsError } from '../error-sentence.ts';
import { Interrupted } from '../failure.ts';
import { type Interruption, listenForInterruption, waitForInterruption } from '../interruption.ts';
import { listen, listenPrivately } from '../listen-at.ts';
import { failOnStrayErrors } from '../on-database.ts';
import type { FromWorker, StartData, ToWorker, WorkerFailure } from './worker-messages.ts';

/*
 * The program of one worker of `doorstep serve --workers N`. Serves until the first thread posts `stop`.
 */

/** Delay after a failed load of the search index. */
const LOAD_RETRY_MS = 1000;

void work(workerData as StartData);

async function work(data: StartData): Promise<void> {
  const interruption = listenForInterruption();
  const box = openMailbox(interruption);
  const beat = () => post({ kind: 'heartbeat' });
  beat();
  setInterval(beat, HEARTBEAT_MS).unref();
  try {
    await serve(data, box, interruption);
  } catch (error) {
    post(describeFailure(error));
    process.exitCode = 1;
  }
  process.exit();
}

async function serve(data: StartData, box: Mailbox, interruption: Interruption): Promise<void> {
  const config = await loadSettings(process.env);
  const log = createLog(config.logLevel).child({ worker: data.number });
  failOnStrayErrors(interruption, (error) => log.fatal({ err: error }, 'uncaught error: stopping'));
  {
    await using resources = new AsyncDisposableStack();
    const service = await openService(data, { config, log, box, interruption });
    resources.defer(() => service.close());
    box.serves(service);
    post({ kind: 'opened' });
    const mayListen = data.isReplacement ? waitForSearch(service, data, interruption.signal) : box.listenOrder;
    await Promise.race([mayListen, waitForInterruption(interruption)]);
    if (!interruption.signal.aborted) {
      const url = await listen(service, config, data.role);
      const metricsUrl = await listenPrivately(service, config);
      post({ kind: 'listening', ...(url && { url }), ...(metricsUrl && { metricsUrl }) });
      await waitForInterruption(interruption);
    }
  }
  const { reason } = interruption.signal;
  if (!(reason instanceof Interrupted)) throw reason;
}

type WorkerContext = { config: ServiceConfig; log: Logger; box: Mailbox; interruption: Interruption };

function openService(data: StartData, { config, log, box, interruption }: WorkerContext): Promise<Service> {
  const { connectionString, role, number, count, isReplacement } = data;
  const counters = new CounterTable(data.counters, number, count);
  const onNewerSchema = (error: Error) => interruption.stop(error);
  const { readMetrics, onSearchPort } = box;
  const peers = { number, count, isReplacement, counters, readMetrics, onSearchPort };
  return startService({ config, connectionString, log, clock: systemClock, role, peers, onNewerSchema });
}

/** Resolves once search is loaded, or when the signal aborts. A worker node has no search. */
async function waitForSearch({ deps: { storeFeed } }: Service, { role }: StartData, signal: AbortSignal) {
  // A closed feed resolves at once and never loads.
  while (role !== 'worker' && !storeFeed.isLoaded && !signal.aborted) {
    await storeFeed.catchUp().catch(() => pause(LOAD_RETRY_MS));
  }
}

type Mailbox = {
  /** Resolves once every worker has opened the service. */
  listenOrder: Promise<void>;
  readMetrics(): Promise<string>;
  onSearchPort(attach: (port: MessagePort) => void): void;
  /** From now on, answers `read metrics` with this service's metrics. */
  serves(service: Service): void;
};

/** Starts receiving messages from the first thread. */
function openMailbox(interruption: Interruption): Mailbox {
  const listenOrder = Promise.withResolvers<void>();
  const pendingMetrics = new Map<number, (text: string) => void>();
  let service: Service | undefined;
  let lastId = 0;
  let port: MessagePort | undefined;
  let attach: ((port: MessagePort) => void) | undefined;
  const takePort = (next: MessagePort) => {
    port = next;
    attach?.(next);
  };
  parentPort?.on('message', (message: ToWorker) => {
    if (message.kind === 'listen') listenOrder.resolve();
    else if (message.kind === 'search') takePort(message.port);
    else if (message.kind === 'drain') service?.drain();
    else if (message.kind === 'stop') interruption.stop(new Interrupted('SIGTERM'));
    else if (message.kind === 'all metrics') pendingMetrics.get(message.id)?.(message.text);
    else if (message.kind === 'read metrics') {
      const { id } = message;
      const refused = (error: unknown) => service?.deps.log.error({ err: error }, 'metrics cannot be read');
      service?.deps.metrics.text().then((text) => post({ kind: 'metrics', id, text }), refused);
    }
  });
  return {
    listenOrder: listenOrder.promise,
    async readMetrics() {
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<string>();
      pendingMetrics.set(id, resolve);
      post({ kind: 'read all metrics', id });
      return promise.finally(() => pendingMetrics.delete(id));
    },
    onSearchPort(take) {
      attach = take;
      if (port) take(port);
    },
    serves(opened) {
      service = opened;
    },
  };
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function describeFailure(error: unknown): WorkerFailure {
  const sentence = errorSentence(error);
  const reason = error instanceof NewerSchemaError ? 'newer schema' : isSettingsError(error) ? 'settings' : 'other';
  // Reports only the stack, because an error's properties may contain a password.
  const detail = (error instanceof Error && error.stack) || String(error);
  return { kind: 'failed', ...(sentence !== undefined && { sentence }), detail, reason };
}
