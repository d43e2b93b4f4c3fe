import { access, constants, mkdir } from 'node:fs/promises';
import { readErrorReason } from '../../platform/lib/read-bytes.ts';

/** Returns why DATA_DIR, created if missing, cannot be used, as the end of a sentence; undefined if it can. */
export async function dataDirFault(dataDir: string): Promise<string | undefined> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK);
    return undefined;
  } catch (error) {
    return `could not be written: ${readErrorReason(error)}`;
  }
}
