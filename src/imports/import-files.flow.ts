import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { findFileFault, UnreadableFile } from '../lib/read-bytes.ts';
import { noteFeedFile } from './feed-files.db.ts';
import { FEED_FORMATS, plainNameOf } from './formats.flow.ts';
import type { FormatName, OpenedFeed } from './formats.ts';
import { importFeed } from './import-feed.flow.ts';
import { createTally, type ImportResult, type ImportTally } from './import-result.ts';
import { keptOf, sourceText } from './import-run.ts';
import { finishRun, insertRun } from './import-runs.db.ts';
import { createInferredFeed, type InferredFeed } from './inferred-feed.ts';
import { findPruneFault, pruneFeed } from './prune-feed.flow.ts';
import { createSeenStores, type SeenStores } from './seen-stores.ts';
import type { ImportDeps } from './write-stores.flow.ts';

export type ImportRequest = {
  /** Paths; `-` is standard input. */
  files: readonly string[];
  /** The name of the feed of all files; without it each file's base name is the name of its feed. */
  source?: string | undefined;
  /** Takes stores of the feed that the files do not name out of search. */
  prune?: boolean | undefined;
  stdin: Readable;
  onProgress?: (progress: ImportProgress) => void;
  /** The format of the files; `ndjson` by default. */
  format?: FormatName | undefined;
  /** The site that pages were saved from (schema-org). */
  site?: URL | undefined;
};

/** How far an import is in the file it reads; the total is null for standard input. */
export type ImportProgress = { file: string; bytesRead: number; bytesTotal: number | null; storesRead: number };

export type FinishedImport = {
  result: ImportResult;
  unreadableFiles: string[];
  /** Feeds that were not pruned: their files may be other feeds of the same name. */
  unprunedSources: string[];
};

/** `market.ndjson.gz` is the feed `market`; standard input is `stdin`. */
export function sourceOf(file: string, format: FormatName = 'ndjson'): string {
  if (file === '-') return 'stdin';
  const name = plainNameOf(file);
  const ending = FEED_FORMATS[format].endings.find((one) => name.toLowerCase().endsWith(one));
  return ending === undefined ? name : name.slice(0, -ending.length);
}

/**
 * Imports files one after the other. A file that cannot be read to its end is reported; its stores so far and the other
 * files are imported, and its feed is not pruned, because the unread part may name any store. The report is kept; an
 * import that throws, or whose process dies, is listed as one that did not finish.
 * An import that finds none of its files leaves no record.
 */
export async function importFiles(deps: ImportDeps, request: ImportRequest): Promise<FinishedImport> {
  const unopened = await Promise.all(request.files.map((file) => findFileFault(file)));
  if (!unopened.includes(null)) return importOfNothing(request, unopened as string[]);
  const startedAt = deps.clock.now();
  const runNo = await insertRun(deps.db, { ...namesOf(request), startedAt });
  const tally = createTally(FEED_FORMATS[request.format ?? 'ndjson']);
  const unreadableFiles: string[] = [];
  const runs = new Map<string, FeedRun>();
  for (const files of feedsOf(request)) {
    const source = request.source ?? sourceOf(files[0] ?? '-', request.format);
    const run = runs.get(source) ?? startFeed(request);
    const fault =
      refuseAlike(request, files, tally) ?? (await importFeedFiles(deps, request, { files, source, run, tally }));
    if (fault !== null) unreadableFiles.push(fault);
    runs.set(source, { ...run, isBroken: run.isBroken || fault !== null });
  }
  const unprunedSources = request.prune ? await pruneFeeds(deps, runs, tally) : [];
  const finishedAt = deps.clock.now();
  const seconds = finishedAt.since(startedAt).total('seconds');
  const result = tally.result(Math.round(seconds * 1000) / 1000);
  await finishRun(deps.db, runNo, keptOf(result), finishedAt);
  return { result, unreadableFiles, unprunedSources };
}

function importOfNothing({ files, format = 'ndjson' }: ImportRequest, unreadableFiles: string[]): FinishedImport {
  const tally = createTally(FEED_FORMATS[format]);
  for (const [n, message] of unreadableFiles.entries()) {
    tally.blame({ file: files.length > 1 ? (files[n] ?? null) : null, line: 1 }, [{ path: '', message }]);
  }
  return { result: tally.result(0), unreadableFiles, unprunedSources: [] };
}

/** What tells the files of a feed from the files of another one: this machine and their paths; null for standard input. */
function feedFileOf(files: readonly string[]): string | null {
  if (files.includes('-')) return null;
  return [hostname(), ...files.map((file) => resolve(file))].join('\n');
}

