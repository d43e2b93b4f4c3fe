import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { randomId } from '../../platform/lib/random-id.ts';
import { RestartBackoff } from '../../platform/lib/restart-backoff.ts';
import type { WriterData } from '../stores/index-writer.flow.ts';
import type { FromWriter, ThreadData, ToWriter } from './writer-thread.flow.ts';

/** Milliseconds from `close` until a running thread is terminated, because its database may be hanging. */
const THREAD_END_TIMEOUT_MS = 3000;
/** Heap limits, without which garbage would accumulate. Compacting the largest segments needs half of this. */
const HEAP = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };

export type SearchWriterOptions = {
  data: WriterData;
  /** Maximum bytes of shelves on the disk. */
  maxShelfBytes: number;
  log: Logger;
  /** Called after each start of a thread, when every searching thread needs a new port (`connect`). */
  onStart(): void;
};

/** Runs the process's only thread that writes the search index. */
export class SearchWriter {
  private readonly options: SearchWriterOptions;
  private readonly backoff = new RestartBackoff();
  /** Names this process's index in the database (`search-checks.db.ts`). */
  private readonly node = randomId('idx_', 12);
  private thread: Worker | null = null;
  private isClosed = false;

  constructor(options: SearchWriterOptions) {
    this.options = options;
  }

  start(): void {
    const { data, maxShelfBytes, log, onStart } = this.options;
    const node = this.node;
    let loadedMs: number | undefined;
    const thread = new Worker(new URL('writer-thread.flow.ts', import.meta.url), {
      workerData: { ...data, node, maxShelfBytes } satisfies ThreadData,
      resourceLimits: HEAP,
      name: 'doorstep-search',
    });
    this.thread = thread;
    thread.on('message', (message: FromWriter) => {
      if (message.kind === 'log') log[message.level](message.fields, message.text);
      else loadedMs = performance.now();
    });
    thread.on('error', (error) => log.error({ err: error }, 'the thread of the search index has failed'));
    // A load that ends incomplete, even after a long time, must not reset the backoff.
    thread.on('exit', () => this.startAgain(loadedMs === undefined ? 0 : performance.now() - loadedMs));
    onStart();
  }

  /** Opens a port for a searching thread; null while no thread runs; then `onStart` follows. */
  connect(): MessagePort | null {
    if (this.thread === null) return null;
    const { port1, port2 } = new MessageChannel();
    this.post({ kind: 'reader', port: port2 }, [port2]);
    return port1;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.backoff.cancel();
    const { thread } = this;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.post({ kind: 'close' });
    const end = setTimeout(() => void thread.terminate(), THREAD_END_TIMEOUT_MS);
    await ended;
    clearTimeout(end);
  }

  private startAgain(ranMs: number): void {
    this.thread = null;
    if (this.isClosed) return;
    const ms = this.backoff.restart(ranMs, () => this.start());
    this.options.log.warn({ ms }, 'the thread of the search index has ended: starting it again');
  }

  private post(message: ToWriter, transferred: MessagePort[] = []): void {
    this.thread?.postMessage(message, transferred);
  }
}
