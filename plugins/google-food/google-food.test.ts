import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { foodEntities, foodStore, item, kitchen, offer, section } from '../../test/food-entities.ts';
import { countsOf, givenImport, type ImportOptions } from '../../test/given/import.ts';
import { ADDRESS, anyMenu, feedCategories } from '../../test/rendered-menus.ts';
import { googleFood } from './open-google-food.flow.ts';

const given = await givenImport();
const { fileOf, folder, importAll, productsOf, store } = given;
after(() => given.close());

const options = { format: googleFood };
const run = async (source: string, entities: readonly unknown[], more: ImportOptions = {}) =>
  importAll([fileOf(`${source}.ndjson`, entities)], { ...options, source, ...more });
const linesOf = (list: readonly { path: string; message: string }[]) =>
  list.map(({ path, message }) => `${path}: ${message}`);

test('a menu that was rendered as entities is imported as its own line would be, and again is unchanged', async () => {
  const [menu] = fc.sample(anyMenu, { numRuns: 1, seed: 7 });
  assert.ok(menu);
  const entities = foodEntities(menu);
  const half = Math.floor(entities.length / 2);
  const files = [fileOf('b.json', entities.slice(half)), join(folder, 'a.json.gz')];
  const lines = entities.slice(0, half).map((entity) => JSON.stringify(entity));
  writeFileSync(files[1] as string, gzipSync(`\uFEFF${lines.join('\r\n')}\n`));
  const result = await importAll(files, { ...options, source: 'halves' });
  assert.deepEqual([countsOf(result), linesOf(result.errors), linesOf(result.warnings)], [[1, 1, 0, 0, 0], [], []]);
  assert.deepEqual(countsOf(await importAll([...files].reverse(), { ...options, source: 'halves' })), [1, 0, 0, 1, 0]);
  await given.importLines('own line', [
    {
      external_id: 'r1',
      name: 'x',
      type: 'restaurant',
      address: ADDRESS,
      latitude: 41.88,
      longitude: -87.65,
      categories: feedCategories(menu, { id: 'options', name: 'Size' }),
    },
  ]);
  const bare = (rows: Awaited<ReturnType<typeof productsOf>>) =>
    [...rows.values()].map(({ storeId: _, ...row }) => row).sort((a, b) => a.productNo - b.productNo);
  assert.deepEqual(bare(await productsOf('halves', 'r1')), bare(await productsOf('own line', 'r1')));
});

test('the feed is named by the first of its files in their order', async () => {
  const files = [fileOf('zeta.ndjson', [{ '@type': 'Menu', '@id': 'm' }]), fileOf('alpha.json', kitchen())];
  assert.deepEqual(countsOf(await importAll(files, options)), [1, 1, 0, 0, 0]);
  assert.ok(await store('alpha', 'r1'));
});

test('entities may come as lists, and in the envelope of a feed', async () => {
  const [restaurant, ...rest] = kitchen();
  assert.deepEqual(
    countsOf(await run('lists', [restaurant, { data: rest.slice(0, 4) }, rest.slice(4)])),
    [1, 1, 0, 0, 0],
  );
  assert.deepEqual([...(await productsOf('lists', 'r1')).keys()], ['soup']);
});

test('an item whose price is no amount is left out with a warning; a foreign currency rejects the store, the others are in', async () => {
  const other = foodEntities({ sections: [] }, 'r2');
  const more = [item('stew', 'mains'), offer('stew', 6)];
  for (const price of [-1, 'Market Price', null, 4.505]) {
    const result = await run('prices', [...kitchen(offer('soup', price), ...more), ...other]);
    assert.equal(result.rejected, 0);
    assert.ok(result.warnings.some(({ path }) => path === 'MenuItemOffer soup/offer: price'));
    assert.deepEqual([...(await productsOf('prices', 'r1')).keys()], ['stew']);
  }
  const result = await run('coins', [...kitchen(offer('soup', 4.5, { priceCurrency: 'CAD' }), ...more), ...other]);
  assert.deepEqual([result.rejected, result.errors[0]?.path], [1, 'MenuItemOffer soup/offer: priceCurrency']);
  assert.deepEqual([(await store('coins', 'r2')) !== undefined, await store('coins', 'r1')], [true, undefined]);
});

test('faults of docs/feeds.md name the entity they are in', async () => {
  const noName = item('soup', 'mains', { name: '' });
  const result = await run('named', [...foodStore(), section('mains'), noName, offer('soup', 1)]);
  assert.deepEqual(linesOf(result.errors), ['MenuItem soup: name: missing or empty; give it a value']);
});

test('a dangling reference is reported with both ids, and the import goes on', async () => {
  const result = await run(
    'lost',
    kitchen(item('stew', 'gone'), offer('ghost', 3), section('mains', { menuItemId: ['soup', 'nowhere'] })),
  );
  assert.deepEqual(countsOf(result), [1, 1, 0, 0, 0]);
  assert.deepEqual(linesOf(result.warnings), [
    'MenuSection mains: expected once in the feed; a later one counts',
    'MenuItem stew: parentMenuSectionId: expected a MenuSection of the feed, found none with the id gone',
    'MenuItemOffer ghost/offer: menuItemId: expected a MenuItem of the feed, found none with the id ghost',
    'MenuSection mains: menuItemId: expected a MenuItem of the feed, found none with the id nowhere',
  ]);
  assert.deepEqual([...(await productsOf('lost', 'r1')).keys()], ['soup']);
});

