import type { MessagePort } from 'node:worker_threads';
import { runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import type { StoreFeed } from '../../supply/stores/store-feed.cache.ts';
import type { FromReader, ToReader } from './index-writer.flow.ts';
import type { ShelfAccess } from './shelf-access.ts';
import type { StoreSearch } from './store-search.index.ts';

/*
 * The searching side of the store index: receives the writer's versions, answers from the newest, and says how far
 * behind it is.
 */

export type SearchReaderOptions = {
  search: StoreSearch;
  /** Called for every changed store before searches see the change. */
  onChange(storeId: string): void;
  /** Called when searches see a writer's stores for the first time; any store may have changed. */
  onLoaded(): void;
  /** Called for each writer with its shelves, before `onLoaded`. */
  onShelves(access: ShelfAccess): void;
};

type Call = { promise: Promise<void>; resolve(): void; reject(error: Error): void };

/**
 * Shows the writer thread's versions to searches of this thread. While the writer is down, they use the last version.
 */
export class SearchReader implements StoreFeed {
  /** Stores that cannot be converted for search, and stores that the index lacks until it is loaded again. */
  leftOut = 0;
  missing = 0;
  private readonly options: SearchReaderOptions;
  private readonly calls = new Map<number, Call>();
  private lastCall = 0;
  private port: MessagePort | null = null;
  /** Messages are handled one by one, because a large version takes several slices. */
  private handled: Promise<void> = Promise.resolve();
  private completeMs: number | undefined;
  private isStarted = false;
  private isClosed = false;

  constructor(options: SearchReaderOptions) {
    this.options = options;
  }

  get isLoaded(): boolean {
    return this.completeMs !== undefined;
  }

  /** Makes `catchUp` wait for the writer from now on. */
  start(): void {
    this.isStarted = true;
  }

  /** Follows the versions of a started writer. */
  attach(port: MessagePort): void {
    this.port?.close();
    if (this.isClosed) {
      port.close();
      return;
    }
    this.port = port;
    port.on('message', (message: ToReader) => {
      this.handled = this.handled.then(() => this.receive(port, message));
    });
    for (const id of this.calls.keys()) this.post({ kind: 'catch up', id });
  }

  async catchUp(): Promise<void> {
    if (this.isClosed || !this.isStarted) return;
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
    for (const { resolve } of this.calls.values()) resolve();
    this.calls.clear();
    // Waits for the version in progress, because the writer reuses its blocks once the port is closed.
    await this.handled;
    this.port?.close();
  }

  /** Ignores messages of earlier writers, because each numbers its versions from the start. */
  private async receive(port: MessagePort, message: ToReader): Promise<void> {
    if (this.isClosed || port !== this.port) return;
    if (message.kind === 'version') await this.show(port, message);
    else if (message.kind === 'shelves') this.options.onShelves(message.access);
    else if (message.kind === 'complete')
      [this.completeMs, this.leftOut, this.missing] = [message.completeMs, message.leftOut, 0];
    else if (message.kind === 'incomplete') this.missing = message.missing;
    else this.settle(message);
  }

  private async show(port: MessagePort, version: Extract<ToReader, { kind: 'version' }>): Promise<void> {
    const { search, onChange, onLoaded } = this.options;
    for (const storeId of version.changed) onChange(storeId);
    const oldest = await runInSlices(search.show(version.publication));
    port.postMessage({ kind: 'release', version: oldest } satisfies FromReader);
    if (version.isWhole) onLoaded();
  }

  private settle({ id, failure }: Extract<ToReader, { kind: 'caught up' }>): void {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (failure === undefined) call?.resolve();
    else call?.reject(new Error(failure));
  }

  private post(message: FromReader): void {
    this.port?.postMessage(message);
  }
}
