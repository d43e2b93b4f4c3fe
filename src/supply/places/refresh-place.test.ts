import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { osm } from '../../../plugins/open-data/place-formats.flow.ts';
import { givenGoogle, googleCafe } from '../../../test/fakes/given-google.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPlacesFile, osmFeature } from '../../../test/given/place.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { importFiles } from '../imports/import-files.flow.ts';
import { storeIdOf } from '../stores/store-id.ts';
import { findStore } from '../stores/stores.db.ts';

const SPOT_APART = 0.01;

const lines: string[] = [];
let count = 0;
let placeId: string;
let storeId: string;
const google = await givenGoogle();
const env = { GOOGLE_PLACES_API_KEY: google.key, LOG_LEVEL: 'warn' };
const app = await givenOwnApp({
  env,
  partyUrls: { google: { placesUrl: google.baseUrl } },
  onLogLine: (line) => lines.push(line),
});
after(async () => {
  await app.close();
  await google.close();
  assert.deepEqual([...new Set(google.faults)], []);
});
beforeEach(async () => {
  count += 1;
  placeId = `ChIJ-place-number-${count}`;
  google.places.set(placeId, cafe('Fern & Ferry Café'));
  storeId = await add();
});

const cafe = (name: string) =>
  googleCafe({
    id: placeId,
    displayName: { text: name },
    location: { latitude: 49.2836 - SPOT_APART * count, longitude: -123.1187 },
  });
const add = async () => (await app.get('/utils/add_store', { directory_place_id: placeId })).body.service_store_id;
const store = () =>
  app.service.deps.db.selectFrom('stores').selectAll().where('storeId', '=', storeId).executeTakeFirstOrThrow();
const readCount = () => google.requests.filter(({ path }) => path.endsWith(placeId)).length;
async function pass(days: number): Promise<void> {
  await app.advance({ hours: 24 * days });
}
async function isFound(): Promise<boolean> {
  await app.catchUp();
  const { body } = await app.get('/search/store/v3', { latitude: 49.28, longitude: -123.12 });
  return body.stores.some((found: { _id: string }) => found._id === storeId);
}
/** The database's whole content as one text. */
async function everythingKept(): Promise<string> {
  const tables = ['stores', 'place_links', 'store_merges', 'settings'];
  const rows = await Promise.all(
    tables.map((table) => sql`select * from ${sql.table(table)}`.execute(app.service.deps.db)),
  );
  return JSON.stringify(rows.map((each) => each.rows));
}

test('of Google no more is kept than makes it a store: no phone, hours, rating, site, link; no answer of a search', async () => {
  await app.get('/places/search', { search: 'fern' });
  const row = await store();
  const { name, phone, phoneNumber, hours, cuisines, address, rating } = row.profile as typeof row.profile & {
    phone: string;
  };
  assert.deepEqual([name, phone, phoneNumber, cuisines, rating], ['Fern & Ferry Café', '', null, [], null]);
  assert.deepEqual(hours, { operational: null });
  assert.equal(address.streetAddr, '787 West Georgia Street');
  assert.equal(
    row.refreshBy?.toString(),
    app
      .now()
      .add({ hours: 29 * 24 })
      .toString(),
  );
  assert.doesNotMatch(await everythingKept(), /555-?0142|fern\.example|maps\.google|:4\.5[,}]/);
});

test('a copy is left alone for 25 days, then read again by its id, and cached again', async () => {
  await pass(24);
  assert.equal(readCount(), 1);
  google.places.set(placeId, cafe('Fern & Ferry Coffee'));
  await pass(1.5);
  assert.equal(readCount(), 2);
  const { profile, refreshBy } = await store();
  assert.equal(profile.name, 'Fern & Ferry Coffee');
  assert.ok(refreshBy && Temporal.Instant.compare(refreshBy, app.now().add({ hours: 28 * 24 })) > 0);
  assert.ok(await isFound());
});

test('a place that Google removed leaves search, which is counted and logged, and keeps only its id; it may return', async () => {
  google.places.delete(placeId);
  lines.length = 0;
  await pass(25.5);
  assert.match(await app.service.deps.metrics.text(), /^doorstep_left_out_total\{kind="place"\} [1-9]/m);
  const logged = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'stores of the directory left search');
  assert.partialDeepStrictEqual(logged, { storeId, directory: 'google', reason: 'gone' });
  const { profile, listed, refreshBy } = await store();
  assert.deepEqual(
    [profile.name, profile.address.streetAddr, profile.latitude, listed, refreshBy],
    ['', '', 0, false, null],
  );
  assert.equal(await isFound(), false);
  const kept = await everythingKept();
  assert.match(kept, new RegExp(placeId));
  const reply = await app.get('/details/inventory', {
    store_id: storeId,
    pickup: false,
    include_quote: true,
    user_latitude: 0,
    user_longitude: 0,
  });
  assert.deepEqual([reply.status, reply.body.quote], [200, { error: 'This store is not available.' }]);
  assert.equal(await add(), '');
  google.places.set(placeId, cafe('Fern & Ferry Again'));
  assert.equal(await add(), storeId);
  assert.equal((await store()).profile.name, 'Fern & Ferry Again');
  assert.ok(await isFound());
});

