import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { Sql } from '../../db/connect.ts';
import type { LineFault } from './feed-fields.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import { createStaging, findFeedStates, findRepeatedProducts, stageCategories, stageProducts } from './import.db.ts';
import type { Feed } from './import-feed.flow.ts';
import type { StoreOutcome } from './import-result.ts';
import type { FeedStore } from './parse-store-line.ts';
import { type CategoryTree, createCategoryTree, type ParsedProductLine, parseProductLine } from './product-line.ts';
import { type FeedStream, openFeed, type TextLine, UnreadableFeed } from './read-lines.flow.ts';
import { createStoreRows, type StoreRowBuilder, type StoreRows } from './store-rows.ts';
import {
  blamesData,
  type ImportDeps,
  inRetriedTransaction,
  mergeStaged,
  STAGED_CHARACTERS,
  STAGED_ROWS,
} from './write-stores.flow.ts';

type StoreLine = { line: number; store: FeedStore; file: string };

/** The outcome of one reading of the file; faults and warnings carry the file's own line numbers. */
type Reading = { outcome: StoreOutcome | 'rejected'; faults: FileFault[]; warnings: FileFault[] };
type FileFault = { line: number; faults: readonly LineFault[] };

/** Lines with faults, and with warnings, that one file may report. */
const REPORTED_LINES = 1000;

/**
 * Imports a store whose catalogue lies in a file of its own, product by product: however large the file, only the
 * categories and one piece of it are in memory. One faulty product rejects the store, since a store is imported whole
 * or not at all.
 */
export async function importStoreWithFile(deps: ImportDeps, feed: Feed, entry: StoreLine): Promise<void> {
  const place = { file: feed.name, line: entry.line };
  const reject = (message: string) => feed.tally.reject(place, [{ path: 'categories_file', message }]);
  const path = await pathInside(feed.folder, entry.file);
  if (path === null) return reject('expected the name of a file beside the feed');
  try {
    const reading = await inRetriedTransaction(deps.db, (tx) => readAndMerge(tx, deps, feed, entry.store, path));
    report(feed, entry, reading);
  } catch (error) {
    if (error instanceof UnreadableFeed) return reject(`expected a file that can be read: ${error.message}`);
    if (!blamesData(error)) throw error;
    reject(`could not be stored: ${(error as Error).message}`);
  }
}

/** Where the file is; null when it is not there or lies outside the feed's folder. */
async function pathInside(folder: string, file: string): Promise<string | null> {
  try {
    const path = await realpath(resolve(folder, file));
    const way = relative(await realpath(folder), path);
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : path;
  } catch {
    return null;
  }
}

async function readAndMerge(tx: Sql, deps: ImportDeps, feed: Feed, store: FeedStore, path: string): Promise<Reading> {
  await createStaging(tx);
  const rows = createStoreRows(feed.source, store);
  const tree = createCategoryTree();
  const stream = await openFeed(path, Readable.from([]), FEED_LIMITS.lineBytes);
  const { faults, warnings } = await stageFile(tx, stream, rows, tree, feed.onProgress);
  for (const line of await findRepeatedProducts(tx, REPORTED_LINES - faults.length)) {
    faults.push({ line, faults: [{ path: 'id', message: 'expected unique within the store' }] });
  }
  if (faults.length > 0) return { outcome: 'rejected', faults, warnings };
  const finished = rows.finish(tree.categories());
  if (await isUnchanged(tx, finished)) return { outcome: 'unchanged', faults, warnings };
  await stageCategories(tx, finished.categories);
  const outcomes = await mergeStaged(tx, { source: feed.source, stores: [finished], at: deps.clock.now() });
  return { outcome: outcomes.get(rows.storeId) ?? 'unchanged', faults, warnings };
}

async function isUnchanged(tx: Sql, { storeId, feedHash }: StoreRows): Promise<boolean> {
  const state = (await findFeedStates(tx, [storeId])).get(storeId);
  return state?.listed === true && state.feedHash === feedHash;
}

/** Reads the file to its end; rows go to the staging table while the next ones are parsed. */
async function stageFile(
  tx: Sql,
  stream: FeedStream,
  rows: StoreRowBuilder,
  tree: CategoryTree,
  onProgress?: () => void,
): Promise<Pick<Reading, 'faults' | 'warnings'>> {
  const found = { faults: [] as FileFault[], warnings: [] as FileFault[] };
  const staging = createStagingQueue((texts) => stageProducts(tx, texts));
  try {
    for await (const lines of stream.lines) {
      for (const line of lines) {
        const row = rowOf(line, rows, tree, found);
        if (row !== null) await staging.add(row);
      }
      onProgress?.();
    }
  } finally {
    await staging.drain();
  }
  return found;
}

/** Collects rows and stages them a piece at a time, at most one piece behind. */
function createStagingQueue(stage: (rows: readonly string[]) => Promise<void>) {
  let rows: string[] = [];
  let characters = 0;
  let staging: Promise<void> = Promise.resolve();
  const flush = async () => {
    const full = rows;
    rows = [];
    characters = 0;
    await staging;
    staging = stage(full);
    staging.catch(() => {});
  };
  return {
    async add(row: string): Promise<void> {
      rows.push(row);
      characters += row.length;
      if (rows.length >= STAGED_ROWS || characters >= STAGED_CHARACTERS) await flush();
    },
    async drain(): Promise<void> {
      await flush();
      await staging;
    },
  };
}

/** The row of one line; null, with its faults collected, where it has none. */
function rowOf(
  line: TextLine,
  rows: StoreRowBuilder,
  tree: CategoryTree,
  found: Pick<Reading, 'faults' | 'warnings'>,
): string | null {
  const collect = (into: FileFault[], faults: readonly LineFault[]) => {
    if (faults.length > 0 && into.length < REPORTED_LINES) into.push({ line: line.line, faults });
  };
  const parsed = parseTextLine(line);
  collect(found.warnings, parsed.warnings);
  if (!parsed.ok) {
    collect(found.faults, parsed.faults);
    return null;
  }
  const placed = tree.place(parsed.path);
  if ('fault' in placed) {
    collect(found.faults, [{ path: 'path', message: placed.fault }]);
    return null;
  }
  return rows.productRow({ product: parsed.product, ...placed }, line.line);
}

function parseTextLine(line: TextLine): ParsedProductLine {
  const unreadable = (message: string): ParsedProductLine => ({
    ok: false,
    faults: [{ path: '', message }],
    warnings: [],
  });
  if (line.text === null) return unreadable(line.fault);
  try {
    return parseProductLine(JSON.parse(line.text));
  } catch {
    return unreadable('expected JSON');
  }
}

function report(feed: Feed, { line, file }: StoreLine, { outcome, faults, warnings }: Reading): void {
  const { tally } = feed;
  for (const warning of warnings) tally.warn({ file, line: warning.line }, warning.faults);
  if (outcome !== 'rejected') {
    tally.count(outcome);
    return;
  }
  const found = `${faults.length === REPORTED_LINES ? 'at least ' : ''}${faults.length}`;
  const message = `expected products without faults, found ${found} faulty`;
  tally.reject({ file: feed.name, line }, [{ path: 'categories_file', message }]);
  for (const fault of faults) tally.blame({ file, line: fault.line }, fault.faults);
}
