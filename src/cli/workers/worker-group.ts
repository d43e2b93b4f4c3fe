import type { Logger } from 'pino';
import { ConfigError } from '../../config.ts';
import { CounterTable } from '../../load/shared-counters.ts';
import { SearchWriter } from '../../search/stores/search-writer.flow.ts';
import type { Role } from '../../wiring/service-options.ts';
import { CommandFailure } from '../failure.ts';
import { SCHEMA } from '../with-database.ts';
import { createMetricsGatherer } from './gather-metrics.ts';
import type { FromWorker, Listening, ToWorker, WorkerFailure } from './worker-messages.ts';
import { WorkerSlot } from './worker-slot.ts';

export type WorkerGroup = {
  /** Resolves once every worker listens; rejects where a worker cannot start. */
  listening: Promise<Listening>;
  /** Lets every worker end what is under way; resolves once no worker runs. */
  stop(): Promise<void>;
};

export type GroupOptions = {
  count: number;
  role: Role;
  connectionString: string;
  log: Logger;
  /** The folder of the search snapshot. */
  snapshotFolder: string | null;
  /** No worker can go on: the service must end. */
  onFailure(error: Error): void;
};

/**
 * Starts the workers of one port and keeps them running. They listen when each of them has opened what it needs; the
 * kernel shares out the connections (`SO_REUSEPORT`).
 */
export function startWorkers({
  count,
  role,
  connectionString,
  log,
  snapshotFolder,
  onFailure,
}: GroupOptions): WorkerGroup {
  const counters = CounterTable.allocate(count);
  // The first thread counts nothing of its own.
  const table = new CounterTable(counters, 1, count);
  const listening = Promise.withResolvers<Listening>();
  const [opened, listeners] = [new Set<number>(), new Set<number>()];
  const failures = new Map<number, WorkerFailure>();
  let isServing = false;
  const slots: WorkerSlot[] = [];
  const metrics = createMetricsGatherer(() => slots);
  const tellAll = (message: ToWorker) => {
    for (const slot of slots) slot.send(message);
  };

  /** Workers share one search index, which one thread writes. */
  const search = new SearchWriter({
    order: { connectionString, schema: SCHEMA, snapshotFolder },
    log,
    onStart: () => slots.forEach(connectSearch),
  });

  function connectSearch(slot: WorkerSlot): void {
    const port = search.connect();
    // A port that nobody reads would keep every version.
    if (port && !slot.send({ kind: 'search', port }, [port])) port.close();
  }

  async function answerMetrics(slot: WorkerSlot, id: number): Promise<void> {
    slot.send({ kind: 'all metrics', id, text: await metrics.gather() });
  }

  function hear(slot: WorkerSlot, message: FromWorker): void {
    const { number } = slot;
    switch (message.kind) {
      case 'alive':
        break;
      case 'metrics':
        metrics.hear(number, message.id, message.text);
        break;
      case 'read all metrics':
        answerMetrics(slot, message.id).catch((error) => log.error({ err: error }, 'metrics cannot be read'));
        break;
      case 'opened':
        opened.add(number);
        if (!isServing && opened.size === count) tellAll({ kind: 'listen' });
        break;
      case 'failed':
        failures.set(number, message);
        if (isServing && message.reason === 'newer schema') onFailure(errorOf(message, number));
        break;
      case 'listening':
        takeListener(number, message);
    }
  }

  function takeListener(number: number, at: Listening): void {
    listeners.add(number);
    if (isServing) log.info({ worker: number }, 'a worker answers again');
    if (isServing || listeners.size < count) return;
    isServing = true;
    listening.resolve(at);
  }

  function miss(number: number, how: string): void {
    table.forget(number);
    if (!isServing) {
      listening.reject(errorOf(failures.get(number), number, how));
      for (const slot of slots) void slot.stop();
      return;
    }
    const failure = failures.get(number);
    if (failure) log.error({ worker: number, reason: failure.sentence ?? failure.detail }, 'a worker failed');
    failures.delete(number);
  }

  for (let number = 1; number <= count; number += 1) {
    const slot: WorkerSlot = new WorkerSlot({
      order: { connectionString, role, number, count, counters },
      log,
      hear: (message) => hear(slot, message),
      onStart: () => connectSearch(slot),
      onGone: (how) => miss(number, how),
    });
    slots.push(slot);
  }
  if (role !== 'worker') search.start();
  for (const slot of slots) slot.start();
  // The caller may be interrupted before it waits for this.
  listening.promise.catch(() => {});
  return {
    listening: listening.promise,
    async stop() {
      await Promise.all(slots.map((slot) => slot.stop()));
      await search.close();
    },
  };
}

/** The error of the command: with the sentence of the worker, where it told one. */
function errorOf(failure: WorkerFailure | undefined, number: number, how = ''): Error {
  if (!failure) return new CommandFailure(`Worker ${number} ended before the service answered (${how}).`);
  const { sentence, detail, reason } = failure;
  if (sentence === undefined) return new Error(`Worker ${number} failed: ${detail}`);
  return reason === 'other' ? new CommandFailure(sentence) : new ConfigError([sentence]);
}
