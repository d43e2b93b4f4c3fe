import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import type { ImportResult } from '../../src/supply/imports/import-result.ts';
import { cafe, givenPlaces } from '../../test/given/places.ts';
import { osm } from './place-formats.flow.ts';

const given = await givenPlaces();
const { app, clock, db, folder, importPlaces, inSearch, store } = given;
after(() => given.close());
afterEach(() => given.clear());

const counts = ({ seconds: _, ...result }: ImportResult) => result;

async function importFile(name: string, bytes: Buffer | string) {
  writeFileSync(join(folder, name), bytes);
  return importFiles({ db, clock }, { files: [join(folder, name)], format: osm, stdin: Readable.from([]) });
}

test('a place is a store with its hours and known address parts, and takes no orders', async () => {
  await importPlaces('osm', [
    cafe('node/1', 'Fable', { opening_hours: '24/7', brand: 'Fables', 'addr:city': 'Vancouver' }),
  ]);
  await app.catchUp();
  const { body } = await app.get('/search/store/v3', { latitude: 49.28, longitude: -123.12 });
  const found = body.stores.find((one: { name: string }) => one.name === 'Fable');
  assert.deepEqual(
    [found.is_open, found.type, found.pickup_enabled, found.delivery_enabled],
    [true, 'restaurant', false, false],
  );
  const nothing = { street_addr: '', street_addr_2: '', state: 'BC', zipcode: '' };
  assert.deepEqual(found.address, {
    ...nothing,
    city: 'Vancouver',
    country: 'CA',
    latitude: 49.28,
    longitude: -123.12,
  });
  const query = {
    store_id: found._id,
    pickup: false,
    include_quote: true,
    user_latitude: 49.28,
    user_longitude: -123.12,
  };
  const inventory = await app.get('/details/inventory', query);
  assert.deepEqual([inventory.status, inventory.body.categories], [200, []]);
  assert.deepEqual(inventory.body.quote, { error: 'This store is not available.' });
  const row = await store('osm', 'node/1');
  assert.deepEqual([row?.brand, row?.hasCatalog, row?.onlineOrdering], ['Fables', false, false]);
  assert.deepEqual(row?.origins, [
    { dataset: 'OpenStreetMap', license: 'ODbL-1.0', recordId: 'node/1', updatedAt: null },
  ]);
});

test('a missing region comes from the postal code or coordinate; at a border it is unknown, with a warning', async () => {
  const at = (id: string, coordinates: readonly [number, number], tags: Record<string, string> = {}) => ({
    ...cafe(id, 'Fable', tags),
    geometry: { type: 'Point', coordinates },
  });
  const ottawa = [-75.69, 45.42] as const;
  const { warnings } = await importPlaces('regions', [
    at('node/1', [-123.12, 49.28]),
    at('node/2', ottawa, { 'addr:postcode': 'K1P 1J1' }),
    at('node/3', ottawa),
  ]);
  const states = ['node/1', 'node/2', 'node/3'].map(async (id) => (await store('regions', id))?.profile.address.state);
  assert.deepEqual(await Promise.all(states), ['BC', 'ON', '']);
  assert.deepEqual(
    warnings.map(({ line, message }) => [line, message]),
    [[3, 'expected a state or province, or a postal code that tells it']],
  );
});

test('dates of opening_hours apply to the import’s year and the next, and a repeated import is unchanged', async () => {
  const feature = cafe('node/1', 'Fable', {
    opening_hours: 'Mo-Su 09:00-17:00; Dec 24 09:00-12:00; Dec 25 off; PH off',
  });
  const { created, warnings } = await importPlaces('osm', [feature]);
  assert.deepEqual([created, warnings.length], [1, 1]);
  const year = clock.now().toZonedDateTimeISO('America/Vancouver').year;
  const readDays = async () =>
    (await store('osm', 'node/1'))?.profile.hoursExceptions?.map(({ from, ranges }) => [from, ranges.length]);
  const expected = [year, year + 1].flatMap((one) => [
    [`${one}-12-24`, 1],
    [`${one}-12-25`, 0],
  ]);
  assert.deepEqual(await readDays(), expected);
  assert.equal((await importPlaces('osm', [feature])).unchanged, 1);
});

test('records that are no stores are skipped with a reason; broken records are rejected', async () => {
  const abroad = { ...cafe('node/5', 'Le Dôme'), geometry: { type: 'Point', coordinates: [2.33, 48.84] } };
  const result = await importPlaces('osm', [
    cafe('node/1', 'Fable'),
    cafe('node/2', ''),
    cafe('node/3', 'Bench', { amenity: 'bench' }),
    cafe('node/4', 'Old Gull', { disused: 'yes' }),
    abroad,
    { ...cafe('node/6', 'Nowhere'), geometry: null },
    cafe('', 'Twice', { meters: 500 }),
    cafe('', 'Twice', { meters: 500, phone: '1' }),
    { ...cafe('node/7', 'Odd'), geometry: { type: 'Point', coordinates: ['-123', '49'] } },
    '{"type":"Feature"}',
  ]);
  const { errors, ...rest } = counts(result);
  assert.deepEqual(rest, {
    read: 10,
    created: 2,
    updated: 0,
    unchanged: 0,
    rejected: 2,
    merged: 0,
    left_out: { closed_for_good: 1, no_location: 1, no_name: 1, no_shop: 1, outside: 1, repeated: 1 },
    warnings: [],
  });
});

