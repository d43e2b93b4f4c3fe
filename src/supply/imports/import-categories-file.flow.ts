import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { errorMessage } from 'doorstep/files';
import type { Sql } from '../../platform/db/connect.ts';
import { UnreadableFile } from '../../platform/lib/read-bytes.ts';
import { openLines, type TextLine } from '../../platform/lib/read-lines.ts';
import { type CategoryTree, createCategoryTree, parseProductLine } from '../menus/parse-categories.ts';
import { findRepeatedProducts, stageCategories } from '../menus/write-catalogs.db.ts';
import { FEED_LIMITS, type LineFault, UNIQUE_IN_STORE } from '../stores/feed-fields.ts';
import { findFeedStates } from './feed-states.db.ts';
import type { StoreOutcome } from './import-result.ts';
import { mergeStaged } from './merge-staged.flow.ts';
import type { FeedStore } from './parse-store-line.ts';
import { readJson } from './read-json.ts';
import { createStaging, stageStores } from './staging.db.ts';
import { createStoreRows, type StoreRowBuilder } from './store-rows.ts';
import {
  createProductStaging,
  type Feed,
  type ImportDeps,
  isDataError,
  retryTransaction,
} from './write-stores.flow.ts';

/*
 * A store whose categories lie in a file of their own: streams them through the import without holding the menu in
 * memory.
 */

type StoreLine = { line: number; store: FeedStore; file: string };

/** The result of reading a categories file; errors and warnings have its line numbers. */
type FileReading = {
  outcome: StoreOutcome | 'rejected';
  merged: number;
  faults: FileFault[];
  warnings: FileFault[];
  warningsOmitted: number;
};
type FileFault = { line: number; faults: readonly LineFault[] };

/** Maximum reported lines with errors, and with warnings, per file. */
const MAX_REPORTED_LINES = 1000;

/**
 * Imports a store whose catalog is a separate file, product by product, with only categories and one piece in memory. A
 * faulty product rejects the store, because stores are imported as a whole or not at all.
 */
export async function importStoreWithFile(deps: ImportDeps, feed: Feed, entry: StoreLine): Promise<void> {
  const place = { file: feed.name, line: entry.line };
  const reject = (message: string) => feed.tally.reject(place, [{ path: 'categories_file', message }]);
  const path = await pathInside(feed.folder, entry.file);
  if (path === null) return reject('expected the name of a file beside the feed');
  try {
    const reading = await retryTransaction(deps.db, (tx) => readAndMerge(tx, deps, feed, entry.store, path));
    report(feed, entry, reading);
  } catch (error) {
    if (error instanceof UnreadableFile) return reject(`expected a file that can be read: ${error.message}`);
    if (!isDataError(error)) throw error;
    reject(`could not be stored: ${errorMessage(error)}`);
  }
}

/** The file's path; null if it does not exist or is outside the feed's folder. */
async function pathInside(folder: string, file: string): Promise<string | null> {
  try {
    const path = await realpath(resolve(folder, file));
    const way = relative(await realpath(folder), path);
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : path;
  } catch {
    return null;
  }
}

async function readAndMerge(
  tx: Sql,
  deps: ImportDeps,
  feed: Feed,
  store: FeedStore,
  path: string,
): Promise<FileReading> {
  await createStaging(tx);
  const rows = createStoreRows(feed.source, store, deps.clock.now());
  const tree = createCategoryTree();
  const stream = await openLines(path, Readable.from([]), FEED_LIMITS.lineBytes);
  const found = await stageFile(tx, stream, rows, tree, feed.onProgress);
  const { faults } = found;
  for (const { seq: line, path } of await findRepeatedProducts(tx, MAX_REPORTED_LINES - faults.length)) {
    faults.push({ line, faults: [{ path, message: UNIQUE_IN_STORE }] });
  }
  const state = (await findFeedStates(tx, [rows.storeId])).get(rows.storeId);
  const reading = { merged: 0, ...found };
  if (faults.length > 0) return { ...reading, outcome: 'rejected' };
  const finished = rows.finish(tree.categories());
  if (state?.listed && state.feedHash === finished.feedHash) return { ...reading, outcome: 'unchanged' };
  await stageStores(tx, [finished]);
  await stageCategories(tx, finished.categories);
  const { outcomes, merged } = await mergeStaged(tx, {
    source: feed.source,
    stores: [finished],
    at: deps.clock.now(),
    settings: deps.settings,
  });
  return { ...reading, outcome: outcomes.get(rows.storeId) ?? 'unchanged', merged };
}

/** The state of parsing one file's lines into rows. */
type FileReader = {
  rows: StoreRowBuilder;
  tree: CategoryTree;
  found: Pick<FileReading, 'faults' | 'warnings' | 'warningsOmitted'>;
};

/** Reads the file to its end. Rows are staged while the next lines are parsed. */
async function stageFile(
  tx: Sql,
  stream: AsyncGenerator<TextLine[]>,
  rows: StoreRowBuilder,
  tree: CategoryTree,
  onProgress?: () => void,
): Promise<FileReader['found']> {
  const reader: FileReader = { rows, tree, found: { faults: [], warnings: [], warningsOmitted: 0 } };
  const staging = createProductStaging(tx);
  try {
    for await (const lines of stream) {
      await staging.add(lines.map((line) => categoryRow(line, reader)).filter((row) => row !== null));
      onProgress?.();
    }
  } finally {
    await staging.drain();
  }
  return reader.found;
}

/** A line's row; null for a faulty line, whose errors are collected. */
function categoryRow(line: TextLine, { rows, tree, found }: FileReader): string | null {
  const collect = (into: FileFault[], faults: readonly LineFault[]) => {
    if (faults.length > 0 && into.length < MAX_REPORTED_LINES) into.push({ line: line.line, faults });
  };
  const json = readJson(line);
  const parsed = json.ok ? parseProductLine(json.value) : json;
  if (found.warnings.length < MAX_REPORTED_LINES) collect(found.warnings, parsed.warnings);
  else found.warningsOmitted += parsed.warnings.length;
  if (!parsed.ok) {
    collect(found.faults, parsed.faults);
    return null;
  }
  if (parsed.product === null) return null;
  const placed = tree.place(parsed.path);
  if ('fault' in placed) {
    collect(found.faults, [{ path: 'path', message: placed.fault }]);
    return null;
  }
  return rows.productRow({ product: parsed.product, ...placed }, line.line);
}

function report(feed: Feed, { line, file }: StoreLine, reading: FileReading): void {
  const { tally } = feed;
  const { outcome, merged, faults, warnings, warningsOmitted } = reading;
  for (const warning of warnings) tally.warn({ file, line: warning.line }, warning.faults);
  tally.omitWarnings(warningsOmitted);
  if (outcome !== 'rejected') {
    tally.count(outcome);
    tally.merged(merged);
    return;
  }
  const found = `${faults.length === MAX_REPORTED_LINES ? 'at least ' : ''}${faults.length}`;
  const message = `expected products without faults, found ${found} faulty`;
  tally.reject({ file: feed.name, line }, [{ path: 'categories_file', message }]);
  for (const fault of faults) tally.blame({ file, line: fault.line }, fault.faults);
}
