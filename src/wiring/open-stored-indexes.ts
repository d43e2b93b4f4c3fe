import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { StoredIndexes } from '../catalog/search/product-indexes.cache.ts';
import { createIndexWriter } from '../catalog/search/stored/store-indexes.cache.ts';
import type { Db } from '../db/connect.ts';
import { migrationNames } from '../db/migrations.ts';
import { sourceDigest } from './source-digest.ts';

/** This file imports all that decides the bytes of a stored index: statements, rules of words, layout. */
const READER = join(import.meta.dirname, '../catalog/search/stored/read-indexes.flow.ts');

/**
 * Product indexes as nodes store them for each other. The format is found when the service starts, since an upgrade may
 * replace the sources of a running service. A service that cannot find the format builds every index from rows.
 */
export function openStoredIndexes(db: Db, log: Logger, reader = READER): StoredIndexes {
  const found = indexFormat(reader).catch((error: unknown) => {
    log.warn({ err: error }, 'stored product indexes are not used: their format is unknown');
    return null;
  });
  const format = () => found;
  let isLogged = false;
  return {
    format,
    writerOf: (terms) => createIndexWriter({ db, terms, format, log }),
    onUnreadable(error) {
      if (!isLogged) log.warn({ err: error }, 'a stored product index cannot be read and is built from rows');
      isLogged = true;
    },
  };
}

/**
 * Names what the bytes of a stored index mean: the sources that build, write and read it, the newest migration, the
 * version of Unicode by which letters are compared, and the sequence of a number's bytes.
 */
export async function indexFormat(reader = READER): Promise<string> {
  const [sources, migrations] = await Promise.all([sourceDigest(reader), migrationNames()]);
  const parts = [sources, migrations.at(-1), process.versions.unicode, endianness()];
  return createHash('sha256').update(parts.join(' ')).digest('base64url');
}