test('a changed record, brand or license updates the store; --prune removes former stores', async () => {
  const feature = cafe('node/1', 'Fable', { brand: 'A' });
  await importPlaces('osm', [feature]);
  assert.equal((await importPlaces('osm', [cafe('node/1', 'Fable', { brand: 'B' })])).updated, 1);
  assert.equal((await importPlaces('osm', [cafe('node/1', 'Fable', { brand: 'B', '@timestamp': '2020' })])).updated, 1);
  const closed = cafe('node/1', 'Fable', { disused: 'yes' });
  assert.deepEqual(
    [(await importPlaces('osm', [closed])).left_out, await inSearch()],
    [{ closed_for_good: 1 }, ['osm/node/1']],
  );
  assert.equal((await importPlaces('osm', [closed], { prune: true })).pruned, 1);
  assert.deepEqual(await inSearch(), []);
});

test('every layout of GeoJSON imports alike, compressed or not, as the feed of its base name', async () => {
  const features = [cafe('node/1', 'Fable'), cafe('node/2', 'Salad Loop')];
  const document = { type: 'FeatureCollection', features };
  const files: [string, Buffer | string][] = [
    ['a.geojson', JSON.stringify(document)],
    ['b.json.gz', gzipSync(JSON.stringify(document, null, 2))],
    ['c.geojsonl.zst', zstdCompressSync(features.map((one) => JSON.stringify(one)).join('\n'))],
    ['d.geojsonseq', features.map((one) => `\x1e${JSON.stringify(one)}\n`).join('')],
  ];
  for (const [name, bytes] of files) {
    const { result } = await importFile(name, bytes);
    assert.equal(result.created, 2, name);
    assert.ok(await store(name.slice(0, 1), 'node/2'), name);
  }
  const stdin = Readable.from([JSON.stringify(document)]);
  const piped = await importFiles({ db, clock }, { files: ['-'], format: osm, stdin });
  assert.equal(piped.result.created, 2);
});

test('hostile features are faults of their own, with their number', async () => {
  const good = JSON.stringify(cafe('node/1', 'Fable'));
  const bad = [
    good.replace('49.28', 'NaN'),
    good.replace('"Fable"', `"${'x'.repeat(10 * 1024 * 1024)}"`),
    good.replace('"Fable"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    good.replace('"Fable"', `"${'x'.repeat(501)}"`),
    '{"type":"Feature","properties":{"__proto__":{"name":"X"},"amenity":"cafe"},"geometry":{"type":"Point","coordinates":{"0":1}}}',
    'null',
  ];
  const utf8 = Buffer.concat([Buffer.from(good.slice(0, 60)), Buffer.from([0xc3, 0x28]), Buffer.from(good.slice(60))]);
  const lines = [...bad.map((one) => Buffer.from(one)), utf8, Buffer.from(good)];
  const list = Buffer.concat(lines.flatMap((line, n) => (n === 0 ? [line] : [Buffer.from(',\n'), line])));
  const { result } = await importFile(
    'hostile.geojson',
    Buffer.concat([Buffer.from('{"features":['), list, Buffer.from(']}')]),
  );
  assert.deepEqual([result.read, result.created, result.rejected], [8, 1, 7]);
  assert.deepEqual(
    result.errors.map(({ line, path, message }) => [line, path, message.slice(0, 22)]),
    [
      [1, '', 'expected JSON'],
      [2, '', 'expected at most 41943'],
      [3, '', 'expected at most 32 le'],
      [4, 'properties.name', 'expected at most 500 c'],
      [5, 'geometry', 'expected longitude and'],
      [6, '', 'expected a GeoJSON Fea'],
      [7, '', 'expected UTF-8'],
    ],
  );
  assert.equal(({} as { name?: string }).name, undefined);
});

test('a truncated file keeps the records read so far, and prunes nothing', async () => {
  const features = Array.from({ length: 3000 }, (_, n) => cafe(`node/${n}`, `Café number ${n}`, { meters: n * 100 }));
  const whole = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }));
  await importPlaces('cut', [cafe('node/x', 'Fable', { meters: -100 }), ...features.slice(0, 1)]);
  const files: [string, Buffer][] = [
    ['cut.geojson.gz', gzipSync(whole).subarray(0, -40)],
    ['cut.geojson', whole.subarray(0, -40)],
  ];
  for (const [name, bytes] of files) {
    writeFileSync(join(folder, name), bytes);
    const request = { files: [join(folder, name)], format: osm, prune: true, stdin: Readable.from([]) };
    const { result, unreadableFiles } = await importFiles({ db, clock }, request);
    assert.equal(unreadableFiles.length, 1);
    assert.ok(result.read > 0 && result.read <= 3000 && result.rejected === 0);
    assert.equal(result.pruned, 0);
  }
  assert.ok((await inSearch()).includes('cut/node/x'));
});
