import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../../lib/error-code.ts';
import { BackupError } from './backup-error.ts';
import { fileOf, type Manifest } from './manifest.ts';

/** Reads every file of a backup and compares it with the manifest. Throws BackupError that names the first bad file. */
export async function verifyFiles(directory: string, manifest: Manifest, signal?: AbortSignal): Promise<void> {
  for (const copy of manifest.tables) {
    const name = fileOf(copy);
    const path = join(directory, name);
    const damaged = (what: string, cause?: unknown) =>
      new BackupError(`The backup in ${directory} is damaged: ${name} ${what}.`, { cause });
    const found = await stat(path).catch((error) => {
      throw damaged(`cannot be read (${errorMessage(error)})`, error);
    });
    if (found.size !== copy.bytes) throw damaged(`has ${found.size} bytes instead of ${copy.bytes}`);
    const hash = createHash('sha256');
    await pipeline([createReadStream(path), hash], signal ? { signal } : {});
    if (hash.digest('hex') !== copy.sha256) throw damaged('has other content than was written');
  }
}
