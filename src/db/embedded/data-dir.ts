import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { EmbeddedPostgresError, explainError } from './embedded-postgres-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the system creates no directory there',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its symbolic links form a circle',
};

/**
 * Makes `folder`, which is DATA_DIR or lies in it, with every folder that is missing above it (mode 700).
 * Throws EmbeddedPostgresError, which names DATA_DIR and the reason.
 */
export async function makeInDataDir(dataDir: string, folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw await explain(error, dataDir, folder);
  }
}

/**
 * `mkdir` of Node with `recursive` never returns where the system creates no folder below an existing one, such as in
 * /proc: it makes the parent, which is there, and tries again. This function tries every folder at most twice.
 */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch(async (error) => {
      if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  }
}

async function explain(error: unknown, dataDir: string, folder: string): Promise<EmbeddedPostgresError> {
  const file = await fileAbove(folder);
  const reason =
    file !== undefined && file !== dataDir ? `${file} is not a directory` : REASONS[errorCode(error) ?? ''];
  if (reason === undefined) return explainError(error, dataDir);
  const sentence = `DATA_DIR (${dataDir}) cannot be used, because ${reason}: choose another DATA_DIR.`;
  return new EmbeddedPostgresError(sentence, { cause: error, isSettingWrong: true });
}

/** The part of a path that exists and is not a directory, if there is one. */
async function fileAbove(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found) return found.isDirectory() ? undefined : path;
  return dirname(path) === path ? undefined : fileAbove(dirname(path));
}
