import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Db } from '../db/connect.ts';
import { indexFormat, openStoredIndexes } from './open-stored-indexes.ts';

/** Rules that decide what an index has: a file, a part of its text, and the part after a change. */
const RULES = [
  ['catalog/search/product-words.ts', '|aux|avec) /i', '|aux) /i'],
  ['catalog/search/product-words.ts', "['geese', 'goose']", "['geese', 'geese']"],
  ['catalog/search/product-layout.ts', 'MAX_NAME_WORDS = 30', 'MAX_NAME_WORDS = 29'],
  ['catalog/search/product-indexes.db.ts', 'not removed and available', 'not removed'],
  ['catalog/search/product-indexes.db.ts', 'and is_leaf', ''],
  ['catalog/search/build-product-index.ts', 'cents > 0', 'cents > 1'],
  ['catalog/search/stored/pack-index.ts', 'HEAD_LENGTH = 10', 'HEAD_LENGTH = 11'],
  ['catalog/gtin.ts', 'export ', '/* Changed. */ export '],
  ['lib/text/normalise-text.ts', 'export ', '/* Changed. */ export '],
] as const;

test('the format changes with each rule of what an index has, and is the same for the same sources elsewhere', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sources-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(join(import.meta.dirname, '..'), folder, { recursive: true });
  const formatOfCopy = () => indexFormat(join(folder, 'catalog/search/stored/read-indexes.flow.ts'));
  const format = await indexFormat();
  assert.equal(await formatOfCopy(), format);
  for (const [file, part, changed] of RULES) {
    const text = await readFile(join(folder, file), 'utf8');
    assert.ok(text.includes(part), `${file}: ${part}`);
    await writeFile(join(folder, file), text.replace(part, changed));
    assert.notEqual(await formatOfCopy(), format, `${file}: ${part}`);
    await writeFile(join(folder, file), text);
  }
});

test('a service that cannot find the format has none, and logs it once; so it does with indexes that cannot be read', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const stored = openStoredIndexes({} as Db, log, join(tmpdir(), 'missing', 'read-indexes.flow.ts'));
  assert.deepEqual([await stored.format(), await stored.format()], [null, null]);
  assert.equal(lines.length, 1);
  stored.onUnreadable(new Error('damaged'));
  stored.onUnreadable(new Error('damaged'));
  assert.equal(lines.length, 2);
});
