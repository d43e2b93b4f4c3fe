import { Command, InvalidArgumentError, Option } from 'commander';
import { FORMAT_NAMES, type FormatName } from '../imports/formats.ts';
import { systemClock } from '../lib/clock.ts';
import { giveWay } from './give-way.ts';
import type { OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

const HELP = `
Formats:
  ndjson        newline-delimited JSON of stores with their catalogues (docs/feeds.md)
  osm           OpenStreetMap as GeoJSON: restaurants and food shops, without menus
  overture      Overture Maps places as GeoParquet (.parquet) or GeoJSON, without menus
  google-food   Google's food ordering feed, all its files together, with menus
  schema-org    pages or JSON-LD of a store's own schema.org menu

A place at most 60 m from a store of the catalogue, with the same name, brand or phone, is merged into that store:
\`doorstep stores merges\` lists the merges, \`doorstep stores unmerge\` undoes a merge. Records that are no stores are
left out and counted by reason. Broken records are rejected and listed.

Exit status: 0 every record is in or left out, 1 some lines were rejected or a feed was not pruned, 2 a file could not
be read.`;

/** `doorstep import`: reads feeds into the catalogue; a running service sees the changes within two seconds. */
export function importCommand(): Command {
  return new Command('import')
    .description(
      'Import files of stores, places or menus, also compressed by gzip or Zstandard. `-` is standard input.',
    )
    .argument('<file...>', 'files in the format of --format')
    .addOption(new Option('--format <name>', 'the format of the files').choices(FORMAT_NAMES).default('ndjson'))
    .option('--source <name>', 'the name of the feed (default: the file name without its extensions)')
    .addOption(
      new Option(
        '--site <url>',
        'the site that all pages were saved from (schema-org), such as https://kitchen.example',
      ).argParser(parseSite),
    )
    .option('--prune', 'take stores of the feed that are missing in the file out of search')
    .option('--json', 'answer with one JSON document: { read, created, updated, unchanged, rejected, … }')
    .addHelpText('after', HELP)
    .action(
      async (
        files: string[],
        options: OutputOptions & { format: FormatName; source?: string; site?: URL; prune?: true },
      ) => {
        const { runImport } = await import('./import.ts');
        const { stdin, stdout: out, stderr: err } = process;
        process.exitCode = await withDatabase(({ db }) => {
          // An embedded PostgreSQL that this command has started keeps its priority.
          giveWay();
          return runImport({ files, ...options, db, clock: systemClock, stdin, out, err });
        });
      },
    );
}

function parseSite(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.host !== '') return url;
  throw new InvalidArgumentError('The value must be an http or https URL.');
}
