import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Db } from '../../platform/db/connect.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { findFileFault, UnreadableFile } from '../../platform/lib/read-bytes.ts';
import { openLines } from '../../platform/lib/read-lines.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import { FEED_LIMITS } from '../stores/feed-fields.ts';
import { relistMerged } from '../stores/merges/merge-places.flow.ts';
import { storeIdOf } from '../stores/store-id.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import { findListedStoreIds, hasStores, unlistStores } from './feed-states.db.ts';
import {
  type FeedEntry,
  type FeedInput,
  headCheck,
  type NamedFormat,
  type OpenedFeed,
  plainNameOf,
} from './formats.ts';
import { importFeed, parsedStoreOf, storeEntries } from './import-feed.flow.ts';
import { createTally, type ImportResult, type ImportTally, sourceText, summarizeImport } from './import-result.ts';
import { finishRun, insertRun } from './import-runs.db.ts';
import { type ImportDeps, retryTransaction } from './write-stores.flow.ts';

/** An import, from its files to its report: opens each format, imports and prunes each feed, records the run. */

type ImportRequest = {
  /** Paths; `-` is standard input. */
  files: readonly string[];
  /** The feed's name for all files; without it, each file's base name is its feed. */
  source?: string | undefined;
  /** Whether to remove stores of the feed from search that the files do not list. */
  prune?: boolean | undefined;
  stdin: Readable;
  /** Called with the number of stores read so far. */
  onProgress?: (storesRead: number) => void;
  /** The format of the files; `ndjson` by default. */
  format?: NamedFormat | undefined;
  /** Site of the saved pages (schema-org). */
  site?: URL | undefined;
};

export type FinishedImport = {
  result: ImportResult;
  /** Why files could not be read, or were refused, as sentences. */
  unreadableFiles: string[];
};

/** The feed's name: `market` for `market.ndjson.gz`, `stdin` for standard input. */
export function feedSource(file: string, { endings = [] }: NamedFormat = ndjson): string {
  if (file === '-') return 'stdin';
  const name = plainNameOf(file);
  const ending = endings.find((one) => name.toLowerCase().endsWith(one));
  return ending === undefined ? name : name.slice(0, -ending.length);
}

/**
 * Imports files one by one. A truncated file is reported: the part that can be read is imported, but its feed is not
 * pruned. An import that throws, or whose process dies, is listed as unfinished. If no file can be opened, the import
 * leaves no record.
 */
export async function importFiles(deps: ImportDeps, request: ImportRequest): Promise<FinishedImport> {
  const unopened = await Promise.all(request.files.map((file) => findFileFault(file)));
  if (!unopened.includes(null)) return emptyImport(request, unopened as string[]);
  const startedAt = deps.clock.now();
  const runNo = await insertRun(deps.db, { ...importNames(request), startedAt });
  const tally = createTally(request.format ?? ndjson);
  const unreadableFiles: string[] = [];
  const runs = new Map<string, FeedRun>();
  for (const files of feedsOf(request)) {
    const source = request.source ?? feedSource(files[0] ?? '-', request.format);
    const run = runs.get(source) ?? { seen: new Set(), isBroken: false };
    const fault =
      refuseNameCollision(request, files, tally) ??
      (await importFeedFiles(deps, request, { files, source, run, tally }));
    if (fault !== null) unreadableFiles.push(fault);
    runs.set(source, { ...run, isBroken: run.isBroken || fault !== null });
  }
  if (request.prune) {
    for (const [source, { seen, isBroken }] of runs) tally.pruned(isBroken ? 0 : await pruneFeed(deps, source, seen));
  }
  const finishedAt = deps.clock.now();
  const seconds = finishedAt.since(startedAt).total('seconds');
  const result = tally.result(Math.round(seconds * 1000) / 1000);
  await finishRun(deps.db, runNo, summarizeImport(result), finishedAt);
  return { result, unreadableFiles };
}

function emptyImport({ files, format = ndjson }: ImportRequest, unreadableFiles: string[]): FinishedImport {
  const tally = createTally(format);
  for (const [n, message] of unreadableFiles.entries()) {
    tally.blame({ file: files.length > 1 ? (files[n] ?? null) : null, line: 1 }, [{ path: '', message }]);
  }
  return { result: tally.result(0), unreadableFiles };
}

/** The stores that a feed's files list, and whether one of the files was not read to its end. */
type FeedRun = { seen: Set<string>; isBroken: boolean };

/** The names that an import is listed under. */
function importNames(request: ImportRequest) {
  const { source, format = ndjson } = request;
  const sources = feedsOf(request).map(([file = '-']) => feedSource(file, format));
  return { source: source ?? sourceText(sources), format: format.name };
}

/** The files of each feed: one feed per file, or one for all. Files of one feed are sorted by name. */
function feedsOf({ files, format = ndjson }: ImportRequest): (readonly string[])[] {
  return format.isOneFeed ? [[...files].sort()] : files.map((file) => [file]);
}

/**
 * Finds an earlier file of the command with the same derived name (a file's feed without `source`, or its publisher
 * without `site`), because this file would overwrite that one's stores.
 */
function findNameCollision(request: ImportRequest, file: string): string | undefined {
  const { files, format = ndjson, source, site } = request;
  const isKnownByName = (format.isNamedBySite ? site : source) === undefined;
  if (!isKnownByName || format.isOneFeed) return undefined;
  const before = files.slice(0, files.indexOf(file));
  return before.find((one) => resolve(one) !== resolve(file) && feedSource(one, format) === feedSource(file, format));
}

