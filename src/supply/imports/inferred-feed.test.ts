import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import type { FeedLine } from '../../../test/feed-lines.ts';
import { countsOf, givenImport, product, shop } from '../../../test/given/import.ts';
import { importFiles } from './import-files.flow.ts';
import { createInferredFeed, pruningObstacle } from './inferred-feed.ts';

const given = await givenImport();
const { app, db, clock, folder, fileOf, importAll, productsOf, store } = given;
after(() => given.close());

const NEW_YORK = { latitude: 40.7383, longitude: -73.9927 };
/** 4 km from the first, 34 km from it, and in another state. */
const BROOKLYN = { latitude: 40.7, longitude: -73.98 };
const YONKERS = { latitude: 41.04, longitude: -73.99 };
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

test('a file of the same name whose lines are other businesses overwrites no store; its other lines are in', async () => {
  await importAll([
    fileAt('a/stores.ndjson', [
      { id: '1', name: 'Marisol' },
      { id: '2', name: 'Gorse' },
      { id: '3', name: 'Keg' },
    ]),
  ]);
  const before = await Promise.all(['1', '2', '3'].map((id) => store('stores', id)));
  const other = fileAt('b/stores.ndjson', [
    { id: '1', name: 'Tandoor', at: BROOKLYN },
    { id: '2', name: 'Gorse', at: CHICAGO },
    { id: '3', name: 'Keg', at: YONKERS },
    { id: '4', name: 'Brick', at: CHICAGO },
  ]);
  const result = await importAll([other]);
  assert.deepEqual(countsOf(result), [4, 1, 1, 0, 2]);
  assert.deepEqual(
    result.errors.map(({ line: at, path, message }) => [at, path, message.replace(/State .*/, '')]),
    [
      [1, 'external_id', 'expected the business that the feed stores has by this id: Marisol, 4.4 km away. '],
      [2, 'external_id', `expected the business that the feed stores has by this id: Gorse, 1146 km away. `],
    ],
  );
  assert.match(result.errors[0]?.message ?? '', /State the feed with --source: stores where it is the same business/);
  assert.deepEqual(await Promise.all(['1', '2'].map((id) => store('stores', id))), before.slice(0, 2));
  assert.deepEqual([...(await productsOf('stores', '1')).keys()], ['Marisol']);
  assert.equal((await store('stores', '3'))?.profile.latitude, YONKERS.latitude);

  const stated = await importAll([other], { source: 'brooklyn' });
  assert.deepEqual(countsOf(stated), [4, 4, 0, 0, 0]);
  assert.deepEqual(countsOf(await importAll([other], { source: 'stores' })), [4, 0, 2, 2, 0]);
  assert.equal((await store('stores', '1'))?.profile.name, 'Tandoor');
});

test('a store of the same file in another folder is renamed, moved and closed as before, and says unchanged', async () => {
  const places: Place[] = [
    { id: '1', name: 'Marisol' },
    { id: '2', name: 'Gorse' },
    { id: '3', name: 'Keg', more: { phone: '+12125550123' } },
    { id: '4', name: 'Brick' },
  ];
  await importAll([fileAt('2026-11-01/daily.ndjson', places)], { prune: true });
  assert.deepEqual(countsOf(await importAll([fileAt('2026-11-02/daily.ndjson', places)])), [4, 0, 0, 4, 0]);
  const next = fileAt('2026-11-03/daily.ndjson', [
    { id: '1', name: 'Tandoor' },
    { id: '2', name: 'Gorse', at: YONKERS },
    { id: '3', name: 'Qlub', at: BROOKLYN, more: { phone: '+12125550123' } },
    { id: '5', name: 'Fifth', at: CHICAGO },
  ]);
  const result = await importAll([next], { prune: true });
  assert.deepEqual([countsOf(result), result.pruned, result.warnings], [[4, 1, 3, 0, 0], 1, []]);
  assert.deepEqual(await inSearch('daily'), ['1', '2', '3', '5']);
});

