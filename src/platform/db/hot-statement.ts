import { CompiledQuery, type QueryResult } from 'kysely';
import type { Sql } from './connect.ts';

/**
 * Runs a statement of a hot path. Its text never changes, so the query builder does not build it for each call, and each
 * connection prepares it once.
 */
export function runPrepared<Row>(sql: Sql, text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
  return sql.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
}

/**
 * Runs a statement that answers with thousands of rows, past the plugin: it would copy each row to rename its columns.
 * The text names the columns as their fields instead (`columnsAsFields`). The signal ends the wait for the answer.
 */
export function runBulk<Row>(
  sql: Sql,
  text: string,
  values: readonly unknown[],
  signal?: AbortSignal,
): Promise<QueryResult<Row>> {
  return sql.withoutPlugins().executeQuery<Row>(CompiledQuery.raw(text, [...values]), { signal });
}

/** Columns in a list of what is selected, under the names of their fields. */
export function columnsAsFields(fields: readonly string[]): string {
  return fields.map((field) => `${columnName(field)} as "${field}"`).join(', ');
}

/** The SQL name of a column; the queries that Kysely builds get theirs from its plugin. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `$from, $from+1, …` for as many values. */
export function placeholders(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, index) => `$${from + index}`);
}

/**
 * Parameters as typed lists, side by side as rows. Each list is within a select: otherwise the planner sees its length,
 * prefers a custom plan, and plans at each call.
 */
export function unnested(types: readonly string[]): string {
  return `unnest(${types.map((type, index) => `(select $${index + 1}::${type}[])`).join(', ')})`;
}

/** Whether PostgreSQL refused a statement and kept the connection: the statement had no effect. After a lost connection the effect is unknown. */
export function isRefusedStatement(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'ERROR';
}
