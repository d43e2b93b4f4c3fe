import { join } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { RestartBackoff } from '../../../platform/lib/restart-backoff.ts';
import { CLOSE_TIMEOUT_MS } from '../interruption.ts';
import { HeartbeatMonitor } from './worker-heartbeat.ts';
import type { FromWorker, StartOrder, ToWorker } from './worker-messages.ts';

const PROGRAM = join(import.meta.dirname, 'worker-thread.ts');
/** Time in which a thread must end after `stop` or `terminate`. */
const END_MS = CLOSE_TIMEOUT_MS - 2000;

export type SlotOptions = {
  order: Omit<StartOrder, 'isReplacement'>;
  log: Logger;
  receive(message: FromWorker): void;
  /** A thread was started. */
  onStart(): void;
  /** The worker ended by itself. A replacement starts unless this calls `stop`. */
  onExit(how: string): void;
};

/** A worker's place: its thread, and the threads that replace it. */
export class WorkerSlot {
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
    this.number = options.order.number;
  }

  start(): void {
    const { order, log, receive, onStart } = this.options;
    const { number } = this;
    const { promise, resolve } = Promise.withResolvers<void>();
    const startedMs = performance.now();
    this.starts += 1;
    const thread = new Worker(PROGRAM, {
      workerData: { ...order, isReplacement: this.starts > 1 },
      name: `worker ${number}`,
    });
    [this.thread, this.ended] = [thread, promise];
    const heartbeat = new HeartbeatMonitor(() => {
      log.error({ worker: number }, 'a worker is stuck: terminating it');
      this.requireEnd();
      void thread.terminate();
    });
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
    }, END_MS).unref();
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
