import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, errorMessage, makeFolder } from 'doorstep/files';

/*
 * Layout of the data folder, its creation, and its error sentences. `postgres` below it has the cluster (`data`), log,
 * lock and last host.
 */

/** The cause of a failure in the caller's settings: the folder, the server, or the version of PostgreSQL. */
export type Remedy = 'folder' | 'server' | 'version';
type Details = { cause?: unknown; isSettingWrong?: boolean; remedy?: Remedy };

/** The embedded database cannot be opened. The message is one sentence for the terminal. */
export class EmbeddedPostgresError extends Error {
  /** Whether another start fails too: the folder is unusable or PostgreSQL is not installed. */
  readonly isSettingWrong: boolean;
  readonly remedy: Remedy | undefined;

  constructor(message: string, { isSettingWrong = false, remedy, ...options }: Details = {}) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.isSettingWrong = isSettingWrong;
    this.remedy = remedy;
  }
}

export type Paths = ReturnType<typeof pathsOf>;

/** The name of the role and its database, unless the caller chooses another. */
export const DEFAULT_NAME = 'app';

export function pathsOf(dataDir: string, name: string = DEFAULT_NAME) {
  const root = join(dataDir, 'postgres');
  return {
    dataDir,
    name,
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
 * Creates `folder`, the data folder or below it, with missing parents (mode 700). Throws EmbeddedPostgresError, which
 * names the data folder and the reason.
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
    const sentence = `The folder ${dataDir} cannot be used, because ${reason}: choose another one.`;
    throw new EmbeddedPostgresError(sentence, { cause: error, ...WRONG_FOLDER });
  }
}

const WRONG_FOLDER = { isSettingWrong: true, remedy: 'folder' } as const;

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
    sentence: (dataDir) => `The disk that holds ${dataDir} is full: free some space and start again.`,
  },
  {
    codes: ['EROFS'],
    output: /Read-only file system/,
    sentence: (dataDir) => `The folder ${dataDir} lies on a read-only file system: choose another one.`,
  },
  {
    codes: ['EACCES', 'EPERM'],
    output: /Permission denied|wrong ownership|Operation not permitted/,
    sentence: (dataDir) =>
      `The folder ${dataDir} cannot be read and written by this user: start as the user who owns it, or choose another one.`,
  },
  { codes: ['ENOTDIR', 'EEXIST'], sentence: (dataDir) => `${dataDir} is not a directory: choose another one.` },
];

/** Converts any start error to one with instructions. */
export function explainError(error: unknown, dataDir: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const known = FAILURES.find(({ codes }) => codes.includes(errorCode(error) ?? ''));
  if (known) return new EmbeddedPostgresError(known.sentence(dataDir), { cause: error, ...WRONG_FOLDER });
  const what = `The embedded database in ${dataDir} cannot be opened: ${errorMessage(error)}`;
  return new EmbeddedPostgresError(what, { cause: error });
}

const NO_MEMORY = /Cannot allocate memory|could not map anonymous shared memory/;

/** Explains why PostgreSQL stopped: a sentence for a known reason, otherwise the last error line of its output. */
export function explainOutput(output: string, dataDir: string): EmbeddedPostgresError {
  const known = FAILURES.find((failure) => failure.output?.test(output));
  if (known) return new EmbeddedPostgresError(known.sentence(dataDir), WRONG_FOLDER);
  if (NO_MEMORY.test(output)) {
    return new EmbeddedPostgresError('This machine has too little free memory to start PostgreSQL.');
  }
  const complaints = output.match(/(?:FATAL|PANIC|ERROR|error):\s+.*/g);
  const last = complaints?.at(-1) ?? output.trim().split('\n').at(-1) ?? '';
  return new EmbeddedPostgresError(`PostgreSQL did not start on ${dataDir}: ${last || 'it printed nothing'}.`);
}