test('a place that has closed for good, or sells no more food, leaves search too', async () => {
  google.places.set(placeId, { ...cafe('Fern'), businessStatus: 'CLOSED_PERMANENTLY' });
  await pass(25.5);
  assert.equal((await store()).listed, false);
});

test('while Google does not answer the copy stays until it expires, and is requested once a run', async () => {
  const requestCount = google.requests.length;
  google.trouble({ status: 429, code: 'RESOURCE_EXHAUSTED' });
  await pass(26);
  assert.equal(google.requests.length, requestCount + 1);
  assert.equal((await store()).profile.name, 'Fern & Ferry Café');
  assert.ok(await isFound());
  google.trouble('reset');
  await pass(3.5);
  const { profile, listed } = await store();
  assert.deepEqual([profile.name, listed], ['', false]);
});

test('places merged into a departing store return to their positions', async () => {
  const { latitude, longitude } = (await store()).profile;
  const known = givenPlacesFile([
    osmFeature(count, { amenity: 'cafe', name: 'Fern and Ferry' }, { latitude, longitude }),
  ]);
  const { db, clock } = app.service.deps;
  const files = [known.file];
  await importFiles({ db, clock }, { files, format: osm, source: 'open', stdin: Readable.from([]) });
  known.remove();
  const openId = storeIdOf('open', `node/${count}`);
  const isListed = async () => (await findStore(db, openId))?.listed;
  assert.equal(await isListed(), false);
  google.places.delete(placeId);
  await pass(25.5);
  assert.equal(await isListed(), true);
  google.places.set(placeId, cafe('Fern & Ferry Café'));
  assert.equal(await add(), openId);
});

test('a catalog that is imported for the store ends the caching: the facts are the feed’s, and no job removes them', async () => {
  const { db, clock } = app.service.deps;
  const stdin = Readable.from([JSON.stringify(pizzeria({ external_id: `google:${placeId}` }))]);
  await importFiles({ db, clock }, { files: ['-'], source: 'places', stdin });
  const imported = await store();
  assert.deepEqual([imported.refreshBy, imported.hasCatalog], [null, true]);
  google.places.delete(placeId);
  await pass(30);
  assert.deepEqual(await store(), imported);
});

test('a store with two Google places is refreshed by the place it was added as', async () => {
  const first = placeId;
  placeId = `ChIJ-second-record-${count}`;
  google.places.set(placeId, cafe('Fern & Ferry Café'));
  assert.equal(await add(), storeId);
  google.places.set(placeId, cafe('Something else'));
  placeId = first;
  // Moves the first link's row to the end: PostgreSQL does not guarantee row order.
  await sql`update place_links set added_at = added_at where directory_place_id = ${first}`.execute(
    app.service.deps.db,
  );
  google.places.set(placeId, cafe('Fern & Ferry Coffee'));
  await pass(25.5);
  const { profile, refreshBy } = await store();
  assert.equal(profile.name, 'Fern & Ferry Coffee');
  assert.ok(refreshBy && Temporal.Instant.compare(refreshBy, app.now().add({ hours: 28 * 24 })) > 0);
});

test('503 when Google does not answer, with the time to come back when its quota is used up; nothing is added', async () => {
  google.places.set('ChIJ-another-one', { ...cafe('Another'), id: 'ChIJ-another-one' });
  const asks: [string, Record<string, string>][] = [
    ['/places/search', { search: 'fern' }],
    ['/utils/add_store', { directory_place_id: 'ChIJ-another-one' }],
  ];
  for (const [path, query] of asks) {
    for (const trouble of [
      { status: 500, code: 'INTERNAL' },
      'garbage',
      'reset',
      { status: 403, code: 'PERMISSION_DENIED' },
    ] as const) {
      google.trouble(trouble);
      const { status, body, text } = await app.get(path, query);
      assert.deepEqual([status, body.code], [503, 'upstream_unavailable']);
      assert.ok(!text.includes(google.key) && !/google/i.test(text));
    }
    google.trouble({ status: 429, code: 'RESOURCE_EXHAUSTED', retryAfter: '30' });
    const { status, headers } = await app.get(path, query);
    assert.deepEqual([status, headers['retry-after']], [503, '30']);
  }
  assert.equal((await app.get('/utils/add_store', { directory_place_id: placeId })).status, 200);
});
