import { Command } from 'commander';
import type { Static } from 'typebox';
import { listImportsProcedure } from '../../surfaces/operator/imports.route.ts';
import { withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';
import { followPages } from './write-pages.ts';

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
      const runs: ImportRun[] = [];
      await withManagement(async (manage) => {
        const pages = followPages(
          (before: number | undefined) => manage(listImportsProcedure, { query: before ? { before } : {} }),
          ({ imports }) => imports,
        );
        for await (const page of pages) if (runs.push(...page) >= MAX_LISTED_IMPORTS) break;
      });
      const listed = runs.slice(0, MAX_LISTED_IMPORTS);
      const rows = listed.map(({ run_no, source, started_at, finished_at, counts, error_count }) => [
        String(run_no),
        source,
        secondsText(started_at),
        finished_at === null ? 'not finished' : `${counts.seconds ?? 0} s`,
        String(counts.read ?? 0),
        String(counts.created ?? 0),
        String(counts.updated ?? 0),
        String(error_count),
      ]);
      const heads = ['#', 'FEED', 'STARTED', 'TOOK', 'READ', 'CREATED', 'UPDATED', 'ERRORS'];
      answer(options, { imports: listed.map(presentRun) }, alignedTable(heads, rows));
    });
}

type ImportRun = Static<typeof listImportsProcedure.answer>['imports'][number];

function presentRun({ counts, error_count: errors, warning_count: warnings, ...run }: ImportRun) {
  const moments = { started_at: secondsText(run.started_at), finished_at: secondsText(run.finished_at) };
  return { ...run, ...moments, ...counts, errors, warnings };
}
