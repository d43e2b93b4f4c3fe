import { Command } from 'commander';
import { systemClock } from '../lib/clock.ts';
import type { OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

/** `doorstep import`: reads feeds into the catalogue; a running service sees the changes within two seconds. */
export function importCommand(): Command {
  return new Command('import')
    .description('Import feeds: newline-delimited JSON, plain, gzip or Zstandard; `-` is standard input.')
    .argument('<file...>', 'feeds, one store a line')
    .option('--source <name>', 'name of the feed (default: the name of its file)')
    .option('--prune', 'take stores of the feed that the file does not name out of search')
    .option('--json', 'answer with one JSON document: { read, created, updated, unchanged, rejected, … }')
    .addHelpText('after', '\nExit status: 0 all is in, 1 some lines were rejected, 2 a file could not be read.')
    .action(async (files: string[], options: OutputOptions & { source?: string; prune?: true }) => {
      const { runImport } = await import('./import.ts');
      const { stdin, stdout: out, stderr: err } = process;
      process.exitCode = await withDatabase(({ db }) =>
        runImport({ files, ...options, db, clock: systemClock, stdin, out, err }),
      );
    });
}
