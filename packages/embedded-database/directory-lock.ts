import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, errorMessage } from 'doorstep/files';
import { EmbeddedPostgresError } from './data-dir.ts';

/** A lock that the operating system releases when its process dies, in any way. */
export type DirectoryLock = Disposable & { release(): void };

/**
 * `shared`: uses the database; any number of holders. `reserved`: starts or stops the server; one holder, alongside any
 * number of `shared`. `exclusive`: excludes all other holders.
 */
export type LockMode = 'shared' | 'reserved' | 'exclusive';

const SQLITE_BUSY = 5;
const RETRY_MS = 15;

// Node has no file locks; SQLite has, in these three modes: a transaction on an empty file. Without a journal nothing
// is written, so it works on a full disk.
const LOCK_STATEMENTS: Readonly<Record<LockMode, string>> = {
  shared: 'BEGIN; SELECT count(*) FROM sqlite_schema',
  reserved: 'PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE',
  exclusive: 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE',
};

// A lock lasts until released or the process ends; the reference keeps the garbage collector from closing it.
const held = new Set<DatabaseSync>();

/**
 * Takes the lock on `file` (created if absent) unless any process, this one included, holds a conflicting lock. Throws
 * the system's error if the file cannot be created, read or written.
 */
export function tryLock(file: string, mode: LockMode): DirectoryLock | undefined {
  createIfAbsent(file);
  // SQLite opens an unwritable file read-only, and its exclusive lock would then be shared.
  accessSync(file, constants.R_OK | constants.W_OK);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec(LOCK_STATEMENTS[mode]);
  } catch (error) {
    database?.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (isBusy) return undefined;
    const reason = errorMessage(error);
    throw new EmbeddedPostgresError(`The lock file ${file} cannot be used: ${reason}.`, { cause: error });
  }
  const taken = database;
  held.add(taken);
  const release = (): void => {
    if (held.delete(taken)) taken.close();
  };
  return { release, [Symbol.dispose]: release };
}

/**
 * Creates the file, as SQLite would, which hides the reason of a failure. An existing file is not opened: closing it
 * would release its locks.
 */
function createIfAbsent(file: string): void {
  try {
    closeSync(openSync(file, 'wx'));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Waits for the lock until `deadline` (as `performance.now()`); undefined if another process still holds it. */
export async function waitForLock(file: string, mode: LockMode, deadline: number): Promise<DirectoryLock | undefined> {
  for (;;) {
    const lock = tryLock(file, mode);
    if (lock || performance.now() > deadline) return lock;
    await pause(RETRY_MS);
  }
}
