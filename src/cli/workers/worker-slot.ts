import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { WITH_COMPILE_CACHE } from '../../lib/compile-cache.ts';
import { watchSilence } from './watch-silence.ts';
import type { FromWorker, StartOrder, ToWorker } from './worker-messages.ts';

/** A worker that ends is started again after a pause, which doubles each time and begins anew after a steady run. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const STEADY_MS = 60_000;

/** The place of one worker: a process, and its successors. */
export type WorkerSlot = {
  readonly number: number;
  /** How often a process was started here. */
  readonly starts: number;
  start(): void;
  /** Sends the message; false where no process runs. */
  send(message: ToWorker): boolean;
  /** Lets the process end what is under way; resolves once no process runs. */
  stop(): Promise<void>;
};

export type SlotOptions = {
  order: Omit<StartOrder, 'kind' | 'isReplacement'>;
  log: Logger;
  hear(message: FromWorker): void;
  /** A process was started in the place of another. */
  onReplaced(): void;
  /** The process ended unasked; a successor is started unless `stop` is called here. */
  onGone(how: string): void;
};

export function createWorkerSlot({ order, log, hear, onReplaced, onGone }: SlotOptions): WorkerSlot {
  const { number } = order;
  let process: Worker | undefined;
  let ended: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let [starts, pauseMs, isStopping] = [0, FIRST_PAUSE_MS, false];

  function send(message: ToWorker): boolean {
    // A process that is ending takes no message any more.
    if (!process?.isConnected()) return false;
    process.send(message, () => {});
    return true;
  }

  function start(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const startedMs = performance.now();
    const started = cluster.fork(WITH_COMPILE_CACHE);
    [process, ended, starts] = [started, promise, starts + 1];
    const watch = watchSilence(() => {
      log.error({ worker: number, pid: started.process.pid }, 'a worker is stuck: killing it');
      started.process.kill('SIGKILL');
    });
    started.on('message', (message: FromWorker) => {
      watch.hear();
      hear(message);
    });
    started.on('error', (error) => log.warn({ err: error, worker: number }, 'a worker cannot be reached'));
    started.once('exit', (status: number | null, signal: string | null) => {
      watch.stop();
      process = undefined;
      resolve();
      if (!isStopping) replace(signal ?? `exit status ${status}`, performance.now() - startedMs);
    });
    log.info({ worker: number, pid: started.process.pid }, 'worker started');
    send({ kind: 'start', ...order, isReplacement: starts > 1 });
    if (starts > 1) onReplaced();
  }

  function replace(how: string, ranMs: number): void {
    if (ranMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
    onGone(how);
    if (isStopping) return;
    log.error({ worker: number, how, pauseMs }, 'a worker ended: starting it again');
    timer = setTimeout(start, pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  return {
    number,
    get starts() {
      return starts;
    },
    start,
    send,
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      send({ kind: 'stop' });
      await ended;
    },
  };
}