test('sections a thousand deep are refused', async () => {
  const deep = Array.from({ length: 1000 }, (_, n) =>
    section(`s${n}`, n === 0 ? {} : { menuId: undefined, parentMenuSectionId: `s${n - 1}` }),
  );
  const result = await run('deep', [...foodStore(), ...deep, item('soup', 's999'), offer('soup', 1)]);
  assert.deepEqual(
    [result.rejected, linesOf(result.errors)[0]],
    [1, 'Restaurant r1: expected at most 100 steps from a restaurant to what belongs to it'],
  );
});

test('--prune takes restaurants out of search that the files do not have, and keeps faulty ones', async () => {
  const second = foodEntities({ sections: [] }, 'r2');
  await run('pruned', [...kitchen(), ...second]);
  const faulty = await run('pruned', kitchen(offer('soup', 1, { priceCurrency: 'EUR' })), { prune: true });
  assert.deepEqual([countsOf(faulty), faulty.pruned], [[1, 0, 0, 0, 1], 1]);
  assert.deepEqual([(await store('pruned', 'r1'))?.listed, (await store('pruned', 'r2'))?.listed], [true, false]);
});

test('where a file cannot be read to its end, nothing is imported and nothing pruned', async () => {
  await run('broken', kitchen());
  const whole = gzipSync(
    kitchen(item('new', 'mains'), offer('new', 1))
      .map((one) => JSON.stringify(one))
      .join('\n'),
  );
  const file = join(folder, 'broken.ndjson.gz');
  writeFileSync(file, whole.subarray(0, whole.length - 20));
  const good = fileOf('sound.ndjson', foodEntities({ sections: [] }, 'r9'));
  const result = await importAll([file, good], { ...options, source: 'broken', prune: true });
  assert.deepEqual([countsOf(result), result.pruned, result.errors.length], [[0, 0, 0, 0, 0], 0, 1]);
  assert.equal(await store('broken', 'r9'), undefined);
  assert.equal((await store('broken', 'r1'))?.listed, true);
});

test('a file in Zstandard is read, whatever its name', async () => {
  const file = join(folder, 'packed');
  writeFileSync(
    file,
    zstdCompressSync(
      kitchen()
        .map((one) => JSON.stringify(one))
        .join('\n'),
    ),
  );
  assert.deepEqual(countsOf(await importAll([file], { ...options, source: 'packed' })), [1, 1, 0, 0, 0]);
});

test('hostile lines are reported one by one, and the store between them is imported', async () => {
  const nested = `{"@type":"Menu","@id":"deep","x":${'{"1":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
  const hostile = [
    '{"@type":"MenuItem","@id":',
    '42',
    'null',
    '[]',
    { '@type': 'MenuItem' },
    { '@type': 'MenuItem', '@id': 'x'.repeat(301) },
    { name: 'no type' },
    { '@type': '__proto__', '@id': 'p' },
    '{"__proto__":{"@type":"Restaurant","@id":"evil"},"constructor":1}',
    { '@type': 'MenuItem', '@id': 'big', name: 'n'.repeat(10 * 1024 * 1024) },
    { '@type': 'MenuItem', '@id': 'many', parentMenuSectionId: Array.from({ length: 10_001 }, (_, n) => `s${n}`) },
    nested,
    { '@type': 'NutritionInformation', '@id': 'n' },
    { '@type': 'Menu', '@id': 'a\u0000b\ud800', name: '\u0000' },
    '{"@type":"Menu","@id":"raw\u0000nul"}',
  ];
  const result = await run('hostile', [
    ...hostile,
    ...kitchen(item('__proto__', 'mains'), offer('__proto__', 1), item('n\u0000l', 'mains'), offer('n\u0000l', 2)),
  ]);
  assert.equal(result.created, 1);
  assert.deepEqual(linesOf(result.errors), [
    ': expected JSON',
    ': expected an entity',
    ': expected an entity',
    'MenuItem: @id: expected text of 1 to 300 characters',
    'MenuItem: @id: expected text of 1 to 300 characters',
    '@type: expected an entity of the relational inventory schema, such as MenuItem',
    '@type: expected an entity of the relational inventory schema, such as MenuItem',
    ': expected at most 1048576 characters in an entity',
    'MenuItem many: expected at most 10000 references',
    ': expected an entity that is not nested so deep',
    ': expected JSON',
  ]);
  assert.deepEqual([...(await productsOf('hostile', 'r1')).keys()].sort(), ['__proto__', 'nl', 'soup']);
});

test('a feed without a restaurant says so', async () => {
  const result = await run('none', [{ '@type': 'Menu', '@id': 'm' }]);
  assert.deepEqual(
    [countsOf(result), linesOf(result.errors)],
    [[1, 0, 0, 0, 1], [': expected a Restaurant in the feed']],
  );
});
