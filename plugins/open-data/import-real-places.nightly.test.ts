// covers: plugins/open-data/*.flow.ts, src/supply/stores/merges/*
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { type App, givenApp } from '../../test/harness.ts';
import { osm } from './place-formats.flow.ts';

const FEEDS = join(import.meta.dirname, '../../../shared/data/feed');
const FILES = ['vancouver', 'ottawa-groceries'].map((name) => join(FEEDS, `${name}.geojson.gz`));
const [VANCOUVER = '', OTTAWA = ''] = FILES;
const skip = FILES.every((file) => existsSync(file)) ? false : 'The real places are not beside the clone.';

const NOTHING = { created: 0, updated: 0, unchanged: 0, rejected: 0, merged: 0, left_out: {}, errors: [] };
/** Rejected records: markets of many vendors, shops without a name, a club marked as disused, and one duplicate. */
const NO_STORES = { closed_for_good: 1, no_name: 82, no_shop: 13, repeated: 1 };

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

async function importReal(files: readonly string[], options: { prune?: boolean } = {}) {
  const { db, clock } = app.service.deps;
  const request = { files, format: osm, stdin: Readable.from([]), ...options };
  const { seconds: _, warnings, ...counts } = (await importFiles({ db, clock }, request)).result;
  return { ...counts, warnings: warnings.length };
}

const inSearch = async (source: string) => {
  const { db } = app.service.deps;
  const rows = await db
    .selectFrom('stores')
    .select('profile')
    .where('source', '=', source)
    .where('mergedInto', 'is', null)
    .execute();
  return rows.map(({ profile }) => profile);
};

test('of the 4,688 features of Vancouver 4,591 become stores, 16 of them one place with another', {
  skip,
}, async () => {
  assert.deepEqual(await importReal([VANCOUVER]), {
    ...NOTHING,
    read: 4688,
    created: 4591,
    merged: 16,
    left_out: NO_STORES,
    warnings: 73,
  });
  const profiles = await inSearch('vancouver');
  assert.equal(profiles.length, 4575);
  assert.ok(
    profiles.every(
      ({ type, timeZone, address }) =>
        type === 'restaurant' && timeZone === 'America/Vancouver' && address.country === 'CA' && address.state === 'BC',
    ),
  );
  assert.equal(profiles.filter(({ hours }) => hours.operational !== null).length, 1034);
  assert.equal(profiles.filter(({ hoursExceptions }) => hoursExceptions !== undefined).length, 1);
});

test('of the 226 features of Ottawa all become stores', { skip }, async () => {
  assert.deepEqual(await importReal([OTTAWA]), { ...NOTHING, read: 226, created: 226, warnings: 230 });
  assert.ok((await inSearch('ottawa-groceries')).every(({ type }) => type === 'grocery'));
});

test('both again change nothing, and nothing is pruned', { skip }, async () => {
  const again = { ...NOTHING, read: 4914, unchanged: 4817, left_out: NO_STORES, pruned: 0, warnings: 303 };
  assert.deepEqual(await importReal(FILES, { prune: true }), again);
});

test('search finds them with their source’s license and an empty inventory', { skip }, async () => {
  await app.catchUp();
  const near = { latitude: 49.2827, longitude: -123.1207, query: 'tim hortons' };
  const { body } = await app.get('/search/store/v3', near);
  assert.equal(body.stores.length, 20);
  const row = await app.service.deps.db
    .selectFrom('stores')
    .selectAll()
    .where('storeId', '=', body.stores[0]._id)
    .executeTakeFirst();
  assert.equal(row?.origins?.[0]?.license, 'ODbL-1.0');
  const inventory = { store_id: body.stores[0]._id, pickup: true, include_quote: true };
  const { status, body: shown } = await app.get('/details/inventory', inventory);
  assert.deepEqual([status, shown.categories, shown.quote], [200, [], { error: 'This store is not available.' }]);
});
