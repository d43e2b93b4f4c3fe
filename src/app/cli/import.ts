import type { Readable, Writable } from 'node:stream';
import { Command, Option } from 'commander';
import type { Db } from '../../platform/db/connect.ts';
import { type Clock, systemClock } from '../../platform/lib/clock.ts';
import { cleanText } from '../../platform/lib/plain-text.ts';
import type { Geocoder } from '../../supply/addresses/geocoder.ts';
import type { SettingsPort } from '../../supply/imports/feed-settings.ts';
import { COMPRESSED, type NamedFormat } from '../../supply/imports/formats.ts';
import type { ImportFault, ImportResult } from '../../supply/imports/import-result.ts';
import type { LeftOutReason } from '../../supply/places/place.ts';
import { createFeedSettings } from '../../surfaces/operator/feed-settings.flow.ts';
import { OWN_PLUGINS } from '../adapters/own-plugins.ts';
import type { FormatHelp } from '../adapters/plugin.ts';
import { namesOf, openGeocoder, openNamed, polledPathsOf } from '../wiring/open-plugins.ts';
import { loadSettings, type ServiceConfig } from '../wiring/read-settings.ts';
import { parseWebUrl } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { lowerPriority } from './lower-priority.ts';
import { commandLineUser } from './manage.ts';
import type { OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

/** `doorstep import`: reads feeds into the catalog. A running service sees the changes within two seconds. */

const OWN_FORMATS = OWN_PLUGINS.flatMap(({ formats = [] }) => formats);

const HELP = `
Formats, beside those of plug-ins:
${OWN_FORMATS.map(({ name, help }) => `  ${name.padEnd(12)}  ${help}`).join('\n')}

A place at most 60 m from a store of the catalog, with the same name, brand or phone, is merged into that store:
\`doorstep stores merges\` lists the merges, \`doorstep stores unmerge\` undoes a merge. Records that are no stores are
left out and counted by reason. Broken records are rejected and listed.

Exit status: 0 every record is in or left out, 1 some lines were rejected, 2 a file could not
be read.`;

export function importCommand(): Command {
  return new Command('import')
    .argument('<file...>', 'files in the format of --format')
    .addOption(
      new Option('--format <name>', 'the format of the files')
        .choices(OWN_FORMATS.map(({ name }) => name))
        // Plug-ins, which are loaded later, add others.
        .argParser((name: string) => name)
        .default('ndjson'),
    )
    .option('--source <name>', "the feed's name (default: the file name without extensions)")
    .addOption(
      new Option(
        '--site <url>',
        'the site the pages were saved from (schema-org), such as https://kitchen.example',
      ).argParser(parseWebUrl),
    )
    .option('--prune', "hide the feed's stores that are missing from the file from search")
    .option('--json', 'print one JSON document: { read, created, updated, unchanged, rejected, … }')
    .addHelpText('after', HELP)
    .action(
      async (
        files: string[],
        options: OutputOptions & { format: string; source?: string; site?: string; prune?: true },
      ) => {
        const { stdin, stdout: out, stderr: err } = process;
        const settings = await loadSettings(process.env);
        const { format, formats } = await openFormat(settings, options.format);
        const site = options.site === undefined ? undefined : new URL(options.site);
        const geocoder = await openGeocoder({ config: settings, clock: systemClock });
        const access = { settings };
        process.exitCode = await withDatabase(({ db, config }) => {
          const { plugins, webhookAllowPrivate: allowPrivate } = config;
          const stores = createFeedSettings({
            printers: namesOf(plugins.all, ({ printers }) => printers),
            polledPrinters: polledPathsOf(plugins.all),
            courierCompanies: namesOf(plugins.all, ({ couriers }) => couriers),
            allowPrivate,
            by: commandLineUser(),
          });
          // Called before the work, so that an embedded PostgreSQL started by this command keeps its priority.
          lowerPriority();
          const deps = { db, clock: systemClock, settings: stores, geocoder };
          return runImport({ files, ...options, site, format, formats, ...deps, stdin, out, err });
        }, access);
      },
    );
}

async function openFormat(config: ServiceConfig, name: string) {
  const plugins = config.plugins.all;
  const names = namesOf(plugins, ({ formats }) => formats);
  if (!names.includes(name))
    throw new CommandFailure(`--format must be one of ${names.join(', ')}.`, { exitStatus: 2 });
  const port = await openNamed({ config, clock: systemClock }, ({ formats }) => formats, name);
  if (!port) throw new CommandFailure(`The plug-in of the format ${name} lacks its settings.`);
  const format: NamedFormat = { ...port, name, open: (...given) => port.open(...given) };
  return { format, formats: plugins.flatMap(({ formats = [] }) => formats) };
}

export type ImportCommand = {
  /** Paths of feeds; `-` is standard input. */
  files: readonly string[];
  format?: NamedFormat | undefined;
  /** All available formats, for hints at other ones. */
  formats?: readonly NamedHelp[];
  source?: string | undefined;
  site?: URL | undefined;
  prune?: boolean | undefined;
  json?: boolean | undefined;
  db: Db;
  clock: Clock;
  settings?: SettingsPort;
  geocoder?: Geocoder | undefined;
  stdin: Readable;
  out: Writable;
  /** Shows the number of stores if this stream is a terminal. */
  err: Writable & { isTTY?: boolean };
};

type NamedHelp = FormatHelp & { name: string };

/** 0: no line was rejected. 1: some lines were rejected. 2: a file could not be read. */
export type ImportStatus = 0 | 1 | 2;

const MAX_TABLE_ROWS = 20;
const MIN_WIDTH = 10;

/** The reasons for skipping a record, in words. */
const REASON_TEXTS: Readonly<Record<string, string>> = {
  no_shop: "isn't a shop and serves no food",
  no_name: 'has no name',
  no_location: 'has no location',
  outside: 'is outside the US and Canada',
  closed_for_good: 'is closed for good',
  not_open_yet: 'has not opened yet',
  does_not_exist: 'does not exist',
  repeated: 'repeats a record',
} satisfies Record<LeftOutReason, string>;

/** Imports the files, prints the result, and returns the exit status (docs/feeds.md#what-it-answers). */
export async function runImport(command: ImportCommand): Promise<ImportStatus> {
  const { files, format, formats, source, site, prune, json, db, clock, settings, geocoder, stdin, out, err } = command;
  const { importFiles } = await import('../../supply/imports/import-files.flow.ts');
  const onProgress = (stores: number) => err.isTTY && err.write(`\r${stores} stores\r`);
  const request = { files, format, source, site, prune, stdin, onProgress };
  const { result, unreadableFiles } = await importFiles({ db, clock, settings, geocoder }, request);
  const isNothingRead = unreadableFiles.length === files.length && result.read === 0;
  if (json) out.write(`${JSON.stringify(result)}\n`);
  else if (!isNothingRead) out.write(describe(result, unreadableFiles));
  for (const sentence of unreadableFiles) err.write(`${sentence}\n`);
  if (result.rejected > 0) for (const hint of formatHints(files, format?.name, formats)) err.write(`${hint}\n`);
  if (unreadableFiles.length > 0) return 2;
  return result.rejected > 0 ? 1 : 0;
}

/** Hints for files whose names suggest another format. */
function formatHints(files: readonly string[], format = 'ndjson', formats: readonly NamedHelp[] = OWN_FORMATS) {
  return files.flatMap((file) => {
    const name = file.replace(COMPRESSED, '');
    const likely = formats.filter(({ namedBy }) => namedBy?.test(name)).map((each) => each.name);
    if (likely.length === 0 || likely.includes(format)) return [];
    return [cleanText(`${file} was read as ${format}; its name suggests --format ${likely.join(' or ')}.`)];
  });
}

/** The text for the terminal, without unreadable files, which are reported on standard error. */
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
      Object.entries(leftOut ?? {}).map(([reason, count]) => [`left out: ${REASON_TEXTS[reason] ?? reason}`, count]),
    ),
    ...(pruned === undefined ? {} : { pruned }),
  });
  const width = Math.max(MIN_WIDTH, ...rows.map(([name]) => name.length));
  const summaryRow = (name: string, value: string) => `${name.padEnd(width)}${value.padStart(12)}`;
  const counts = rows.map(([name, count]) => summaryRow(name, String(count)));
  const lines = [
    ...counts,
    summaryRow('seconds', seconds.toFixed(1)),
    ...listFaults('error', errors, result.errors_omitted),
    ...listFaults('warning', warnings, result.warnings_omitted),
  ];
  return `${lines.join('\n')}\n`;
}

function listFaults(kind: string, faults: readonly ImportFault[], omitted = 0): string[] {
  const shown = faults.slice(0, MAX_TABLE_ROWS).map(({ file, line, path, message }) => {
    const place = [file, `line ${line}`, path].filter((part) => part).join(': ');
    // An error quotes the feed, which may have control characters.
    return cleanText(`${kind}: ${place}: ${message}`);
  });
  const more = faults.length - shown.length + omitted;
  return more > 0 ? [...shown, `and ${more} more ${kind}s (all with --json)`] : shown;
}
