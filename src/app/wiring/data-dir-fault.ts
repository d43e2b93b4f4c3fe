import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, makeFolder } from 'doorstep/files';
import { randomId } from '../../platform/lib/random-id.ts';
import { readErrorReason } from '../../platform/lib/read-bytes.ts';

/** Returns why DATA_DIR, created if missing, cannot be used, as the end of a sentence; undefined if it can. */
export async function dataDirFault(dataDir: string): Promise<string | undefined> {
  const probe = join(dataDir, randomId('.probe_', 8));
  try {
    await makeFolder(dataDir, 0o700);
    // A file, because the system's permissions let root write where no file system does.
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    // A full disk is no error of the setting, and a node serves with one.
    if (code === 'ENOSPC' || code === 'EDQUOT') return undefined;
    return `could not be written: ${code === 'ENOENT' ? 'the system creates no folder there' : readErrorReason(error)}`;
  }
}
