import { Command } from 'commander';
import type { ImportRun } from '../../supply/imports/import-result.ts';
import { listRuns } from '../../supply/imports/import-runs.db.ts';
import { alignedTable, answer, jsonDocument, momentText, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

const MAX_LISTED_IMPORTS = 100;

export function importsCommand(): Command {
  return new Command('imports').addCommand(listCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description(
      `List the last ${MAX_LISTED_IMPORTS} imports, newest first. The operator's view shows their first errors too.`,
    )
    .option('--json', 'print one JSON document: { imports: [{ run_no, source, started_at, finished_at, … }] }')
    .action(async (options: OutputOptions) => {
      const runs = await withDatabase(({ db }) => listRuns(db, { limit: MAX_LISTED_IMPORTS }));
      const rows = runs.map(({ runNo, source, startedAt, finishedAt, counts, errorCount }) => [
        String(runNo),
        source,
        momentText(startedAt),
        finishedAt === null ? 'not finished' : `${counts.seconds ?? 0} s`,
        String(counts.read ?? 0),
        String(counts.created ?? 0),
        String(counts.updated ?? 0),
        String(errorCount),
      ]);
      const heads = ['#', 'FEED', 'STARTED', 'TOOK', 'READ', 'CREATED', 'UPDATED', 'ERRORS'];
      answer(options, { imports: runs.map(presentRun) }, alignedTable(heads, rows));
    });
}

function presentRun({ counts, errorCount, warningCount, ...run }: ImportRun) {
  return { ...jsonDocument(run), ...counts, errors: errorCount, warnings: warningCount };
}
