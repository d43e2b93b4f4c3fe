import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TextLine } from '../lib/read-lines.ts';
import { storeIdOf } from '../stores/store-id.ts';
import type { ReadOsmHours } from './feed/feed-fields.ts';
import { type ParsedStoreLine, parseStoreLine } from './feed/parse-store-line.ts';
import type { FeedEntry } from './formats.ts';
import { importStoreWithFile } from './import-categories-file.flow.ts';
import type { ImportTally } from './import-result.ts';
import { exemptOf, type InferredFeed, misplacedFault, noteStores } from './inferred-feed.ts';
import { createOsmMemo } from './osm-memo.ts';
import { readJson } from './read-json.ts';
import { createSeenStores, type SeenStores } from './seen-stores.ts';
import { type Batches, type BatchItem, createBatches, type Turn } from './store-batches.ts';
import { createStoreRows } from './store-rows.ts';
import { blamesData, type ImportDeps, type StagedStore, writeStores } from './write-stores.flow.ts';

export type Feed = {
  source: string;
  /** The name that errors carry; null where only one file is read. */
  name: string | null;
  /** Where categories files lie. */
  folder: string;
  entries: AsyncIterable<readonly FeedEntry[]>;
  /** Collects every store that the feed names, in faulty lines too. */
  seen?: SeenStores;
  /** Present where no source is stated. */
  inferred?: InferredFeed;
  tally: ImportTally;
  onProgress?: () => void;
};

/** Bounds of one transaction: enough stores for speed, few enough to stay small in memory and short in locks. */
const BATCH_STORES = 1000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** Reading yields so often: the statements of two batches, and the bytes of a copy, wait for the event loop. */
const YIELD_AFTER_MS = 0.5;
const LINES_AT_ONCE = 8;
/** Characters of lines that wait for a later line of their store. */
const WAITING_CHARACTERS = 16 * 1024 * 1024;

/** The lines of a JSON feed as entries. */
export async function* storeEntries(lines: AsyncIterable<readonly TextLine[]>): AsyncGenerator<FeedEntry[]> {
  const readOsmHours = createOsmMemo();
  for await (const some of lines) {
    for (let from = 0; from < some.length; from += LINES_AT_ONCE) {
      const next = some.slice(from, from + LINES_AT_ONCE);
      yield next.map((line) => ({ line: line.line, parsed: parseLine(line, readOsmHours) }));
    }
  }
}

function parseLine(line: TextLine, readOsmHours: ReadOsmHours): ParsedStoreLine {
  const json = readJson(line);
  return json.ok ? parseStoreLine(json.value, readOsmHours) : { ...json, externalId: null };
}

/**
 * Imports a feed in batches: one batch is written while the next is prepared and the one after is read. Lines keep their
 * sequence: a line that repeats a store starts a new batch, so that the last line counts. A line that was replaced by a
 * later line in the import before waits for that line, so that the same file changes nothing. A store that the database refuses
 * because of its data is rejected; any other failure of the database ends the import, and only whole stores are written
 * until then.
 */
export async function importFeed(deps: ImportDeps, feed: Feed): Promise<void> {
  const waiting = createWaiting();
  const batches = createBatches<BatchedStore>({
    write: (stores, turn) => writeBatch(deps, { feed, waiting }, stores, turn),
    maxItems: BATCH_STORES,
    maxCharacters: BATCH_CHARACTERS,
  });
  const taking = { batches, lines: createSeenStores() };
  let yieldedAtMs = performance.now();
  try {
    for await (const entries of feed.entries) {
      for (const entry of entries) {
        await takeEntry(deps, feed, taking, entry);
        if (performance.now() - yieldedAtMs < YIELD_AFTER_MS) continue;
        await nextTurn();
        yieldedAtMs = performance.now();
      }
      feed.onProgress?.();
    }
  } finally {
    // Write the stores that were read before the feed broke off.
    await batches.drain();
    await writeWaiting(deps, { feed, waiting });
  }
}

async function takeEntry(deps: ImportDeps, feed: Feed, { batches, lines }: Taking, entry: FeedEntry): Promise<void> {
  if ('leftOut' in entry) {
    feed.tally.leaveOut(entry.leftOut);
    if (feed.inferred) feed.inferred.leavesOut = true;
    return;
  }
  const place = { file: entry.file ?? feed.name, line: entry.line };
  if ('warnings' in entry) {
    feed.tally.warn(place, entry.warnings);
    return;
  }
  const { line, parsed } = entry;
  feed.tally.warn(place, parsed.warnings);
  const externalId = parsed.ok ? parsed.store.externalId : parsed.externalId;
  if (externalId !== null) feed.seen?.add(storeIdOf(feed.source, externalId));
  if (!parsed.ok) {
    feed.tally.reject(place, parsed.faults);
    return;
  }
  const { store } = parsed;
  if (store.categoriesFile !== null) {
    await batches.drain();
    await importStoreWithFile(deps, feed, { line, store, file: store.categoriesFile });
    return;
  }
  const rows = createStoreRows(feed.source, store);
  const products = store.catalogue.products.map((placed, seq) => rows.productRow(placed, seq));
  const characters = products.reduce((sum, row) => sum + row.length, 0);
  const repeats = lines.lineOf(rows.storeId);
  lines.add(rows.storeId, line);
  await batches.add({ ...rows.finish(store.catalogue.categories), products, place, repeats, characters });
}

