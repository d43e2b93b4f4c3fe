import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, errorMessage, makeFolder } from 'doorstep/files';

/*
 * Layout of DATA_DIR, creation of its folders, and its error sentences. DATA_DIR/postgres has the cluster (`data`),
 * log, lock and last host.
 */

/** The embedded database cannot be opened. The message is one sentence for the terminal. */
export class EmbeddedPostgresError extends Error {
  /**
   * Whether the settings are at fault, so another start fails too: DATA_DIR is unusable or PostgreSQL is not installed.
   */
  readonly isSettingWrong: boolean;

  constructor(
    message: string,
    { isSettingWrong = false, ...options }: { cause?: unknown; isSettingWrong?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.isSettingWrong = isSettingWrong;
  }
}

export type Paths = ReturnType<typeof pathsOf>;

export function pathsOf(dataDir: string) {
  const root = join(dataDir, 'postgres');
  return {
    dataDir,
    root,
    clusterDir: join(root, 'data'),
    lockFile: join(root, 'lock'),
    hostFile: join(root, 'host'),
    logFile: join(root, 'postgres.log'),
  };
}

export const pathExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );

/**
 * Creates `folder`, DATA_DIR or below it, with missing parents (mode 700). Throws EmbeddedPostgresError, which names
 * DATA_DIR and the reason.
 */
export async function makeInDataDir(dataDir: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const file = await fileAbove(folder);
    const reason =
      file !== undefined && file !== dataDir ? `${file} is not a directory` : REASON_OF_ERRNO[errorCode(error) ?? ''];
    if (reason === undefined) throw explainError(error, dataDir);
    const sentence = `DATA_DIR (${dataDir}) cannot be used, because ${reason}: choose another DATA_DIR.`;
    throw new EmbeddedPostgresError(sentence, { cause: error, isSettingWrong: true });
  }
}

const REASON_OF_ERRNO: Readonly<Record<string, string>> = {
  ENOENT: 'the system creates no directory there',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its symbolic links form a circle',
};

/** Finds the part of a path that exists but is not a directory; undefined if there is none. */
async function fileAbove(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found) return found.isDirectory() ? undefined : path;
  return dirname(path) === path ? undefined : fileAbove(dirname(path));
}

/** Known failures: their codes, what PostgreSQL prints of them, and what to do. */
const FAILURES: readonly { codes: readonly string[]; output?: RegExp; sentence: (dataDir: string) => string }[] = [
  {
    codes: ['ENOSPC', 'EDQUOT'],
    output: /No space left on device|Disk quota exceeded/,
    sentence: (dataDir) => `The disk that holds DATA_DIR (${dataDir}) is full: free some space and start again.`,
  },
  {
    codes: ['EROFS'],
    output: /Read-only file system/,
    sentence: (dataDir) => `DATA_DIR (${dataDir}) lies on a read-only file system: choose another DATA_DIR.`,
  },
  {
    codes: ['EACCES', 'EPERM'],
    output: /Permission denied|wrong ownership|Operation not permitted/,
    sentence: (dataDir) =>
      `DATA_DIR (${dataDir}) cannot be read and written by this user: start as the user who owns it, or choose another DATA_DIR.`,
  },
  {
    codes: ['ENOTDIR', 'EEXIST'],
    sentence: (dataDir) => `DATA_DIR (${dataDir}) is not a directory: choose another DATA_DIR.`,
  },
];

/** Converts any start error to one with instructions. */
export function explainError(error: unknown, dataDir: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const known = FAILURES.find(({ codes }) => codes.includes(errorCode(error) ?? ''));
  if (known) return new EmbeddedPostgresError(known.sentence(dataDir), { cause: error, isSettingWrong: true });
  const what = `The embedded database in DATA_DIR (${dataDir}) cannot be opened: ${errorMessage(error)}`;
  return new EmbeddedPostgresError(what, { cause: error });
}

const NO_MEMORY = /Cannot allocate memory|could not map anonymous shared memory/;

/** Explains why PostgreSQL stopped: a sentence for a known reason, else the last error line of its output. */
export function explainOutput(output: string, dataDir: string): EmbeddedPostgresError {
  const known = FAILURES.find((failure) => failure.output?.test(output));
  if (known) return new EmbeddedPostgresError(known.sentence(dataDir), { isSettingWrong: true });
  if (NO_MEMORY.test(output)) {
    return new EmbeddedPostgresError('This machine has too little free memory to start PostgreSQL.');
  }
  const complaints = output.match(/(?:FATAL|PANIC|ERROR|error):\s+.*/g);
  const last = complaints?.at(-1) ?? output.trim().split('\n').at(-1) ?? '';
  return new EmbeddedPostgresError(
    `PostgreSQL did not start on DATA_DIR (${dataDir}): ${last || 'it printed nothing'}.`,
  );
}
