import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { ConfigError } from '../../src/platform/config/config.ts';
import type { ReportLeftOut } from '../../src/platform/lib/left-out.ts';
import { givenFolder } from '../../test/given/folder.ts';
import { osmFeature } from '../../test/given/place.ts';
import { openPlacesFile } from './places-file.ts';

const FEEDS = join(import.meta.dirname, '../../../shared/data/feed');
const skip = existsSync(FEEDS) ? false : `${FEEDS} is not here`;
const folder = givenFolder('doorstep-local');

type Facts = { places: number; skipped: Record<string, number> };
let reported: Facts | undefined;
let leftOut: [kind: string, times: number | undefined][] = [];
function info(facts: Facts): void {
  reported = facts;
}
const reportLeftOut: ReportLeftOut = (kind, _text, _fields, times) => void leftOut.push([kind, times]);
const NOW = Temporal.Instant.from('2026-11-27T12:00:00Z');
const open = (file: string | undefined) => openPlacesFile({ file, now: NOW, log: { info } as never, reportLeftOut });
function writeFile(name: string, contents: string | Buffer): string {
  writeFileSync(join(folder, name), contents);
  return join(folder, name);
}
const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });
const search = async (file: string | undefined, text: string) =>
  (
    await (
      await open(file)
    ).search({ text, near: null, isOpenOnly: false, now: Temporal.Instant.from('2026-06-10T17:00:00Z') })
  ).map(({ name }) => name);

const osm = osmFeature(1, { amenity: 'cafe', name: 'Fog & Filter' });
const overture = {
  type: 'Feature',
  id: '08f28d1a-place',
  properties: {
    names: { primary: 'Third Bell' },
    categories: { primary: 'coffee_shop' },
    addresses: [{ country: 'CA' }],
  },
  geometry: { type: 'Point', coordinates: [-123.1, 49.28] },
};

test('without a file no place is known', async () => {
  assert.deepEqual(await search(undefined, 'fog'), []);
  assert.equal(await (await open(undefined)).find('node/1'), undefined);
});

test('OpenStreetMap and Overture are read, plain and compressed, one feature a line too', async () => {
  const both = collection(osm, overture);
  const files = [
    writeFile('plain.geojson', both),
    writeFile('gzip.geojson.gz', gzipSync(both)),
    writeFile('zstd.geojson.zst', zstdCompressSync(both)),
    writeFile('lines.geojsonseq', `${JSON.stringify(osm)}\n${JSON.stringify(overture)}\n`),
  ];
  for (const file of files) {
    assert.deepEqual(await search(file, 'fog'), ['Fog & Filter'], file);
    assert.deepEqual(await search(file, 'third bell'), ['Third Bell'], file);
  }
  const places = await open(files[0]);
  assert.equal((await places.find('08f28d1a-place'))?.storeType, 'restaurant');
  assert.deepEqual([places.name, places.maxCacheDays], ['local', null]);
});

test('records that are no place are counted by reason, and leave the others in', async () => {
  const file = writeFile(
    'mixed.geojson',
    collection(osm, osm, { type: 'Nothing' }, 7, osmFeature(2, { amenity: 'bank', name: 'B' })),
  );
  leftOut = [];
  assert.deepEqual(await search(file, 'fog'), ['Fog & Filter']);
  assert.deepEqual(leftOut, [['place', 2]]);
  assert.deepEqual(reported, { places: 1, skipped: { repeated: 1, malformed: 2, no_shop: 1 } });
});

test('an unusable file is an invalid setting, whose error names the setting and not the path', async () => {
  const files = [
    join(folder, 'not-there.geojson'),
    folder,
    writeFile('empty.geojson', ''),
    writeFile('none.geojson', collection()),
    writeFile('stores.csv', 'name,city\nFern,Vancouver\n'),
    writeFile('cut.geojson', collection(osm, overture).slice(0, -30)),
    writeFile('cut.geojson.gz', gzipSync(collection(osm, overture)).subarray(0, -20)),
    writeFile('banks.geojson', collection(osmFeature(2, { amenity: 'bank', name: 'B' }))),
  ];
  for (const file of files) {
    await assert.rejects(open(file), (error) => {
      assert.ok(error instanceof ConfigError, file);
      assert.match(error.message, /^PLACES_FILE [^\n]+\.$/);
      return !error.message.includes(folder);
    });
  }
  await assert.rejects(open(files.at(-1)), { message: 'PLACES_FILE has no place that could be read (1 no shop).' });
  await assert.rejects(open(files[0]), { message: 'PLACES_FILE could not be read: no such file.' });
});

test('the real files are read', { skip }, async () => {
  assert.deepEqual(await search(join(FEEDS, 'vancouver.geojson.gz'), 'cafe medina'), ['Cafe Medina']);
  assert.ok((reported?.places ?? 0) > 4000);
  assert.ok((await search(join(FEEDS, 'ottawa-groceries.geojson.gz'), 'loblaws')).length > 0);
});
