import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, test } from 'node:test';
import { withoutParquet, writeParquet } from '../../../test/given-parquet.ts';
import { givenPlaces } from '../../../test/given-places.ts';
import { importFiles } from '../import-files.flow.ts';

const given = await givenPlaces();
const { clock, db, fileOf, folder, store } = given;
after(() => given.close());
afterEach(() => given.clear());

async function importOverture(file: string) {
  const { result } = await importFiles({ db, clock }, { files: [file], format: 'overture', stdin: Readable.from([]) });
  const { seconds: _, ...counts } = result;
  return counts;
}

/** A row in the shape of ../shared/data/contracts/overture-place.md; `geometry` is hexadecimal WKB. */
const AUSTIN_LITTLE = '0101000000F5DBD781736F58C0A4DFBE0E9C433E40';
const AUSTIN_BIG = '0000000001C0586F7381D7DBF5403E439C0EBEDFA4';
const SOURCES = `[{'property': '', 'dataset': 'meta', 'license': 'CDLA-Permissive-2.0', 'record_id': '1', 'update_time': '2025-01-02', 'confidence': 0.9},
  {'property': '/phones', 'dataset': 'Foursquare', 'license': 'Apache-2.0', 'record_id': 'f', 'update_time': null, 'confidence': null}]`;
const NEW_ROWS = `
  select 'g1' as id, unhex('${AUSTIN_LITTLE}') as geometry, {'xmin': -97.7, 'xmax': -97.7, 'ymin': 30.2, 'ymax': 30.3} as bbox,
    {'primary': 'Franklin', 'common': map {'en': 'Franklin'}, 'rules': [{'variant': 'common', 'value': 'F', 'language': 'en'}]} as names,
    null::struct("primary" varchar, alternate varchar[]) as categories, 'restaurant' as basic_category,
    {'primary': 'barbecue_restaurant', 'hierarchy': ['food_and_drink', 'restaurant', 'barbecue_restaurant'], 'alternates': ['bar']} as taxonomy,
    0.9::double as confidence, 'open' as operating_status,
    [{'freeform': '900 E 11th St', 'locality': 'Austin', 'postcode': '78702', 'region': 'US-TX', 'country': 'US'}] as addresses,
    ['+15126531187'] as phones, ['https://franklin.example/'] as websites, null::varchar[] as socials, null::varchar[] as emails,
    {'names': {'primary': 'Franklin Barbecue'}, 'wikidata': null} as brand, ${SOURCES} as sources
  union all
  select 'g2', unhex('${AUSTIN_BIG}'), null, {'primary': 'Corner Mart', 'common': null, 'rules': null},
    {'primary': 'convenience_store', 'alternate': null}, null, null, null, null,
    [{'freeform': null, 'locality': 'Austin', 'postcode': null, 'region': 'TX', 'country': null}], null, null, null, null, null, null
  union all
  select 'g3', unhex('${AUSTIN_BIG}'), null, {'primary': 'Ghost', 'common': null, 'rules': null},
    {'primary': 'cafe', 'alternate': null}, null, null, 0, null, null, null, null, null, null, null, null
  union all
  select 'g4', unhex('${AUSTIN_BIG}'), null, {'primary': 'Gone', 'common': null, 'rules': null},
    {'primary': 'cafe', 'alternate': null}, null, null, 0.5, 'permanently_closed', null, null, null, null, null, null, null
  union all
  select 'g5', unhex('0102000000'), null, {'primary': 'Line', 'common': null, 'rules': null},
    {'primary': 'cafe', 'alternate': null}, null, null, 0.5, null, null, null, null, null, null, null, null`;

test('Overture places come in from GeoParquet, in both forms, with every origin and its licence', {
  skip: withoutParquet,
}, async () => {
  const file = join(folder, 'austin.parquet');
  await writeParquet(file, NEW_ROWS);
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

test('a release without some columns imports; many rows come in the order of the file', {
  skip: withoutParquet,
}, async () => {
  const file = join(folder, 'many.geoparquet');
  await writeParquet(
    file,
    `select 'g' || range as id, unhex('${AUSTIN_BIG}') as geometry, {'primary': 'Mart ' || range} as names,
      {'primary': case when range % 12 = 0 then 'supermarket' else 'bank' end} as categories from range(6000)`,
  );
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
