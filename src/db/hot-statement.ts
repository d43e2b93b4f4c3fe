import { CompiledQuery, type QueryResult } from 'kysely';
import type { Sql } from './connect.ts';

/**
 * Runs a statement on a hot path whose text never changes: it is not built anew for each call, and each connection
 * prepares it once.
 */
export function runHot<Row>(sql: Sql, text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
  return sql.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
}

/** `$from, $from+1, …` for as many values. */
export function placeholders(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, index) => `$${from + index}`);
}

/**
 * `$1, $2, …` as lists of these types, side by side as rows. Each within a select: otherwise their lengths are known to
 * the planner, which then finds the plan for these very lists cheaper than a lasting one, and makes one for each call.
 */
export function unnested(types: readonly string[]): string {
  return `unnest(${types.map((type, index) => `(select $${index + 1}::${type}[])`).join(', ')})`;
}

/** Whether PostgreSQL refused a statement and went on: nothing of it was done. A lost connection tells nothing. */
export function isRefusedStatement(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'ERROR';
}
