import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../../config.ts';
import { NewerSchemaError } from '../../db/newer-schema.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { PeerCounters } from '../../load/shared-counters.ts';
import { type Service, startService } from '../../service.ts';
import { Interrupted } from '../failure.ts';
import { type Interruption, interrupted, listenForInterruption } from '../interruption.ts';
import { listen, listenPrivately } from '../listen-at.ts';
import { failOnStrayErrors } from '../on-database.ts';
import { isOfSettings, sentenceOf } from '../sentence-of.ts';
import { BEAT_MS } from './watch-silence.ts';
import type { FromWorker, StartOrder, ToWorker, WorkerFailure } from './worker-messages.ts';

/** The program of one worker of `doorstep serve --workers N`: it serves until the first process tells it to stop. */
const RETRY_MS = 1000;

// Messages that come early wait for their first listener.
process.once('message', (order: ToWorker) => {
  if (order.kind === 'start') void work(order);
});

async function work(order: StartOrder): Promise<void> {
  const interruption = listenForInterruption();
  const box = openMailbox(interruption);
  setInterval(() => void tell({ kind: 'alive' }), BEAT_MS).unref();
  try {
    await serve(order, box, interruption);
  } catch (error) {
    await tell(failureOf(error));
    process.exitCode = 1;
  }
  process.exit();
}

async function serve(order: StartOrder, box: Mailbox, interruption: Interruption): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel).child({ worker: order.number });
  failOnStrayErrors(interruption, (error) => log.fatal({ err: error }, 'uncaught error: stopping'));
  {
    await using resources = new AsyncDisposableStack();
    const service = await openService(order, { config, log, box, interruption });
    resources.defer(() => service.close());
    box.serves(service);
    await tell({ kind: 'opened' });
    const mayListen = order.isReplacement ? loaded(service, order, interruption.signal) : box.listenOrder;
    await Promise.race([mayListen, interrupted(interruption)]);
    if (!interruption.signal.aborted) {
      const url = await listen(service, config, order.role);
      const metricsUrl = await listenPrivately(service, config);
      await tell({ kind: 'listening', ...(url && { url }), ...(metricsUrl && { metricsUrl }) });
      await interrupted(interruption);
    }
  }
  const { reason } = interruption.signal;
  if (!(reason instanceof Interrupted)) throw reason;
}

type Surroundings = { config: Config; log: Logger; box: Mailbox; interruption: Interruption };

function openService(order: StartOrder, { config, log, box, interruption }: Surroundings): Promise<Service> {
  const { connectionString, role, number, count, isReplacement } = order;
  const onNewerSchema = (error: Error) => interruption.stop(error);
  const peers = { number, count, isReplacement, counters: box.counters, readMetrics: box.readMetrics };
  return startService({ config, connectionString, log, clock: systemClock, role, peers, onNewerSchema });
}

/** Resolves once search is complete, or when the signal comes; a worker of jobs alone has no search. */
async function loaded({ deps: { storeFeed } }: Service, { role }: StartOrder, signal: AbortSignal): Promise<void> {
  // A feed that is closed resolves at once, and never loads.
  while (role !== 'worker' && !storeFeed.isLoaded && !signal.aborted) {
    await storeFeed.catchUp().catch(() => pause(RETRY_MS));
  }
}

type Mailbox = {
  counters: PeerCounters;
  /** Resolves when every worker has opened what it needs. */
  listenOrder: Promise<void>;
  readMetrics(): Promise<string>;
  /** From now on the metrics of this service are told. */
  serves(service: Service): void;
};

/** Reads the messages of the first process from now on. */
function openMailbox(interruption: Interruption): Mailbox {
  const counters = new PeerCounters((told) => void tell({ kind: 'numbers', told }));
  const listenOrder = Promise.withResolvers<void>();
  const asked = new Map<number, (text: string) => void>();
  let service: Service | undefined;
  let lastId = 0;
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'numbers') counters.receive(message.from, message.told);
    else if (message.kind === 'gone') counters.forget(message.from);
    else if (message.kind === 'tell all') counters.sendAll();
    else if (message.kind === 'listen') listenOrder.resolve();
    else if (message.kind === 'stop') interruption.stop(new Interrupted('SIGTERM'));
    else if (message.kind === 'all metrics') asked.get(message.id)?.(message.text);
    else if (message.kind === 'read metrics') {
      const { id } = message;
      const refused = (error: unknown) => service?.deps.log.error({ err: error }, 'metrics cannot be read');
      service?.deps.metrics.text().then((text) => tell({ kind: 'metrics', id, text }), refused);
    }
  });
  return {
    counters,
    listenOrder: listenOrder.promise,
    async readMetrics() {
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<string>();
      asked.set(id, resolve);
      void tell({ kind: 'read all metrics', id });
      return promise.finally(() => asked.delete(id));
    },
    serves(opened) {
      service = opened;
    },
  };
}

/** Resolves once the message is on its way, or cannot be sent because the first process has ended. */
function tell(message: FromWorker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
  else resolve();
  return promise;
}

function failureOf(error: unknown): WorkerFailure {
  const sentence = sentenceOf(error);
  const reason = error instanceof NewerSchemaError ? 'newer schema' : isOfSettings(error) ? 'settings' : 'other';
  // The stack alone: the properties of an error may hold a password.
  const detail = (error instanceof Error && error.stack) || String(error);
  return { kind: 'failed', ...(sentence !== undefined && { sentence }), detail, reason };
}
