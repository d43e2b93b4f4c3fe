import type { Readable, Writable } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';
import type { Db } from '../db/connect.ts';
import type { FormatName } from '../imports/formats.ts';
import { type ImportProgress, importFiles } from '../imports/import-files.flow.ts';
import type { ImportFault, ImportResult } from '../imports/import-result.ts';
import type { LeftOutReason } from '../imports/open-data/place.ts';
import { cleanText } from '../lib/clean-text.ts';
import type { Clock } from '../lib/clock.ts';

export type ImportCommand = {
  /** Paths of feeds; `-` is standard input. */
  files: readonly string[];
  format?: FormatName | undefined;
  source?: string | undefined;
  site?: URL | undefined;
  prune?: boolean | undefined;
  json?: boolean | undefined;
  db: Db;
  clock: Clock;
  stdin: Readable;
  out: Writable;
  /** Where the progress bar is drawn if this stream is a terminal. */
  err: Writable & { isTTY?: boolean };
};

/**
 * 0: no line was rejected. 1: some lines were rejected and the other lines are in, or a feed was not pruned. 2: a file could
 * not be read.
 */
export type ImportStatus = 0 | 1 | 2;

const LISTED_IN_TABLE = 20;
const MIN_WIDTH = 10;

const LIKELY_FORMATS: readonly (readonly [RegExp, readonly FormatName[]])[] = [
  [/\.(geojson|geojsonl|geojsons)(\.gz|\.zst)?$/i, ['osm', 'overture']],
  [/\.(geo)?parquet$/i, ['overture']],
  [/\.(html?|jsonld)(\.gz|\.zst)?$/i, ['schema-org']],
];

/** The reasons for leaving a record out, in words for the terminal. */
const WORDS_OF: Readonly<Record<string, string>> = {
  no_shop: 'is no shop and serves no food',
  no_name: 'has no name',
  no_location: 'has no location',
  outside: 'is outside of the US and Canada',
  closed_for_good: 'is closed for good',
  does_not_exist: 'does not exist',
  repeated: 'repeats a record',
} satisfies Record<LeftOutReason, string>;

/**
 * `doorstep import`: imports the files, prints the result, and returns the exit status (docs/feeds.md#what-it-answers).
 */
export async function runImport(command: ImportCommand): Promise<ImportStatus> {
  const { files, format, source, site, prune, json, db, clock, stdin, out, err } = command;
  const bar = err.isTTY ? createProgress(err) : null;
  try {
    const onProgress = bar ? { onProgress: bar.show } : {};
    const { result, unreadableFiles, unprunedSources } = await importFiles(
      { db, clock },
      { files, format, source, site, prune, stdin, ...onProgress },
    );
    bar?.stop();
    const isNothingRead = unreadableFiles.length === files.length && result.read === 0;
    if (json) out.write(`${JSON.stringify(result)}\n`);
    else if (!isNothingRead) out.write(describe(result, unreadableFiles));
    for (const sentence of unreadableFiles) err.write(`${sentence}\n`);
    if (result.rejected > 0) for (const hint of formatHints(files, format)) err.write(`${hint}\n`);
    if (unreadableFiles.length > 0) return 2;
    return result.rejected > 0 || unprunedSources.length > 0 ? 1 : 0;
  } finally {
    bar?.stop();
  }
}

/** Hints for files whose names suggest another format than the format of the import. */
function formatHints(files: readonly string[], format: FormatName = 'ndjson'): string[] {
  return files.flatMap((file) => {
    const likely = LIKELY_FORMATS.find(([ending]) => ending.test(file))?.[1];
    if (!likely || likely.includes(format)) return [];
    return [cleanText(`${file} was read as ${format}; its name suggests --format ${likely.join(' or ')}.`)];
  });
}

function createProgress(stream: NodeJS.WritableStream) {
  const format = '{bar} {percentage}% | {stores} stores | {file}';
  const bar = new SingleBar({ stream, format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  let shown = '';
  return {
    show({ file, bytesRead, bytesTotal, storesRead }: ImportProgress): void {
      const payload = { stores: storesRead, file };
      const total = Math.max(bytesTotal ?? bytesRead, 1);
      if (shown !== file) bar.start(total, bytesRead, payload);
      else bar.update(bytesRead, payload);
      bar.setTotal(total);
      shown = file;
    },
    stop: () => bar.stop(),
  };
}

/** The answer for the terminal. Standard error names the unreadable files, so this text leaves them out. */
function describe(result: ImportResult, unreadableFiles: readonly string[]): string {
  const { read, created, updated, unchanged, rejected, merged, left_out: leftOut, pruned, seconds, warnings } = result;
  const errors = result.errors.filter(({ message }) => !unreadableFiles.includes(message));
  const rows = Object.entries({
    read,
    created,
    updated,
    unchanged,
    rejected,
    ...(merged === undefined ? {} : { merged }),
    ...Object.fromEntries(
      Object.entries(leftOut ?? {}).map(([reason, count]) => [`left out: ${WORDS_OF[reason] ?? reason}`, count]),
    ),
    ...(pruned === undefined ? {} : { pruned }),
  });
  const width = Math.max(MIN_WIDTH, ...rows.map(([name]) => name.length));
  const rowOf = (name: string, value: string) => `${name.padEnd(width)}${value.padStart(12)}`;
  const counts = rows.map(([name, count]) => rowOf(name, String(count)));
  const lines = [
    ...counts,
    rowOf('seconds', seconds.toFixed(1)),
    ...listed('error', errors, result.errors_omitted),
    ...listed('warning', warnings, result.warnings_omitted),
  ];
  return `${lines.join('\n')}\n`;
}

function listed(kind: string, faults: readonly ImportFault[], omitted = 0): string[] {
  const shown = faults.slice(0, LISTED_IN_TABLE).map(({ file, line, path, message }) => {
    const place = [file, `line ${line}`, path].filter((part) => part).join(': ');
    // A fault quotes the feed, which may contain control characters.
    return cleanText(`${kind}: ${place}: ${message}`);
  });
  const more = faults.length - shown.length + omitted;
  return more > 0 ? [...shown, `and ${more} more ${kind}s (all with --json)`] : shown;
}
