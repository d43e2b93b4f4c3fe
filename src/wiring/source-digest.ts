import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** The names by which a source file imports source files beside it, for values and types alike. */
const IMPORTED = /'(\.{1,2}\/[^'\n]+\.ts)'/g;

/**
 * A digest of a source file and of every source file that it imports, directly or not. Where the files lie makes no
 * difference, and neither do packages.
 */
export async function sourceDigest(file: string): Promise<string> {
  const digest = createHash('sha256');
  const files = new Set([file]);
  for (const each of files) {
    const text = await readFile(each, 'utf8');
    digest.update(`${relative(dirname(file), each)} ${text.length}\n${text}`);
    for (const [, name = ''] of text.matchAll(IMPORTED)) files.add(join(dirname(each), name));
  }
  return digest.digest('base64url');
}