test('a line that repeats an id of the run counts last, whatever it makes of the store; a rejected line permits nothing', async () => {
  const repeated: Place[] = [
    { id: '1', name: 'Marisol' },
    { id: '1', name: 'Tandoor', at: CHICAGO },
  ];
  assert.deepEqual(countsOf(await importAll([fileAt('c/repeated.ndjson', repeated)])), [2, 1, 1, 0, 0]);
  assert.equal((await store('repeated', '1'))?.profile.name, 'Tandoor');
  const twice: Place[] = [
    { id: '1', name: 'Keg' },
    { id: '1', name: 'Keg', at: BROOKLYN },
  ];
  assert.deepEqual(countsOf(await importAll([fileAt('d/repeated.ndjson', twice)])), [2, 0, 0, 0, 2]);
});

test('a feed that came from one file alone takes every line of that file, and is pruned as the file says', async () => {
  const write = (places: readonly Place[]) => fileAt('own/mine.ndjson', places);
  const mine = write([
    { id: '1', name: 'Marisol' },
    { id: '2', name: 'Gorse' },
  ]);
  assert.deepEqual(countsOf(await importAll([mine])), [2, 2, 0, 0, 0]);
  write([{ id: '1', name: 'Tandoor', at: CHICAGO }]);
  assert.deepEqual(countsOf(await importAll([mine])), [1, 0, 1, 0, 0]);
  assert.equal((await store('mine', '1'))?.profile.name, 'Tandoor');
  write([{ id: '9', name: 'Keg' }]);
  const pruned = await importAll([mine], { prune: true });
  assert.deepEqual([pruned.pruned, pruned.warnings, await inSearch('mine')], [2, [], ['9']]);
  writeFileSync(join(folder, 'own/mine.ndjson'), '\n\n');
  const emptied = await importAll([mine], { prune: true });
  assert.deepEqual([emptied.pruned, await inSearch('mine')], [0, ['9']], 'a file without stores prunes nothing');
  assert.match(emptied.warnings[0]?.message ?? '', /Nothing was pruned/);

  const missing = { files: [join(folder, 'mistyped/mine.ndjson')], stdin: Readable.from([]) };
  assert.equal((await importFiles({ db, clock }, missing)).unreadableFiles.length, 1);
  write([{ id: '9', name: 'Marisol', at: CHICAGO }]);
  assert.deepEqual(countsOf(await importAll([mine])), [1, 0, 1, 0, 0], 'a file that is not there is none of the feed');
  write([{ id: '9', name: 'Keg' }]);
  assert.deepEqual(countsOf(await importAll([mine])), [1, 0, 1, 0, 0]);

  const other = fileAt('other/mine.ndjson', [{ id: '9', name: 'Brick', at: CHICAGO }]);
  assert.deepEqual(countsOf(await importAll([other])), [1, 0, 0, 0, 1]);
  write([{ id: '9', name: 'Brick', at: CHICAGO }]);
  assert.deepEqual(countsOf(await importAll([mine])), [1, 0, 0, 0, 1], 'the feed has come from two files');
  assert.deepEqual(countsOf(await importAll([mine], { source: 'mine' })), [1, 0, 1, 0, 0]);
});

test('standard input without a source is guarded as a file is', async () => {
  const read = (place: Place) =>
    importFiles(
      { db, clock },
      { files: ['-'], prune: true, stdin: Readable.from([Buffer.from(JSON.stringify(line(place)))]) },
    );
  assert.equal((await read({ id: '1', name: 'Marisol' })).result.created, 1);
  const { result, unprunedSources } = await read({ id: '1', name: 'Tandoor', at: CHICAGO });
  assert.deepEqual([countsOf(result), result.pruned, unprunedSources], [[1, 0, 0, 0, 1], 0, []]);
  assert.equal((await store('stdin', '1'))?.profile.name, 'Marisol');
});

