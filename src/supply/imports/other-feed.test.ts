import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import type { FeedLine } from '../../../test/feed-lines.ts';
import { countsOf, givenImport, product, shop } from '../../../test/given/import.ts';
import { importFiles } from './import-files.flow.ts';

const given = await givenImport();
const { db, clock, folder, fileOf, importAll, store } = given;
after(() => given.close());

const NEW_YORK = { latitude: 40.7383, longitude: -73.9927 };
const CHICAGO = { latitude: 41.8843, longitude: -87.6484 };

type Place = { id: string; name: string; at?: object; more?: FeedLine };
const line = ({ id, name, at = NEW_YORK, more = {} }: Place) =>
  shop([product(name)], { external_id: id, name, phone: null, ...at, ...more });

/** A file at this path below the test's folder. */
function fileAt(path: string, places: readonly Place[]): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  return fileOf(path, places.map(line));
}

const inSearch = async (source: string) =>
  (await db.selectFrom('stores').select('externalId').where('source', '=', source).where('listed', '=', true).execute())
    .map(({ externalId }) => externalId)
    .sort();

test('a file of a known name that names none of its stores first is refused as a whole; a stated source is not', async () => {
  const numbered = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `${from + n}`, name: 'Keg' }));
  assert.deepEqual(countsOf(await importAll([fileAt('a/stores.ndjson', numbered(1, 2))])), [2, 2, 0, 0, 0]);
  const other = fileAt('b/stores.ndjson', [...numbered(1001, 100), { id: '1', name: 'Tandoor' }]);
  const refused = await importFiles({ db, clock }, { files: [other], prune: true, stdin: Readable.from([]) });
  assert.deepEqual([countsOf(refused.result), refused.result.pruned], [[0, 0, 0, 0, 0], 0]);
  assert.match(
    refused.unreadableFiles[0] ?? '',
    /names none of the stores of the feed stores\. Name the feed with --source/,
  );
  assert.deepEqual(await inSearch('stores'), ['1', '2']);
  assert.equal((await store('stores', '1'))?.profile.name, 'Keg');
  assert.deepEqual(countsOf(await importAll([other], { source: 'brooklyn' })), [101, 101, 0, 0, 0]);
  const stated = await importAll([other], { source: 'stores', prune: true });
  assert.deepEqual([countsOf(stated), stated.pruned], [[101, 100, 1, 0, 0], 1]);
});

test('a file that names one store of its feed, even in a faulty line, moves and prunes its stores', async () => {
  await importAll([
    fileAt(
      '2026-11-01/daily.ndjson',
      ['1', '2', '3'].map((id) => ({ id, name: 'Marisol' })),
    ),
  ]);
  const next = fileAt('2026-11-02/daily.ndjson', [
    { id: '1', name: '' },
    { id: '2', name: 'Tandoor', at: CHICAGO },
    { id: '9', name: 'Qlub' },
  ]);
  const result = await importAll([next], { prune: true });
  assert.deepEqual([countsOf(result), result.pruned, result.warnings], [[3, 1, 1, 0, 1], 1, []]);
  assert.deepEqual(await inSearch('daily'), ['1', '2', '9']);
});

test('a file without stores prunes nothing, and standard input is guarded as a file is', async () => {
  const read = (text: string) =>
    importFiles({ db, clock }, { files: ['-'], prune: true, stdin: Readable.from([Buffer.from(text)]) });
  assert.equal((await read(JSON.stringify(line({ id: '1', name: 'Marisol' })))).result.created, 1);
  for (const text of ['\n\n', JSON.stringify(line({ id: '2', name: 'Tandoor' }))]) {
    const { result, unreadableFiles } = await read(text);
    assert.deepEqual([result.created, result.pruned, unreadableFiles.length], [0, 0, 1], text);
  }
  assert.deepEqual(await inSearch('stdin'), ['1']);
});
