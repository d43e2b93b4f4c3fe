import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { StoreFeed } from '../../stores/store-feed.cache.ts';
import type { StoreSearch } from './store-search.index.ts';
import type { ChangedStore, FromWriter, ToWriter, WriterOrder } from './writer-thread.flow.ts';

/** A thread that has ended by itself is started again after a second, and then after twice as long, up to ten seconds. */
const MIN_RESTART_MS = 1000;
const MAX_RESTART_MS = 10_000;
/** A thread that does not end is ended: its database may be silent. */
const END_MS = 3000;
/** Without a bound, a thread takes what its garbage grows to. A compaction of the largest segments needs half of this. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

export type SearchWriterOptions = {
  order: WriterOrder;
  search: StoreSearch;
  log: Logger;
  /** Called for every store that has changed, before searches see the change. */
  onChange(store: ChangedStore): void;
  /** Called once, when all stores are in search. */
  onLoaded(): void;
};

type Call = { promise: Promise<void>; resolve(): void; reject(error: Error): void };

/**
 * Runs the thread that writes the search index of this process, and shows its versions. While the thread is away, search
 * goes on with what it has.
 */
export class SearchWriter implements StoreFeed {
  private readonly options: SearchWriterOptions;
  private readonly calls = new Map<number, Call>();
  private lastCall = 0;
  private thread: Worker | null = null;
  private restart: NodeJS.Timeout | null = null;
  private restartMs = MIN_RESTART_MS;
  private completeMs: number | undefined;
  private isClosed = false;

  constructor(options: SearchWriterOptions) {
    this.options = options;
  }

  get isLoaded(): boolean {
    return this.completeMs !== undefined;
  }

  start(): void {
    const { order, log } = this.options;
    const thread = new Worker(new URL('writer-thread.flow.ts', import.meta.url), {
      workerData: order,
      resourceLimits: HEAP,
      name: 'doorstep-search',
    });
    this.thread = thread;
    thread.on('message', (message: FromWriter) => this.receive(message));
    thread.on('error', (error) => log.error({ err: error }, 'the thread of the search index has failed'));
    thread.on('exit', () => this.startAgain());
    for (const id of this.calls.keys()) this.post({ kind: 'catch up', id });
  }

  async catchUp(): Promise<void> {
    if (this.isClosed || (this.thread === null && this.restart === null)) return;
    this.lastCall += 1;
    const call = Promise.withResolvers<void>();
    this.calls.set(this.lastCall, call);
    this.post({ kind: 'catch up', id: this.lastCall });
    return call.promise;
  }

  lagSeconds(): number | undefined {
    if (this.completeMs === undefined) return undefined;
    return (performance.timeOrigin + performance.now() - this.completeMs) / 1000;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.restart !== null) clearTimeout(this.restart);
    const { thread } = this;
    if (thread !== null) {
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      this.post({ kind: 'close' });
      const end = setTimeout(() => void thread.terminate(), END_MS);
      await ended;
      clearTimeout(end);
    }
    for (const { resolve } of this.calls.values()) resolve();
    this.calls.clear();
  }

  private startAgain(): void {
    this.thread = null;
    if (this.isClosed) return;
    this.options.log.warn({ ms: this.restartMs }, 'the thread of the search index has ended: starting it again');
    this.restart = setTimeout(() => {
      this.restart = null;
      this.start();
    }, this.restartMs);
    this.restartMs = Math.min(MAX_RESTART_MS, 2 * this.restartMs);
  }

  private receive(message: FromWriter): void {
    if (this.isClosed) return;
    const { log } = this.options;
    if (message.kind === 'log') log[message.level](message.fields, message.text);
    else if (message.kind === 'version') this.show(message);
    else if (message.kind === 'complete') this.complete(message.completeMs);
    else this.settle(message);
  }

  private show({ publication, changed, completeMs }: Extract<FromWriter, { kind: 'version' }>): void {
    const { search, onChange } = this.options;
    for (const store of changed) onChange(store);
    this.post({ kind: 'release', version: search.show(publication) });
    if (completeMs !== undefined) this.complete(completeMs);
  }

  private complete(completeMs: number): void {
    const isFirst = this.completeMs === undefined;
    this.completeMs = completeMs;
    this.restartMs = MIN_RESTART_MS;
    if (isFirst) this.options.onLoaded();
  }

  private settle({ id, failure }: Extract<FromWriter, { kind: 'caught up' }>): void {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (failure === undefined) call?.resolve();
    else call?.reject(new Error(failure));
  }

  private post(message: ToWriter): void {
    this.thread?.postMessage(message);
  }
}
