import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorMessage } from 'doorstep/files';
import type { TextLine } from '../../platform/lib/read-lines.ts';
import { MAX_NEARBY } from '../stores/merges/merges.db.ts';
import { storeIdOf } from '../stores/store-id.ts';
import type { FeedEntry } from './formats.ts';
import { importStoreWithFile } from './import-categories-file.flow.ts';
import { type ParsedStoreLine, parseStoreLine } from './parse-store-line.ts';
import { readJson } from './read-json.ts';
import { createStoreRows } from './store-rows.ts';
import {
  createWriteBehind,
  type Feed,
  type ImportDeps,
  isDataError,
  type StagedStore,
  type WrittenBatch,
  writeStores,
} from './write-stores.flow.ts';

/** Maximum stores and characters per transaction: enough for speed, few enough for memory and short locks. */
const MAX_BATCH_STORES = 1000;
const MAX_BATCH_CHARACTERS = 4 * 1024 * 1024;
/** Milliseconds of reading before it yields, because the running batch's statements need the event loop. */
const YIELD_AFTER_MS = 0.5;
const LINES_PER_TURN = 8;
/** Maximum characters of lines that wait for a later line of their store. */
const MAX_WAITING_FEED_CHARACTERS = 16 * 1024 * 1024;

/** A warning of a store that may still be there twice. */
const TOO_MANY_NEARBY = {
  path: '',
  message: `expected at most ${MAX_NEARBY} stores nearby; not compared with the others`,
};

/** The lines of a JSON feed as entries. */
export async function* storeEntries(lines: AsyncIterable<readonly TextLine[]>): AsyncGenerator<FeedEntry[]> {
  for await (const some of lines) {
    for (let from = 0; from < some.length; from += LINES_PER_TURN) {
      const next = some.slice(from, from + LINES_PER_TURN);
      yield next.map((line) => ({ line: line.line, parsed: parseLine(line) }));
    }
  }
}

function parseLine(line: TextLine): ParsedStoreLine {
  const json = readJson(line);
  return json.ok ? parseStoreLine(json.value) : { ...json, externalId: null };
}

/** Returns the store of an entry, parsed; undefined for an entry without one. */
export function parsedStoreOf(entry: FeedEntry): ParsedStoreLine | undefined {
  return 'leftOut' in entry || 'warnings' in entry ? undefined : parsedStore(entry);
}

const parsedStore = (entry: { store: unknown } | { parsed: ParsedStoreLine }): ParsedStoreLine =>
  'parsed' in entry ? entry.parsed : parseStoreLine(entry.store);

/**
 * Imports a feed in batches, writing one while it reads the next. A store that the database refuses because of its data
 * is rejected. Any other database failure ends the import; stores written so far are complete.
 */
export async function importFeed(deps: ImportDeps, feed: Feed): Promise<void> {
  const writer = new FeedWriter(deps, feed);
  let yieldedAtMs = performance.now();
  try {
    for await (const entries of feed.entries) {
      for (const entry of entries) {
        await takeEntry(deps, feed, writer, entry);
        if (performance.now() - yieldedAtMs < YIELD_AFTER_MS) continue;
        await nextTurn();
        yieldedAtMs = performance.now();
      }
      feed.onProgress?.();
    }
  } finally {
    // Writes the stores that were read before the feed broke off.
    await writer.finish();
  }
}

async function takeEntry(deps: ImportDeps, feed: Feed, writer: FeedWriter, entry: FeedEntry): Promise<void> {
  if ('leftOut' in entry) {
    feed.tally.leaveOut(entry.leftOut);
    return;
  }
  const place = { file: entry.file ?? feed.name, line: entry.line };
  if ('warnings' in entry) {
    feed.tally.warn(place, entry.warnings);
    return;
  }
  const parsed = parsedStore(entry);
  feed.tally.warn(place, parsed.warnings);
  const externalId = parsed.ok ? parsed.store.externalId : parsed.externalId;
  if (externalId !== null) feed.seen?.add(storeIdOf(feed.source, externalId));
  const { settings } = parsed.ok ? parsed.store : {};
  const faults = parsed.ok ? ((settings && deps.settings?.faultsOf(settings)) ?? []) : parsed.faults;
  if (!parsed.ok || faults.length > 0) {
    feed.tally.reject(place, faults);
    return;
  }
  const { store } = parsed;
  if (store.categoriesFile !== null) {
    await writer.drain();
    await importStoreWithFile(deps, feed, { line: entry.line, store, file: store.categoriesFile });
    return;
  }
  const rows = createStoreRows(feed.source, store, deps.clock.now());
  const products = store.catalog.products.map((placed, seq) => rows.productRow(placed, seq));
  const characters = products.reduce((sum, row) => sum + row.length, 0);
  await writer.add({ ...rows.finish(store.catalog.categories), products, place, characters });
}

