import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { FromWriter, ToWriter, WriterOrder } from './writer-thread.flow.ts';

/** A thread that has ended by itself is started again after a second, and then after twice as long, up to ten seconds. */
const MIN_RESTART_MS = 1000;
const MAX_RESTART_MS = 10_000;
const STEADY_MS = 60_000;
/** A thread that does not end is ended: its database may be silent. */
const END_MS = 3000;
/** Without a bound, a thread takes what its garbage grows to. A compaction of the largest segments needs half of this. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

export type SearchWriterOptions = {
  order: WriterOrder;
  log: Logger;
  /** Called whenever a thread has been started: each thread that searches needs a new port (`connect`). */
  onStart(): void;
};

/** Runs the one thread of a process that writes the search index. */
export class SearchWriter {
  private readonly options: SearchWriterOptions;
  private thread: Worker | null = null;
  private restart: NodeJS.Timeout | null = null;
  private restartMs = MIN_RESTART_MS;
  private isClosed = false;

  constructor(options: SearchWriterOptions) {
    this.options = options;
  }

  start(): void {
    const { order, log, onStart } = this.options;
    const startedMs = performance.now();
    const thread = new Worker(new URL('writer-thread.flow.ts', import.meta.url), {
      workerData: order,
      resourceLimits: HEAP,
      name: 'doorstep-search',
    });
    this.thread = thread;
    thread.on('message', ({ level, fields, text }: FromWriter) => log[level](fields, text));
    thread.on('error', (error) => log.error({ err: error }, 'the thread of the search index has failed'));
    thread.on('exit', () => this.startAgain(performance.now() - startedMs));
    onStart();
  }

  /** The end of a port for a thread that searches; null while no thread runs: `onStart` follows. */
  connect(): MessagePort | null {
    if (this.thread === null) return null;
    const { port1, port2 } = new MessageChannel();
    this.post({ kind: 'reader', port: port2 }, [port2]);
    return port1;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.restart !== null) clearTimeout(this.restart);
    const { thread } = this;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.post({ kind: 'close' });
    const end = setTimeout(() => void thread.terminate(), END_MS);
    await ended;
    clearTimeout(end);
  }

  private startAgain(ranMs: number): void {
    this.thread = null;
    if (this.isClosed) return;
    if (ranMs > STEADY_MS) this.restartMs = MIN_RESTART_MS;
    this.options.log.warn({ ms: this.restartMs }, 'the thread of the search index has ended: starting it again');
    this.restart = setTimeout(() => {
      this.restart = null;
      this.start();
    }, this.restartMs);
    this.restartMs = Math.min(MAX_RESTART_MS, 2 * this.restartMs);
  }

  private post(message: ToWriter, transferred: MessagePort[] = []): void {
    this.thread?.postMessage(message, transferred);
  }
}
