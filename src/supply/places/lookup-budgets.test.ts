import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenGoogle, googleCafe } from '../../../test/fakes/given-google.ts';
import { givenPlacesFile, osmFeature } from '../../../test/given/place.ts';
import { type Client, givenOwnApp } from '../../../test/harness.ts';

const google = await givenGoogle([googleCafe({ id: 'cafe-1' }), googleCafe({ id: 'cafe-2' })]);
const env = {
  GOOGLE_PLACES_API_KEY: google.key,
  DAILY_BUDGETS: '{"directory_lookups": 4, "sandbox_directory_lookups": 2}',
};
const app = await givenOwnApp({ env, partyUrls: { google: { placesUrl: google.baseUrl } } });
after(async () => {
  await app.close();
  await google.close();
});

const search = (client: Client) => client.get('/places/search', { search: 'fern' });
const add = (client: Client, directory_place_id: string) => client.get('/utils/add_store', { directory_place_id });

test('a sandbox key makes no billed call beyond its account’s daily budget; a live key has its own budget', async () => {
  const calls = () => google.requests.length;
  const before = calls();
  assert.deepEqual([(await search(app)).status, (await add(app, 'cafe-1')).status], [200, 200]);
  const refused = await search(app);
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  assert.match(refused.body.detail, /look-ups of places and addresses with sandbox keys/);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await add(app, 'cafe-2')).status, 429);
  assert.equal(calls(), before + 2);
  // A place that is already a store is not looked up.
  assert.equal((await add(app, 'cafe-1')).status, 200);
  const [live, other] = [await app.givenClient('live'), await app.givenClient('sandbox')];
  const replies = await Promise.all(Array.from({ length: 9 }, () => search(live)));
  assert.equal(replies.filter(({ status }) => status === 200).length, 4);
  assert.equal(calls(), before + 6);
  assert.equal((await search(other)).status, 200);
  await app.advance({ hours: 24 });
  assert.equal((await search(app)).status, 200);
});

test('look-ups in a directory that bills nothing have no budget', async (t) => {
  const places = givenPlacesFile([osmFeature(1, { amenity: 'restaurant', name: 'Mossy Fork' })]);
  const local = await givenOwnApp({
    env: { PLACES_FILE: places.file, DAILY_BUDGETS: '{"sandbox_directory_lookups": 0}' },
  });
  t.after(async () => {
    await local.close();
    places.remove();
  });
  assert.equal((await local.get('/places/search', { search: 'mossy' })).status, 200);
});
