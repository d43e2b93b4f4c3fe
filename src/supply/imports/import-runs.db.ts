import type { Sql } from '../../platform/db/connect.ts';
import type { ImportFaults, ImportRun, summarizeImport } from './import-result.ts';

/** Maximum stored runs; older ones are deleted. */
const MAX_STORED_RUNS = 1000;
const COLUMNS = [
  ...(['runNo', 'source', 'format', 'startedAt', 'finishedAt', 'counts', 'errorCount', 'warningCount'] as const),
] as const;

/** Records the start of an import; returns its number. */
export async function insertRun(sql: Sql, { startedAt, ...run }: Pick<ImportRun, 'source' | 'format' | 'startedAt'>) {
  const { runNo } = await sql
    .insertInto('importRuns')
    .values({ ...run, startedAt: startedAt.toString() })
    .returning('runNo')
    .executeTakeFirstOrThrow();
  await sql
    .deleteFrom('importRuns')
    .where('runNo', '<=', runNo - MAX_STORED_RUNS)
    .execute();
  return runNo;
}

export async function finishRun(
  sql: Sql,
  runNo: number,
  { counts, errors, warnings, ...kept }: ReturnType<typeof summarizeImport>,
  at: Temporal.Instant,
): Promise<void> {
  await sql
    .updateTable('importRuns')
    .set({
      ...kept,
      finishedAt: at.toString(),
      counts: JSON.stringify(counts),
      errors: JSON.stringify(errors),
      warnings: JSON.stringify(warnings),
    })
    .where('runNo', '=', runNo)
    .execute();
}

/** Imports before another page's last one, newest first. */
export async function listRuns(sql: Sql, { before, limit }: { before?: number | undefined; limit: number }) {
  return sql
    .selectFrom('importRuns')
    .select(COLUMNS)
    .$if(before !== undefined, (query) => query.where('runNo', '<', before ?? 0))
    .orderBy('runNo', 'desc')
    .limit(limit)
    .execute();
}

export async function findRun(sql: Sql, runNo: number): Promise<(ImportRun & ImportFaults) | undefined> {
  const query = sql.selectFrom('importRuns').select([...COLUMNS, 'errors', 'warnings']);
  return query.where('runNo', '=', runNo).executeTakeFirst();
}
