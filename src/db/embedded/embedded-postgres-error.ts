import { errorCode, errorMessage } from '../../lib/error-code.ts';
/** The embedded database cannot be opened; the message is a sentence for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  /** DATA_DIR cannot be used, or PostgreSQL is not installed: another start with the same settings fails too. */
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

const full = (dataDir: string) => `The disk that holds DATA_DIR (${dataDir}) is full: free some space and start again.`;
const forbidden = (dataDir: string) =>
  `DATA_DIR (${dataDir}) cannot be read and written by this user: start as the user who owns it, or choose another DATA_DIR.`;
const readOnly = (dataDir: string) => `DATA_DIR (${dataDir}) lies on a read-only file system: choose another DATA_DIR.`;

const SENTENCE_OF_ERRNO: Readonly<Record<string, (dataDir: string) => string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: readOnly,
  ENOTDIR: (dataDir) => `DATA_DIR (${dataDir}) is not a directory: choose another DATA_DIR.`,
  EEXIST: (dataDir) => `DATA_DIR (${dataDir}) is not a directory: choose another DATA_DIR.`,
};

/** The error that a person can act on, for any error that stopped the start. */
export function explainError(error: unknown, dataDir: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const sentence = SENTENCE_OF_ERRNO[errorCode(error) ?? ''];
  if (sentence) return new EmbeddedPostgresError(sentence(dataDir), { cause: error, isSettingWrong: true });
  const what = `The embedded database in DATA_DIR (${dataDir}) cannot be opened: ${errorMessage(error)}`;
  return new EmbeddedPostgresError(what, { cause: error });
}

const SENTENCE_OF_OUTPUT: readonly [RegExp, (dataDir: string) => string][] = [
  [/No space left on device|Disk quota exceeded/, full],
  [/Read-only file system/, readOnly],
  [/Permission denied|wrong ownership|Operation not permitted/, forbidden],
];
const NO_MEMORY = /Cannot allocate memory|could not map anonymous shared memory/;

/** The reason why PostgreSQL stopped, from its output: a sentence for a known reason, else its last error line. */
export function explainOutput(output: string, dataDir: string): EmbeddedPostgresError {
  const known = SENTENCE_OF_OUTPUT.find(([pattern]) => pattern.test(output));
  if (known) return new EmbeddedPostgresError(known[1](dataDir), { isSettingWrong: true });
  if (NO_MEMORY.test(output)) {
    return new EmbeddedPostgresError('This machine has too little free memory to start PostgreSQL.');
  }
  const complaints = output.match(/(?:FATAL|PANIC|ERROR|error):\s+.*/g);
  const last = complaints?.at(-1) ?? output.trim().split('\n').at(-1) ?? '';
  return new EmbeddedPostgresError(
    `PostgreSQL did not start on DATA_DIR (${dataDir}): ${last || 'it printed nothing'}.`,
  );
}
