import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { pizzeria } from '../../../../test/feed-lines.ts';
import { countsOf } from '../../../../test/given/import.ts';
import { cafe, givenPlaces } from '../../../../test/given/places.ts';
import { storeIdOf } from '../store-id.ts';
import { undoMerge } from './merge-places.flow.ts';

const given = await givenPlaces();
const { app, clock, db, importLines, importPlaces, inSearch, mergeOf, standingFor } = given;
after(() => given.close());
afterEach(() => given.clear());

/** A restaurant from its own feed at the cafés' location. */
const line = (id: string, name: string, meters = 0) =>
  pizzeria({ external_id: id, name, latitude: 49.28 + meters / 111_195, longitude: -123.12, phone: null });
const undo = async (source: string, id: string) => {
  const { mergeId } = await mergeOf(source, id);
  return db.transaction().execute((tx) => undoMerge(tx, mergeId, clock.now()));
};

test('a place that is there already is one store with it, of an earlier file and of its own', async () => {
  await importPlaces('one', [cafe('node/1', 'Fable'), cafe('node/2', 'Salad Loop')]);
  const result = await importPlaces('two', [
    cafe('node/3', 'FABLE Café', { meters: 30 }),
    cafe('node/4', 'Fable', { meters: 90 }),
    cafe('node/5', 'Purebread', { meters: 10 }),
    cafe('node/6', 'Purebread Bakery', { meters: 40 }),
  ]);
  assert.deepEqual([countsOf(result), result.merged], [[4, 4, 0, 0, 0], 2]);
  assert.deepEqual(await inSearch(), ['one/node/1', 'one/node/2', 'two/node/4', 'two/node/5']);
  const { reason, meters } = await mergeOf('two', 'node/3');
  assert.deepEqual([reason, Math.round(meters)], ['name', 30]);
  assert.equal(await standingFor('two', 'node/6'), 'two/node/5');
});

test('the same file again changes nothing and decides nothing', async () => {
  const features = [cafe('node/1', 'Fable'), cafe('node/2', 'Fable', { meters: 5 })];
  await importPlaces('one', features);
  const before = await db.selectFrom('stores').selectAll().orderBy('storeId').execute();
  const merge = await mergeOf('one', 'node/2');
  const again = await importPlaces('one', features, { prune: true });
  assert.deepEqual([countsOf(again), again.merged, again.pruned], [[2, 0, 0, 2, 0], 0, 0]);
  assert.deepEqual(await db.selectFrom('stores').selectAll().orderBy('storeId').execute(), before);
  assert.deepEqual(await mergeOf('one', 'node/2'), merge);
});

test('a decision undone brings the store back into search, and is not taken again', async () => {
  const features = [cafe('node/1', 'Fable'), cafe('node/2', 'Fable', { meters: 5 })];
  await importPlaces('one', features);
  const ids = [storeIdOf('one', 'node/1'), storeIdOf('one', 'node/2')];
  const found = async () => {
    await app.catchUp();
    const { body } = await app.get('/search/store/v3', { latitude: 49.28, longitude: -123.12 });
    return ids.filter((id) => body.stores.some((store: { _id: string }) => store._id === id));
  };
  assert.deepEqual(await found(), ids.slice(0, 1));
  assert.equal((await undo('one', 'node/2'))?.undoneAt !== null, true);
  assert.deepEqual(await found(), ids);
  await importPlaces('one', features);
  await importPlaces('one', [], { prune: true });
  await importPlaces('one', features);
  assert.deepEqual(await inSearch(), ['one/node/1', 'one/node/2']);
  await undo('one', 'node/2');
  assert.deepEqual(await inSearch(), ['one/node/1', 'one/node/2']);
});

test('when the store that stands for it leaves search, a merged one is back; when that returns, they are one again', async () => {
  const first = [cafe('node/1', 'Fable')];
  await importPlaces('one', first);
  await importPlaces('two', [cafe('node/2', 'Fable', { meters: 5 })]);
  await importPlaces('one', [], { prune: true });
  assert.deepEqual(await inSearch(), ['two/node/2']);
  assert.notEqual((await mergeOf('two', 'node/2')).endedAt, null);
  await importPlaces('one', first);
  assert.deepEqual(await inSearch(), ['two/node/2'], 'the earlier one in search stands');
  assert.equal(await standingFor('one', 'node/1'), 'two/node/2');
});

test('a store with its own feed absorbs its places, and two such stores stay two', async () => {
  await importPlaces('osm', [cafe('node/1', 'Fable'), cafe('node/2', 'Fable', { meters: 5 })]);
  assert.deepEqual(await importLines('own', [line('f', 'Fable', 10), line('g', 'Fable', 10)]), [2, 2, 0, 0, 0]);
  assert.deepEqual(await inSearch(), ['own/f', 'own/g']);
  for (const id of ['node/1', 'node/2']) assert.equal(await standingFor('osm', id), 'own/f');
  const late = await importPlaces('late', [cafe('node/3', 'Fable')]);
  assert.equal(late.merged, 1);
  assert.deepEqual(await inSearch(), ['own/f', 'own/g']);
});

test('each decision of a chain can be undone: earlier merges stay with their store', async () => {
  await importPlaces('osm', [cafe('node/1', 'Fable'), cafe('node/2', 'Fable', { meters: 5 })]);
  await importLines('own', [line('f', 'Fable')]);
  await undo('osm', 'node/1');
  assert.deepEqual(await inSearch(), ['osm/node/1', 'own/f']);
  assert.equal(await standingFor('osm', 'node/2'), 'osm/node/1');
  await undo('osm', 'node/2');
  assert.deepEqual(await inSearch(), ['osm/node/1', 'osm/node/2', 'own/f']);
});

test('a merged place that gets its own feed becomes the listed store', async () => {
  await importPlaces('one', [cafe('f', 'Fable')]);
  await importPlaces('two', [cafe('f', 'Fable', { meters: 5 })]);
  await importLines('two', [line('f', 'Fable')]);
  assert.deepEqual(await inSearch(), ['two/f']);
  assert.equal(await standingFor('one', 'f'), 'two/f');
});

test('without places a feed is imported as ever: no decision, no count of them', async () => {
  const result = await given.importAll([given.fileOf('own.ndjson', [line('f', 'Fable'), line('g', 'Fable')])]);
  assert.deepEqual([countsOf(result), 'merged' in result, 'left_out' in result], [[2, 2, 0, 0, 0], false, false]);
  assert.deepEqual(await db.selectFrom('storeMerges').selectAll().execute(), []);
});

test('imports at the same time find each other’s places', async () => {
  const files = ['a', 'b', 'c', 'd'].map((source, n) => importPlaces(source, [cafe('node/1', 'Fable', { meters: n })]));
  const results = await Promise.all(files);
  assert.deepEqual(results.map(({ merged }) => merged).sort(), [0, 1, 1, 1]);
  assert.equal((await inSearch()).length, 1);
});

test('a place with more than 500 others nearby is a warning, because it is not compared with all', async () => {
  const crowd = Array.from({ length: 501 }, (_, n) => cafe(`node/${n}`, `Shop${n}x`));
  assert.deepEqual((await importPlaces('one', crowd)).warnings, []);
  const { warnings } = await importPlaces('two', [cafe('node/1', 'Fable')]);
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ['expected at most 500 stores nearby; not compared with the others'],
  );
});