/** The stores of one feed, whose source is stated or is the name of its file. */
type FeedRun = { seen: SeenStores; inferred: InferredFeed | undefined; isBroken: boolean };

function startFeed({ source, format = 'ndjson' }: ImportRequest): FeedRun {
  const inferred = source === undefined ? createInferredFeed(FEED_FORMATS[format]) : undefined;
  return { seen: createSeenStores(), inferred, isBroken: false };
}

/** Prunes the feeds that were read to their end; returns the feeds that their file names did not identify. */
async function pruneFeeds(deps: ImportDeps, runs: ReadonlyMap<string, FeedRun>, tally: ImportTally): Promise<string[]> {
  const unpruned: string[] = [];
  for (const [source, { seen, inferred, isBroken }] of runs) {
    const fault = inferred && !isBroken ? await findPruneFault(deps.db, source, { seen, inferred }) : null;
    tally.pruned(isBroken || fault !== null ? 0 : await pruneFeed(deps, source, seen));
    if (fault === null) continue;
    tally.warn({ file: null, line: 1 }, [{ path: '', message: fault }]);
    unpruned.push(source);
  }
  return unpruned;
}

/** Under which names an import is listed. */
function namesOf(request: ImportRequest) {
  const { source, format = 'ndjson' } = request;
  return { source: source ?? sourceText(feedsOf(request).map(([file = '-']) => sourceOf(file, format))), format };
}

/** The files of each feed: each file is a feed, or all files are one feed. The files of one feed are sorted by name. */
function feedsOf({ files, format = 'ndjson' }: ImportRequest): (readonly string[])[] {
  return 'openAll' in FEED_FORMATS[format] ? [[...files].sort()] : files.map((file) => [file]);
}

/**
 * Another file of the command, before this file, that has no other name for what is known by names: the feed of a file
 * without `source`, the publisher of pages without `site`. Two files of two folders would then overwrite each other's stores.
 */
function fileNamedAlike(request: ImportRequest, file: string): string | undefined {
  const { files, format = 'ndjson', source, site } = request;
  const isKnownByName = format === 'schema-org' ? site === undefined : source === undefined;
  if (!isKnownByName || 'openAll' in FEED_FORMATS[format]) return undefined;
  const before = files.slice(0, files.indexOf(file));
  return before.find((one) => resolve(one) !== resolve(file) && sourceOf(one, format) === sourceOf(file, format));
}

/** Null, or the sentence that says why a file was not read. */
function refuseAlike(request: ImportRequest, [file = '-']: readonly string[], tally: ImportTally): string | null {
  const alike = fileNamedAlike(request, file);
  if (alike === undefined) return null;
  const message = `${file} was not read: ${alike} has the same name. ${namesOfAlike(request)}`;
  tally.blame({ file, line: 1 }, [{ path: '', message }]);
  return message;
}

function namesOfAlike({ format }: ImportRequest): string {
  return format === 'schema-org'
    ? 'Name the site of each with --site, one site a command.'
    : 'Name one feed for both with --source, or import them one by one, each with a --source of its own.';
}

type OneFeed = { files: readonly string[]; source: string; run: FeedRun; tally: ImportTally };

async function openFeed(deps: ImportDeps, request: ImportRequest, files: readonly string[]): Promise<OpenedFeed> {
  const format = FEED_FORMATS[request.format ?? 'ndjson'];
  if ('openAll' in format) return format.openAll(files, request.stdin, deps.db);
  return format.open(files[0] ?? '-', request.stdin, { now: deps.clock.now(), site: request.site });
}

/** Null, or the sentence that says why a file could not be read. */
async function importFeedFiles(deps: ImportDeps, request: ImportRequest, one: OneFeed): Promise<string | null> {
  const { files, source, run, tally } = one;
  const [file = '-', ...more] = files;
  const name = request.files.length > 1 && more.length === 0 ? file : null;
  let lastLine = 0;
  try {
    const opened = await openFeed(deps, request, files);
    // A file that cannot be opened is no file of the feed.
    const isOwnFile = await noteFeedFile(deps.db, source, feedFileOf(files));
    if (run.inferred) run.inferred.isOwnFile ??= isOwnFile;
    const counted = async function* () {
      for await (const entries of opened.entries) {
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
      ...(run.inferred ? { inferred: run.inferred } : {}),
      onProgress: () => request.onProgress?.({ file, ...opened.progress(), storesRead: tally.read }),
    });
    return null;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    tally.blame({ file: name, line: lastLine + 1 }, [{ path: '', message: error.message }]);
    return error.message;
  }
}