type Taking = {
  batches: Batches<BatchedStore>;
  lines: SeenStores;
};
type BatchedStore = StagedStore & BatchItem;

/** Stores whose line waits for the line of the same file that replaced it in an earlier import. */
type Waiting = { readonly stores: Map<string, StagedStore>; characters: number };
/** `waiting` is null after the last line of the feed. */
type Batching = { feed: Feed; waiting: Waiting | null };

const createWaiting = (): Waiting => ({ stores: new Map(), characters: 0 });

const charactersOf = ({ products, categories, profile }: StagedStore): number =>
  [...products, ...categories, profile].reduce((sum, row) => sum + row.length, 0);

/** Writes the lines that no later line replaced this time. */
async function writeWaiting(deps: ImportDeps, { feed, waiting }: { feed: Feed; waiting: Waiting }): Promise<void> {
  if (waiting.stores.size > 0) await writeBatch(deps, { feed, waiting: null }, [...waiting.stores.values()], ALONE);
}

async function writeBatch(
  deps: ImportDeps,
  batching: Batching,
  stores: readonly StagedStore[],
  turn: Turn,
): Promise<void> {
  const { feed, waiting } = batching;
  const mayWait = (store: StagedStore) =>
    waiting !== null && waiting.characters + charactersOf(store) <= WAITING_CHARACTERS;
  try {
    const { source, inferred } = feed;
    const written = await writeStores(deps, { source, stores, taken: exemptOf(inferred), turn, mayWait });
    settle(feed, stores, written);
    settleWaiting(batching, stores, written);
  } catch (error) {
    // A batch whose predecessor failed has no fault of its own.
    await turn.begins;
    if (!blamesData(error)) throw error;
    if (stores.length > 1) return writeOneByOne(deps, batching, stores);
    const message = `could not be stored: ${error instanceof Error ? error.message : String(error)}`;
    feed.tally.reject(stores[0]?.place ?? { file: feed.name, line: 0 }, [{ path: '', message }]);
  }
}

/** Counts what became of the stores. */
function settle(
  { tally, source, inferred }: Feed,
  stores: readonly StagedStore[],
  { outcomes, merged, misplaced, known }: Awaited<ReturnType<typeof writeStores>>,
): void {
  tally.merged(merged);
  for (const outcome of outcomes.values()) tally.count(outcome);
  for (const { storeId, place } of misplaced.size > 0 ? stores : []) {
    const other = misplaced.get(storeId);
    if (other) tally.reject(place, [misplacedFault(source, other)]);
  }
  if (inferred) noteStores(inferred, { known, taken: outcomes.keys(), misplaced: misplaced.size });
}

/** Keeps the waiting lines; a waiting line that was replaced counts as unchanged. */
function settleWaiting(
  { feed: { tally }, waiting }: Batching,
  stores: readonly StagedStore[],
  written: Pick<Awaited<ReturnType<typeof writeStores>>, 'waiting' | 'replacing'>,
): void {
  const replacing = new Set<StagedStore>(written.replacing);
  const again = new Set<StagedStore>(written.waiting);
  for (const store of stores) {
    const before = waiting?.stores.get(store.storeId);
    if (before && waiting) {
      waiting.stores.delete(store.storeId);
      waiting.characters -= charactersOf(before);
      tally.count('unchanged');
    }
    const isOther = before ? before.feedHash !== store.feedHash : replacing.has(store) || again.has(store);
    if (isOther && store.repeats !== undefined) {
      const message = `repeats the external_id of line ${store.repeats} with other contents; the last line counts`;
      tally.warn(store.place, [{ path: 'external_id', message }]);
    }
    if (!again.has(store) || !waiting) continue;
    waiting.stores.set(store.storeId, store);
    waiting.characters += charactersOf(store);
  }
}

/** The turn of a batch that no other batch waits for. */
const ALONE: Turn = { begins: Promise.resolve(), passOn() {} };

async function writeOneByOne(deps: ImportDeps, batching: Batching, stores: readonly StagedStore[]): Promise<void> {
  for (const store of stores) await writeBatch(deps, batching, [store], ALONE);
}
