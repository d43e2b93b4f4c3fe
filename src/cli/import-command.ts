import { Command, Option } from 'commander';
import { FORMAT_NAMES, type FormatName } from '../imports/formats.ts';
import { systemClock } from '../lib/clock.ts';
import type { OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

const HELP = `
Formats:
  ndjson        newline-delimited JSON of stores with their catalogues (docs/feeds.md)
  osm           OpenStreetMap as GeoJSON: restaurants and food shops, without menus
  overture      Overture Maps places as GeoParquet (.parquet) or GeoJSON, without menus
  google-food   Google's food ordering feed, all its files together, with menus
  schema-org    pages or JSON-LD of a store's own schema.org menu

Places that are one with a store which is there (at most 60 m away, same name, brand or phone) are merged into it:
\`doorstep stores merges\` lists these decisions, \`doorstep stores unmerge\` undoes one. What is no store is left out
and told by reason; only what is broken is rejected.

Exit status: 0 all is in, 1 some lines were rejected, 2 a file could not be read.`;

/** `doorstep import`: reads feeds into the catalogue; a running service sees the changes within two seconds. */
export function importCommand(): Command {
  return new Command('import')
    .description('Import feeds and places, plain, gzip or Zstandard; `-` is standard input.')
    .argument('<file...>', 'feeds, one store a line; or files of the format')
    .addOption(new Option('--format <name>', 'what the files are written in').choices(FORMAT_NAMES).default('ndjson'))
    .option('--source <name>', 'name of the feed (default: the name of its file without its endings)')
    .option('--prune', 'take stores of the feed that the file does not name (any more) out of search')
    .option('--json', 'answer with one JSON document: { read, created, updated, unchanged, rejected, … }')
    .addHelpText('after', HELP)
    .action(async (files: string[], options: OutputOptions & { format: FormatName; source?: string; prune?: true }) => {
      const { runImport } = await import('./import.ts');
      const { stdin, stdout: out, stderr: err } = process;
      process.exitCode = await withDatabase(({ db }) =>
        runImport({ files, ...options, db, clock: systemClock, stdin, out, err }),
      );
    });
}
