import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, test } from 'node:test';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { keepsFormatContract } from '../../test/contracts/format-contract.ts';
import { parquetFixture, writeParquet } from '../../test/given/parquet.ts';
import { givenPlaces } from '../../test/given/places.ts';
import { overture } from './place-formats.flow.ts';

const given = await givenPlaces();
const { clock, db, fileOf, folder, store } = given;
after(() => given.close());
afterEach(() => given.clear());

async function importOverture(file: string) {
  const { result } = await importFiles({ db, clock }, { files: [file], format: overture, stdin: Readable.from([]) });
  const { seconds: _, ...counts } = result;
  return counts;
}

/** A point in Austin as hexadecimal WKB. */
const AUSTIN_BIG = '0000000001C0586F7381D7DBF5403E439C0EBEDFA4';
test('Overture places come in from GeoParquet, in both forms, with every origin and its license', async () => {
  const file = parquetFixture('austin');
  const result = await importOverture(file);
  assert.deepEqual(result, {
    read: 5,
    created: 2,
    updated: 0,
    unchanged: 0,
    rejected: 1,
    merged: 0,
    left_out: { closed_for_good: 1, does_not_exist: 1 },
    errors: [{ line: 5, path: 'geometry', message: 'expected a Point, LineString, Polygon or MultiPolygon' }],
    warnings: [],
  });
  const [franklin, mart] = [await store('austin', 'g1'), await store('austin', 'g2')];
  assert.deepEqual(
    franklin?.origins?.map(({ dataset, license }) => [dataset, license]),
    [
      ['meta', 'CDLA-Permissive-2.0'],
      ['Foursquare', 'Apache-2.0'],
    ],
  );
  assert.deepEqual(
    [franklin?.brand, franklin?.profile.cuisines, franklin?.profile.timeZone],
    ['Franklin Barbecue', ['barbecue'], 'America/Chicago'],
  );
  const address = { streetAddr: '', streetAddr2: '', city: 'Austin', state: 'TX', zipcode: '', country: 'US' };
  assert.deepEqual([mart?.profile.type, mart?.profile.address], ['grocery', address]);
  for (const one of [franklin, mart])
    assert.deepEqual([one?.latitude.toFixed(4), one?.longitude.toFixed(4)], ['30.2641', '-97.7414']);
  assert.equal((await importOverture(file)).unchanged, 2);
});

test('a release without some columns keeps the contract of a format; many rows come in the order of the file', async (t) => {
  const file = join(folder, 'many.geoparquet');
  const ids = Array.from({ length: 6000 }, (_, n) => n);
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const;
  writeParquet(
    file,
    [
      { name: 'id', data: ids.map((n) => `g${n}`) },
      { name: 'geometry', data: ids.map(() => Buffer.from(AUSTIN_BIG, 'hex')) },
      { name: 'names', data: ids.map((n) => ({ primary: `Mart ${n}` })) },
      { name: 'categories', data: ids.map((n) => ({ primary: n % 12 === 0 ? 'supermarket' : 'bank' })) },
    ],
    {
      schema: [
        { name: 'root', num_children: 4 },
        { name: 'id', ...text },
        { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
        { name: 'names', repetition_type: 'OPTIONAL', num_children: 1 },
        { name: 'primary', ...text },
        { name: 'categories', repetition_type: 'OPTIONAL', num_children: 1 },
        { name: 'primary', ...text },
      ],
    },
  );
  const storeIds = ids.filter((n) => n % 12 === 0).map((n) => `g${n}`);
  await keepsFormatContract(t, { format: overture, files: [file], storeIds });
  const result = await importOverture(file);
  assert.deepEqual([result.read, result.created, result.left_out], [6000, 500, { no_shop: 5500 }]);
});

test('Overture places come in from GeoJSON as well', async () => {
  const feature = {
    type: 'Feature',
    id: 'g1',
    geometry: { type: 'Point', coordinates: [-97.7414, 30.2641] },
    properties: { names: { primary: 'Franklin' }, categories: { primary: 'cafe' } },
  };
  const result = await importOverture(fileOf('austin.geojson', [{ type: 'FeatureCollection', features: [feature] }]));
  assert.equal(result.created, 1);
  assert.equal((await store('austin', 'g1'))?.profile.address.country, 'US');
});