/**
 * Writes a feed's stores in batches. A repeated store starts a new batch, so that its last line wins. A line that a
 * later one replaced in the previous import waits for it, so that importing a file again changes nothing.
 */
class FeedWriter {
  private readonly deps: ImportDeps;
  private readonly feed: Feed;
  /** The last line of each store. */
  private readonly lines = new Map<string, number>();
  private readonly writes = createWriteBehind((stores: readonly StagedStore[]) => this.write(stores));
  private batch = new Map<string, StagedStore>();
  private batchCharacters = 0;
  private readonly waiting = new Map<string, StagedStore>();
  private waitingCharacters = 0;
  private isEnded = false;

  constructor(deps: ImportDeps, feed: Feed) {
    this.deps = deps;
    this.feed = feed;
  }

  /** Throws if an earlier batch failed. */
  async add(store: Omit<StagedStore, 'repeats'>): Promise<void> {
    const { storeId, place, characters } = store;
    if (this.batch.has(storeId)) await this.flush();
    this.batch.set(storeId, { ...store, repeats: this.lines.get(storeId) });
    this.lines.set(storeId, place.line);
    this.batchCharacters += characters;
    if (this.batch.size >= MAX_BATCH_STORES || this.batchCharacters >= MAX_BATCH_CHARACTERS) await this.flush();
  }

  async drain(): Promise<void> {
    await this.flush();
    await this.writes.drain();
  }

  /** Call after the last line. Also writes waiting lines that no later line has replaced this time. */
  async finish(): Promise<void> {
    await this.drain();
    this.isEnded = true;
    const left = [...this.waiting.values()];
    this.waiting.clear();
    if (left.length > 0) await this.write(left);
  }

  private async flush(): Promise<void> {
    if (this.batch.size === 0) return;
    const full = [...this.batch.values()];
    this.batch = new Map();
    this.batchCharacters = 0;
    await this.writes.add(full);
  }

  private async write(stores: readonly StagedStore[]): Promise<void> {
    const { source, name, tally } = this.feed;
    const mayWait = !this.isEnded && this.waitingCharacters < MAX_WAITING_FEED_CHARACTERS;
    try {
      this.settle(stores, await writeStores(this.deps, { source, stores, mayWait }));
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (stores.length > 1) {
        for (const store of stores) await this.write([store]);
        return;
      }
      tally.reject(stores[0]?.place ?? { file: name, line: 0 }, [
        { path: '', message: `could not be stored: ${errorMessage(error)}` },
      ]);
    }
  }

  /** Counts the outcome of the stores. */
  private settle(stores: readonly StagedStore[], written: WrittenBatch): void {
    const { tally } = this.feed;
    const { outcomes, merged, crowded, promotionFaults } = written;
    tally.merged(merged);
    for (const outcome of outcomes.values()) tally.count(outcome);
    const isCrowded = new Set(crowded);
    for (const store of stores) {
      if (isCrowded.has(store.storeId)) tally.warn(store.place, [TOO_MANY_NEARBY]);
      const faults = promotionFaults.get(store.storeId);
      if (faults) tally.warn(store.place, faults);
      this.settleRepeated(store, written);
    }
  }

  /** Postpones a line. The waiting line that it replaces counts as unchanged. */
  private settleRepeated(store: StagedStore, { waiting, differing }: WrittenBatch): void {
    const { tally } = this.feed;
    const before = this.waiting.get(store.storeId);
    if (before) {
      this.waiting.delete(store.storeId);
      this.waitingCharacters -= before.characters;
      tally.count('unchanged');
    }
    const isOther = before ? before.feedHash !== store.feedHash : differing.has(store.storeId);
    if (isOther && store.repeats !== undefined) {
      const message = `repeats the external_id of line ${store.repeats} with other contents; the last line counts`;
      tally.warn(store.place, [{ path: 'external_id', message }]);
    }
    if (!waiting.has(store.storeId)) return;
    this.waiting.set(store.storeId, store);
    this.waitingCharacters += store.characters;
  }
}
