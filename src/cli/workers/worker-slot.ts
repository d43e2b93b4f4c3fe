import { join } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { CLOSE_TIMEOUT_MS } from '../interruption.ts';
import { watchSilence } from './watch-silence.ts';
import type { FromWorker, StartOrder, ToWorker } from './worker-messages.ts';

const PROGRAM = join(import.meta.dirname, 'worker-thread.ts');
/** A worker that ends is started again after a pause, which doubles each time and begins anew after a steady run. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const STEADY_MS = 60_000;
/** A thread that has not ended so long after it was told to. */
const END_MS = CLOSE_TIMEOUT_MS - 2000;

export type SlotOptions = {
  order: Omit<StartOrder, 'isReplacement'>;
  log: Logger;
  hear(message: FromWorker): void;
  /** A thread was started. */
  onStart(): void;
  /** The worker ended unasked; a successor is started unless `stop` is called here. */
  onGone(how: string): void;
};

/** The place of one worker: a thread, and its successors. */
export class WorkerSlot {
  readonly number: number;
  /** How often a thread was started here. */
  starts = 0;
  private readonly options: SlotOptions;
  private thread: Worker | undefined;
  private ended: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private isStopping = false;

  constructor(options: SlotOptions) {
    this.options = options;
    this.number = options.order.number;
  }

  start(): void {
    const { order, log, hear, onStart } = this.options;
    const { number } = this;
    const { promise, resolve } = Promise.withResolvers<void>();
    const startedMs = performance.now();
    this.starts += 1;
    const thread = new Worker(PROGRAM, {
      workerData: { ...order, isReplacement: this.starts > 1 },
      name: `worker ${number}`,
    });
    [this.thread, this.ended] = [thread, promise];
    const watch = watchSilence(() => {
      log.error({ worker: number }, 'a worker is stuck: ending it');
      this.watchEnd();
      void thread.terminate();
    });
    thread.on('message', (message: FromWorker) => {
      watch.hear();
      hear(message);
    });
    // Lack of memory, and an error before the program handles errors: the end of the thread follows.
    thread.on('error', (error) => log.error({ err: error, worker: number }, 'a worker failed'));
    thread.once('exit', (status) => {
      watch.stop();
      this.thread = undefined;
      resolve();
      if (!this.isStopping) this.replace(`exit status ${status}`, performance.now() - startedMs);
    });
    log.info({ worker: number, thread: thread.threadId }, 'worker started');
    onStart();
  }

  /** Sends the message; false where no thread runs. */
  send(message: ToWorker, transferred: MessagePort[] = []): boolean {
    this.thread?.postMessage(message, transferred);
    return this.thread !== undefined;
  }

  /** Lets the thread end what is under way; resolves once no thread runs. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    if (this.send({ kind: 'stop' })) this.watchEnd();
    await this.ended;
  }

  /** A thread that even `terminate` does not end, because it only collects garbage, takes the process with it. */
  private watchEnd(): void {
    const end = setTimeout(() => {
      this.options.log.fatal({ worker: this.number }, 'a worker cannot be ended: ending the process');
      process.kill(process.pid, 'SIGKILL');
    }, END_MS).unref();
    void this.ended.then(() => clearTimeout(end));
  }

  private replace(how: string, ranMs: number): void {
    const { log, onGone } = this.options;
    if (ranMs > STEADY_MS) this.pauseMs = FIRST_PAUSE_MS;
    onGone(how);
    if (this.isStopping) return;
    log.error({ worker: this.number, how, pauseMs: this.pauseMs }, 'a worker ended: starting it again');
    this.timer = setTimeout(() => this.start(), this.pauseMs);
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
  }
}
