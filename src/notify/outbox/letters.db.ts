import { type RawBuilder, sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { columnName, runPrepared } from '../../platform/db/hot-statement.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import type { Retention } from '../../platform/jobs/delete-expired.db.ts';
import type { QueueTable } from '../../platform/jobs/leased-queue.ts';

/** A table of letters: `QueueTable` leases its rows, and the statements below change them. */
export type LetterTable = QueueTable & {
  /** State of waiting, accepted and permanently failed messages. */
  states: { waiting: string; sent: string; dead: string };
  /** Field of the time when a letter was taken. */
  sentAt: string;
  /** More assignments when an attempt is recorded; `e` has its values. */
  onEnd?: string;
  /** More assignments when a letter is queued again. */
  onQueueAgain?: string;
};

/** Describes a table: a lease counts as an attempt, lasts 25 s, and only letters that wait are leased. */
export function letterTable(table: Pick<LetterTable, 'table' | 'key' | 'owner'> & Partial<LetterTable>): LetterTable {
  const { states = { waiting: 'pending', sent: 'sent', dead: 'dead' } } = table;
  return {
    waits: `q.state = '${states.waiting}'`,
    dueAt: 'next_attempt_at',
    leaseSeconds: 25,
    onLease: 'attempts = q.attempts + 1',
    columns: 'q.*',
    sentAt: 'sentAt',
    ...table,
    states,
  };
}

/** Values of a row's columns, by field. */
export type Columns = Readonly<Record<string, string | number | boolean | object | null>>;

/**
 * Writes SQL for the rows of `rowsParam` as $1, with the types of the table's columns. The planner assumes ten rows of
 * `unnest`, but a hundred of the JSON function; then it scans a table that it believes small, and keeps that plan as
 * the table grows.
 */
export function rowsOf(table: string): string {
  return `unnest(array(select r from json_populate_recordset(null::${table}, $1::json) as r))`;
}

export function rowsParam(rows: readonly Columns[]): string {
  const named = (row: Columns) => Object.entries(row).map(([field, value]) => [columnName(field), value]);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(named(row))),
    (_name, value) => (typeof value === 'string' ? storable(value) : value),
  );
}

/** Replaces what PostgreSQL refuses in JSON: NUL and half a surrogate pair, as in some errors of others. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Writes letters, which all have the same fields. A letter that exists stays as it is. */
export async function insertLetters(sql: Sql, { table, key }: LetterTable, letters: readonly Columns[]): Promise<void> {
  const [first] = letters;
  if (!first) return;
  const names = Object.keys(first).map(columnName).join(', ');
  const text = `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)
    order by ${key.join(', ')} on conflict do nothing`;
  await runPrepared(sql, text, [rowsParam(letters)]);
}

/**
 * Records attempts in one statement. Each has the key of its letter, its new `state`, `lastError`, `nextAttemptAt`, and
 * either the time when it was taken or the lease that it ends. A failure counts only while the lease holds, because
 * another worker repeats the letter afterwards; a taken letter is always recorded. Locks rows in key order.
 */
export async function recordAttempts(sql: Sql, table: LetterTable, attempts: readonly Columns[]): Promise<void> {
  await runPrepared(sql, recordText(table), [rowsParam(attempts)]);
}

function recordText({ table, key, states, sentAt, onEnd }: LetterTable): string {
  const keys = key.join(', ');
  const takenAt = columnName(sentAt);
  return `
    with ended as (
      select * from ${rowsOf(table)}
    ), locked as (
      select ${keys} from ${table} where (${keys}) in (select ${keys} from ended) order by ${keys} for update
    )
    update ${table} as q
    set state = e.state, last_error = e.last_error, next_attempt_at = e.next_attempt_at, leased_until = null,
      ${takenAt} = coalesce(e.${takenAt}, q.${takenAt})${onEnd ? `, ${onEnd}` : ''}
    from locked join ended as e using (${keys})
    where (${key.map((name) => `q.${name}`).join(', ')}) = (${key.map((name) => `locked.${name}`).join(', ')})
      and case when e.${takenAt} is null then q.state = '${states.waiting}' and q.leased_until = e.leased_until
        else q.state in ('${states.waiting}', '${states.dead}') end`;
}

/** Selects `due_at` and `last_error` of the letters that wait. */
export function waitingLetters({ table, waits }: LetterTable): RawBuilder<unknown> {
  return raw`select q.next_attempt_at as due_at, q.last_error from ${raw.table(table)} as q where ${raw.raw(waits)}`;
}

/** Returns how long a table's letters are kept, from the time when they were written, once they no longer wait. */
export function retentionOf({ table, states }: LetterTable, keepFor: Retention['keepFor']): Retention {
  return { table, age: 'created_at', where: `state <> '${states.waiting}'`, keepFor };
}

/** Selects the letters of forgotten orders, which are deleted, even waiting ones. */
export function lettersOfOrders({ table }: LetterTable): PersonalData {
  return { table, where: 'order_id = any($1::text[])' };
}

/** Makes letters due at `at`, with all their attempts; returns their number. */
export async function queueAgain(sql: Sql, table: LetterTable, which: RawBuilder<unknown>, at: Temporal.Instant) {
  const { states, onQueueAgain } = table;
  const more = onQueueAgain ? `, ${onQueueAgain}` : '';
  const set = raw`state = ${states.waiting}, next_attempt_at = ${at.toString()}::timestamptz${raw.raw(more)}`;
  return (await changeLetters(sql, table, which, set)).length;
}

/** Withdraws waiting letters: they stay listed, and are not sent unless they are queued again. */
export async function withdrawLetters(sql: Sql, table: LetterTable, which: RawBuilder<unknown>): Promise<void> {
  const { states } = table;
  const set = raw`state = ${states.dead}, next_attempt_at = null`;
  await changeLetters(sql, table, raw`state = ${states.waiting} and ${which}`, set);
}

/** Changes letters, locked in the order of their keys, as in every other statement; returns the keys. */
export async function changeLetters<Key>(
  sql: Sql,
  { table, key }: LetterTable,
  which: RawBuilder<unknown>,
  set: RawBuilder<unknown>,
): Promise<Key[]> {
  const [keys, q, locked] = ['', 'q.', 'locked.'].map((row) => raw.raw(key.map((name) => row + name).join(', ')));
  const { rows } = await raw<Key>`
    with locked as (select ${keys} from ${raw.table(table)} where ${which} order by ${keys} for update)
    update ${raw.table(table)} as q set ${set} from locked where (${q}) = (${locked}) returning ${q}`.execute(sql);
  return rows;
}
