import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode, errorMessage } from '../lib/error-code.ts';
import { type Migration, statementsOf } from './migrations.ts';

/**
 * A statement that changes a table waits for the transactions that use the table, and every later statement on the table
 * waits behind it. So it waits this long only, lets the others pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 400;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** A transaction that is open for longer is a fault of its own, and the migration reports the transaction. */
const MAX_ATTEMPTS = 150;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

export type ApplyOptions = {
  onWait?: (sentence: string) => void;
  lockTimeoutMs?: number;
  /** The schema is new: nothing waits for its tables, and what would run outside a transaction runs in one. */
  isNew?: boolean;
};

/** Applies one migration and records it. What has run of a migration outside a transaction runs again after a failure. */
export async function applyMigration(
  client: pg.ClientBase,
  migration: Migration,
  options: ApplyOptions,
): Promise<void> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, isNew } = options;
  const attempt = () => tryOnce(client, isNew ? inOneTransaction(migration) : migration, lockTimeoutMs);
  try {
    await retryWhenLocked(attempt, () => {
      options.onWait?.(`Migration ${migration.name} waits for a lock that another transaction holds.`);
    });
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed: ${errorMessage(error)}`, { cause: error });
  }
}

/** `create index concurrently` waits for every transaction of the database, and needs to for no new table. */
function inOneTransaction(migration: Migration): Migration {
  if (migration.runs !== 'statements') return migration;
  return { ...migration, runs: 'transaction', text: migration.text.replace(/\bconcurrently\b/gi, '') };
}

async function retryWhenLocked(work: () => Promise<void>, onWait: () => void): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLocked = [LOCK_NOT_AVAILABLE, DEADLOCK].includes(errorCode(error) ?? '');
      if (!isLocked || attempt === MAX_ATTEMPTS) throw error;
      onWait();
    }
    await pause(pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

async function tryOnce(client: pg.ClientBase, migration: Migration, lockTimeoutMs: number): Promise<void> {
  if (migration.runs === 'transaction') {
    await inTransaction(client, lockTimeoutMs, async () => {
      await client.query(migration.text);
      await record(client, migration);
    });
    return;
  }
  for (const statement of statementsOf(migration)) {
    // Nothing waits behind `create index concurrently`, so its own wait has no limit.
    if (migration.runs === 'statements') await client.query(statement);
    else await repeatInBatches(client, statement, lockTimeoutMs);
  }
  await record(client, migration);
}

/** Each batch commits before the next one begins: no row stays locked for longer than a batch takes. */
async function repeatInBatches(client: pg.ClientBase, statement: string, lockTimeoutMs: number): Promise<void> {
  for (let changed = 1; changed > 0; ) {
    await inTransaction(client, lockTimeoutMs, async () => {
      changed = (await client.query(statement)).rowCount ?? 0;
    });
  }
}

async function inTransaction(client: pg.ClientBase, lockTimeoutMs: number, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function record(client: pg.ClientBase, { name }: Migration): Promise<void> {
  await client.query('insert into migrations (name) values ($1)', [name]);
}

const CONCURRENT_INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?\s+on\b/i;

/** The indexes that the statements of these migrations build concurrently. */
function builtConcurrently(migrations: readonly Migration[]): string[] {
  return migrations.flatMap((migration) =>
    statementsOf(migration).flatMap((statement) => CONCURRENT_INDEX.exec(statement)?.[1]?.toLowerCase() ?? []),
  );
}

/**
 * A `create index concurrently` that failed leaves an index that answers nothing and that `if not exists` would keep.
 * Drops the ones of these migrations, which are not recorded yet: another invalid index is an operator's own, and may be
 * one that is being built now.
 */
export async function dropBrokenIndexes(
  client: pg.ClientBase,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relnamespace = to_regnamespace(quote_ident($1)) and c.relname = any($2)`,
    [schema, builtConcurrently(migrations)],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${client.escapeIdentifier(name)}`);
}
