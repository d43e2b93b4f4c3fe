import { CompiledQuery, type QueryResult } from 'kysely';
import type { Sql } from './connect.ts';

/** Runs a statement of a hot path as constant text, without the query builder, prepared once per connection. */
export function runPrepared<Row>(sql: Sql, text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
  return sql.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
}

/**
 * Runs a statement with thousands of rows without Kysely's plugin, which would copy each row to rename its columns.
 * Name the columns with `columnsAsFields` instead. The signal ends the wait.
 */
export function runBulk<Row>(
  sql: Sql,
  text: string,
  values: readonly unknown[],
  signal?: AbortSignal,
): Promise<QueryResult<Row>> {
  return sql.withoutPlugins().executeQuery<Row>(CompiledQuery.raw(text, [...values]), { signal });
}

/** Returns a select list with each column named as its field. */
export function columnsAsFields(fields: readonly string[]): string {
  return fields.map((field) => `${columnName(field)} as "${field}"`).join(', ');
}

/** Returns the SQL name of a column, as Kysely's plugin would write it. */
export const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Writes `count` parameters: `$from, $from+1, …`. */
export function placeholders(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, index) => `$${from + index}`);
}

/**
 * Joins list parameters as rows. Each list is in a subselect: if the planner saw its length, it would prefer a custom
 * plan and plan at each call.
 */
export function unnested(types: readonly string[]): string {
  return `unnest(${types.map((type, index) => `(select $${index + 1}::${type}[])`).join(', ')})`;
}

/**
 * Whether PostgreSQL refused a statement and kept the connection, so it had no effect. After a lost connection the
 * effect is unknown.
 */
export const isRefusedStatement = (error: unknown): boolean => (error as { severity?: unknown }).severity === 'ERROR';
