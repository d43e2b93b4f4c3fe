import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

/** Creates a folder and its parents. Node's recursive `mkdir` never ends where the system refuses folders, as in /proc. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const make = () =>
    mkdir(path, { mode }).catch(async (error) => {
      if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await make();
  }
}
