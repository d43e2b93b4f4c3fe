import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../../lib/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** A lock that the operating system takes back when the process that holds it dies, however it dies. */
export type DirectoryLock = { release(): void };

const SQLITE_BUSY = 5;
const RETRY_MS = 15;

// Node has no file lock of its own and SQLite, which it carries, has a proven one: an open transaction
// on an empty file holds a shared or an exclusive lock of the operating system, and writes nothing.
const TAKE = {
  shared: 'BEGIN; SELECT count(*) FROM sqlite_schema',
  exclusive: 'BEGIN EXCLUSIVE',
} as const;

// A lock lasts until it is released or the process ends: keep a reference, so that the collector does not close it.
const held = new Set<DatabaseSync>();

/** Takes the lock on `file` (created when absent) unless a conflicting lock is held, in this process or another. */
export function tryLock(file: string, mode: 'shared' | 'exclusive'): DirectoryLock | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec(TAKE[mode]);
  } catch (error) {
    database?.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (isBusy) return undefined;
    const reason = errorMessage(error);
    throw new EmbeddedPostgresError(`The lock file ${file} cannot be used: ${reason}.`, { cause: error });
  }
  const taken = database;
  held.add(taken);
  return {
    release() {
      if (held.delete(taken)) taken.close();
    },
  };
}

/** Waits for the lock until `deadline` (milliseconds of `performance.now()`); undefined when another process kept it until then. */
export async function waitForLock(
  file: string,
  mode: 'shared' | 'exclusive',
  deadline: number,
): Promise<DirectoryLock | undefined> {
  for (;;) {
    const lock = tryLock(file, mode);
    if (lock || performance.now() > deadline) return lock;
    await pause(RETRY_MS);
  }
}
