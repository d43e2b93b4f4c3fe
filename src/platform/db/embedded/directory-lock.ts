import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, errorMessage } from '../../lib/error-code.ts';
import { EmbeddedPostgresError } from './data-dir.ts';

/** A lock that the operating system takes back when the process that holds it dies, however it dies. */
export type DirectoryLock = Disposable & { release(): void };

/**
 * `shared`: uses the database; any number of holders. `reserved`: starts or stops the server; one holder, beside any number
 * of `shared`. `exclusive`: the only holder of anything.
 */
export type LockMode = 'shared' | 'reserved' | 'exclusive';

const SQLITE_BUSY = 5;
const RETRY_MS = 15;

// Node has no file locks; its SQLite has proven ones with these three modes: a transaction on an empty file. Without a
// journal nothing is written, so no disk space is needed.
const TAKE: Readonly<Record<LockMode, string>> = {
  shared: 'BEGIN; SELECT count(*) FROM sqlite_schema',
  reserved: 'PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE',
  exclusive: 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE',
};

// A lock lasts until it is released or the process ends: keep a reference, so that the collector does not close it.
const held = new Set<DatabaseSync>();

/**
 * Takes the lock on `file` (created when absent) if no process, this one included, holds a lock that conflicts.
 * Throws the system's error where the file cannot be created, read or written.
 */
export function tryLock(file: string, mode: LockMode): DirectoryLock | undefined {
  createIfAbsent(file);
  // SQLite opens a file that it may not write for reading, and its exclusive lock is a shared one then.
  accessSync(file, constants.R_OK | constants.W_OK);
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
  const release = (): void => {
    if (held.delete(taken)) taken.close();
  };
  return { release, [Symbol.dispose]: release };
}

/** SQLite creates the file too, but does not say why it cannot. An existing file is not opened: closing it would end its locks. */
function createIfAbsent(file: string): void {
  try {
    closeSync(openSync(file, 'wx'));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Waits for the lock until `deadline` (milliseconds of `performance.now()`); undefined when another process kept it until then. */
export async function waitForLock(file: string, mode: LockMode, deadline: number): Promise<DirectoryLock | undefined> {
  for (;;) {
    const lock = tryLock(file, mode);
    if (lock || performance.now() > deadline) return lock;
    await pause(RETRY_MS);
  }
}
