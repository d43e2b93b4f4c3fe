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