test('--prune takes out no store where the file names none of the feed, and every missing store where the source is stated', async () => {
  await importAll(
    [
      fileAt('a/chain.ndjson', [
        { id: 'a1', name: 'Marisol' },
        { id: 'a2', name: 'Gorse' },
      ]),
    ],
    { prune: true },
  );
  for (const [path, places] of [
    ['b/chain.ndjson', [{ id: 'b1', name: 'Keg' }]],
    ['empty/chain.ndjson', []],
  ] as const) {
    const result = await importAll([fileAt(path, places)], { prune: true });
    assert.deepEqual([result.pruned, result.rejected, result.warnings.length], [0, 0, 1], path);
    assert.match(
      result.warnings[0]?.message ?? '',
      /^Nothing was pruned: the feed chain has other stores, and the file names none of them\. State the feed with --source/,
    );
    assert.ok((await inSearch('chain')).includes('a1'));
  }
  const stated = await importAll([fileAt('b/chain.ndjson', [{ id: 'b9', name: 'Qlub' }])], {
    source: 'chain',
    prune: true,
  });
  assert.deepEqual([stated.pruned, stated.warnings, await inSearch('chain')], [3, [], ['b9']]);
});

test('--prune takes out no store where a line is of another business, and goes by faulty lines too', async () => {
  await importAll([
    fileAt('a/mixed.ndjson', [
      { id: '1', name: 'Marisol' },
      { id: '2', name: 'Gorse' },
      { id: '3', name: 'Keg' },
    ]),
  ]);
  const some = fileAt('b/mixed.ndjson', [
    { id: '1', name: 'Marisol' },
    { id: '2', name: 'Tandoor', at: CHICAGO },
  ]);
  const result = await importAll([some], { prune: true });
  assert.deepEqual([countsOf(result), result.pruned], [[2, 0, 0, 1, 1], 0]);
  assert.match(result.warnings[0]?.message ?? '', /^Nothing was pruned: a line is of other businesses/);
  const faulty = fileAt('c/mixed.ndjson', [
    { id: '1', name: '' },
    { id: '9', name: 'Qlub' },
  ]);
  const next = await importAll([faulty], { prune: true });
  assert.deepEqual([countsOf(next), next.pruned, await inSearch('mixed')], [[2, 1, 0, 0, 1], 2, ['1', '9']]);
});

test('a store with a categories file, and one business of two imports at once, are guarded alike', async () => {
  const market = (name: string, at: object) =>
    line({
      id: 'm',
      name,
      at,
      more: { type: 'grocery', cuisines: null, categories: [], categories_file: 'goods.ndjson' },
    });
  for (const [part, name, at] of [
    ['a', 'Marisol', NEW_YORK],
    ['b', 'Tandoor', CHICAGO],
  ] as const) {
    mkdirSync(join(folder, part), { recursive: true });
    writeFileSync(join(folder, part, 'goods.ndjson'), JSON.stringify({ ...product(name), path: ['Goods'] }));
    const result = await importAll([fileOf(`${part}/market.ndjson`, [market(name, at)])], { prune: true });
    assert.deepEqual([result.created, result.rejected, result.pruned], part === 'a' ? [1, 0, 0] : [0, 1, 0]);
    if (part === 'b') assert.equal(result.errors[0]?.path, 'external_id');
  }
  assert.deepEqual([...(await productsOf('market', 'm')).keys()], ['Marisol']);

  const ids = Array.from({ length: 60 }, (_, n) => `${n}`);
  const files = [
    fileAt(
      'a/race.ndjson',
      ids.map((id) => ({ id, name: 'Marisol' })),
    ),
    fileAt(
      'b/race.ndjson',
      ids.map((id) => ({ id, name: 'Tandoor', at: CHICAGO })),
    ),
  ];
  const results = await Promise.all(files.map((file) => importAll([file])));
  assert.deepEqual(
    results.map(({ created, rejected }) => created + rejected),
    [60, 60],
  );
  assert.deepEqual(results.map(({ created }) => created).sort(), [0, 60]);
  await app.catchUp();
});

test('open data, whose ids are global, has no guard of ids; records that are no stores do not keep a feed', () => {
  assert.equal(pruningObstacle('osm', { ...createInferredFeed({ globalIds: true }), leavesOut: true }, false), null);
  assert.notEqual(pruningObstacle('osm', createInferredFeed({ globalIds: true }), false), null);
});