/** Why a file was refused, as a sentence; null if it was not. */
function refuseNameCollision(request: ImportRequest, [file = '-']: readonly string[], tally: ImportTally) {
  const alike = findNameCollision(request, file);
  if (alike === undefined) return null;
  const message = `${file} was not read: ${alike} has the same name. ${namesOfAlike(request)}`;
  tally.blame({ file, line: 1 }, [{ path: '', message }]);
  return message;
}

function namesOfAlike({ format }: ImportRequest): string {
  return format?.isNamedBySite
    ? "Name each file's site with --site, one site per command."
    : 'Name one feed for both with --source, or import them one by one, each with its own --source.';
}

type OneFeed = { files: readonly string[]; source: string; run: FeedRun; tally: ImportTally };

async function openFeed({ db, clock, geocoder }: ImportDeps, request: ImportRequest, files: readonly string[]) {
  const { format = ndjson, stdin, site } = request;
  // The database is only for our own formats: the port does not have it.
  const given: FeedInput = { stdin, now: clock.now(), site, geocoder, db };
  return format.open(files, given);
}

/** Why a file could not be read, as a sentence; null if it could. */
async function importFeedFiles(deps: ImportDeps, request: ImportRequest, one: OneFeed): Promise<string | null> {
  const { files, source, run, tally } = one;
  const [file = '-', ...more] = files;
  const name = request.files.length > 1 && more.length === 0 ? file : null;
  let lastLine = 0;
  try {
    const opened = await openFeed(deps, request, files);
    const isNamedByFile = request.source === undefined;
    const read = isNamedByFile
      ? refuseOtherFeed(deps.db, { ...request, file, source }, opened.entries)
      : opened.entries;
    const counted = async function* () {
      for await (const entries of read) {
        lastLine = entries.at(-1)?.line ?? lastLine;
        yield entries;
      }
    };
    await importFeed(deps, {
      source,
      name,
      folder: file === '-' ? '.' : dirname(file),
      entries: counted(),
      tally,
      ...(request.prune ? { seen: run.seen } : {}),
      onProgress: () => request.onProgress?.(tally.read),
    });
    return null;
  } catch (error) {
    if (!(error instanceof UnreadableFile || error instanceof OutsideError || error instanceof OtherFeed)) throw error;
    tally.blame({ file: name, line: lastLine + 1 }, [{ path: '', message: error.message }]);
    return error.message;
  }
}

/** Number of a file's first ids that are compared with the stores of its feed. */
const COMPARED_IDS = 100;

/** A file has a known feed's name, but none of its stores. */
class OtherFeed extends Error {}

/**
 * Reads ahead until a store of the file is one of its feed's. Throws OtherFeed if none of the first is, because the
 * file would mix another feed's stores with these, or prune them.
 */
async function* refuseOtherFeed(
  db: Db,
  { file, source, prune }: { file: string; source: string; prune?: boolean | undefined },
  entries: OpenedFeed['entries'],
): AsyncGenerator<readonly FeedEntry[]> {
  const head: (readonly FeedEntry[])[] = [];
  let compared = 0;
  let isOwn = !(await hasStores(db, source));
  const takeHead = () => {
    if (isOwn || (compared === 0 && !prune)) return head.splice(0);
    const state = `Name the feed with --source: ${source} if it's the same feed, or a different name if it's another feed.`;
    throw new OtherFeed(`${file} was not imported: it names none of the stores of the feed ${source}. ${state}`);
  };
  try {
    for await (const some of entries) {
      head.push(some);
      if (!isOwn) {
        const ids = some.map(externalIdOf).filter((id) => id !== null);
        compared += ids.length;
        const storeIds = ids.map((id) => storeIdOf(source, id));
        isOwn = storeIds.length > 0 && (await hasStores(db, source, storeIds));
        if (!isOwn && compared < COMPARED_IDS) continue;
      }
      yield* takeHead();
    }
  } finally {
    // Also the entries before a file breaks off.
    yield* takeHead();
  }
}

function externalIdOf(entry: FeedEntry): string | null {
  const parsed = parsedStoreOf(entry);
  return parsed?.ok ? parsed.store.externalId : (parsed?.externalId ?? null);
}

/** Maximum stores per page and transaction, because nodes read all stores of a change number at once. */
const MAX_PAGE_STORES = 500;

/** Removes stores from search that the feed no longer lists; returns their number. */
export async function pruneFeed({ db, clock }: ImportDeps, source: string, seen: ReadonlySet<string>): Promise<number> {
  let pruned = 0;
  for await (const listed of listedPages(db, source)) {
    const missing = listed.filter((storeId) => !seen.has(storeId));
    if (missing.length === 0) continue;
    pruned += await retryTransaction(db, async (tx) => {
      const seq = await nextChange(tx);
      await notifyChange(tx);
      const change = { seq, at: clock.now() };
      const unlisted = await unlistStores(tx, missing, change);
      await relistMerged(tx, missing, change);
      return unlisted;
    });
  }
  return pruned;
}

const listedPages = (db: Db, source: string) =>
  readPages<string>(MAX_PAGE_STORES, (lastId = '') => findListedStoreIds(db, source, lastId, MAX_PAGE_STORES));

/** The service's own format (docs/feeds.md). */
export const ndjson: NamedFormat = {
  name: 'ndjson',
  async open([file = '-'], { stdin }) {
    return { entries: storeEntries(await openLines(file, stdin, FEED_LIMITS.lineBytes, headCheck(STORE_LINES))) };
  },
  endings: ['.ndjson'],
};

const STORE_LINES = { wanted: 'newline-delimited JSON in UTF-8, one store a line (docs/feeds.md)', hasLines: true };
