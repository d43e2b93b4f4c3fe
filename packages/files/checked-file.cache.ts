import { readFile, rename, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Modes of a node's files of search, which only its own user reads. */
export const ONLY_OWN = { file: 0o600, folder: 0o700 };

/** Writes a value as JSON with a checksum; readers see the previous file or this one. */
export async function writeChecked(file: string, value: object): Promise<void> {
  const text = JSON.stringify(value);
  await writeFile(`${file}.new`, `${crc32(text)}\n${text}`, { mode: ONLY_OWN.file });
  await rename(`${file}.new`, file);
}

/** Returns null if the file is missing or damaged. */
export async function readChecked<Value>(file: string): Promise<Value | null> {
  try {
    const [checksum = '', text = ''] = (await readFile(file, 'utf8')).split('\n');
    return String(crc32(text)) === checksum ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
