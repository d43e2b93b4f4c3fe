import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPhoto, PHOTO_SECRET, uploadPhoto } from '../../../test/given/photo.ts';
import { givenApp } from '../../../test/harness.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { storeIdOf } from '../stores/store-id.ts';
import { purgePhotos } from './purge-photos.job.ts';

const { app, close, importLines } = await givenImport(givenApp);
after(close);
const storeId = storeIdOf('photos', 'shop');
await importLines('photos', [shop([product('pie')])]);
const key = await givenStoreKey(app, storeId);

const fetchPhoto = (url: string, headers: Record<string, string> = {}) =>
  app.service.http.inject({ url: new URL(url).pathname, headers });

/** The red and blue of the pixels in the middle of the left and the right half. */
async function halvesOf(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [0.25, 0.75].map((share) => {
    const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width * share)) * 3;
    return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue';
  });
}

test('a store uploads JPEG, PNG or WebP, and everybody is served WebP in three sizes without metadata', async (t) => {
  const files = {
    'image/jpeg': await givenPhoto('jpeg'),
    'image/png': await givenPhoto('png'),
    'image/webp': await givenPhoto('webp'),
  };
  for (const [type, bytes] of Object.entries(files)) {
    await t.test(type, async () => {
      assert.ok(bytes.includes(PHOTO_SECRET), 'the upload has metadata');
      const { status, body, text } = await uploadPhoto(key, bytes, type);
      assert.equal(status, 200, text);
      assert.deepEqual([body.width, body.height], [960, 640]);
      assert.equal(body.url, body.sizes.large.url);
      assert.deepEqual(Object.keys(body.sizes), ['small', 'medium', 'large']);
      for (const { url, width, height } of Object.values<{ url: string; width: number; height: number }>(body.sizes)) {
        const served = await fetchPhoto(url);
        assert.deepEqual([served.statusCode, served.headers['content-type']], [200, 'image/webp']);
        const { format, exif, icc, xmp, iptc, ...meta } = await sharp(served.rawPayload).metadata();
        assert.deepEqual([format, meta.width, meta.height], ['webp', width, height]);
        assert.deepEqual([exif, icc, xmp, iptc], [undefined, undefined, undefined, undefined]);
        assert.doesNotMatch(served.rawPayload.toString('latin1'), /secret|script|GPS|EXIF|ICCP|XMP/);
        assert.deepEqual(await halvesOf(served.rawPayload), ['red', 'blue']);
      }
    });
  }
});

test('a photo keeps its address for good, and pages of any site may show it', async () => {
  const bytes = await givenPhoto();
  const { body } = await uploadPhoto(key, bytes);
  assert.deepEqual((await uploadPhoto(key, bytes, 'image/png')).body, body, 'the same photo again, by another name');
  const { headers, statusCode } = await fetchPhoto(body.url);
  assert.equal(statusCode, 200);
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  const again = await fetchPhoto(body.url, { 'if-none-match': String(headers.etag) });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  for (const path of ['/photos/none/large.webp', `/photos/${body.photo_id}/huge.webp`, `/photos/${body.photo_id}/a`]) {
    const none = await app.service.http.inject(path);
    assert.deepEqual([none.statusCode, none.json().code], [404, 'not_found'], path);
  }
});

test('a photo is turned upright', async () => {
  const [red, blue] = [await givenPhoto('png', 64, 32), 6];
  const turned = await sharp(red).rotate(270).withMetadata({ orientation: blue }).jpeg().toBuffer();
  const { body } = await uploadPhoto(key, turned);
  assert.deepEqual([body.width, body.height], [64, 32]);
  assert.deepEqual(await halvesOf((await fetchPhoto(body.url)).rawPayload), ['red', 'blue']);
});

test('a store’s console can upload; sandbox keys, links and unauthenticated clients can’t', async () => {
  const bytes = await givenPhoto('png', 20, 20);
  const tablet = await givenConsole(app, storeId);
  assert.equal((await uploadPhoto(tablet, bytes)).status, 200);
  const sandbox = await givenStoreKey(app, storeId, app.accountId);
  const refused = await uploadPhoto(sandbox, bytes);
  assert.deepEqual([refused.status, refused.body.code], [403, 'live_only']);
  const stranger = await app.service.http.inject({
    method: 'POST',
    url: '/store/photos',
    headers: { 'content-type': 'image/png' },
    payload: bytes,
  });
  assert.equal(stranger.statusCode, 401);
});

/** Lets hours pass, and runs the hourly job. */
async function pass(hours: number): Promise<void> {
  await app.advance({ hours });
  await purgePhotos(app.service.deps).run({}, new AbortController().signal);
}

test('a photo that nothing names is deleted after a day; a named one stays, whatever BASE_URL was', async () => {
  const photos = await Promise.all([11, 12, 13].map(async (side) => givenPhoto('png', side * 2, side)));
  const { body: logo } = await uploadPhoto(key, await givenPhoto('png', 28, 14));
  assert.equal((await key.put('/store/photos', { logo: [logo.url] })).status, 200);
  const uploaded: { photo_id: string; url: string; sizes: { small: { url: string } } }[] = [];
  for (const bytes of photos) uploaded.push((await uploadPhoto(key, bytes)).body);
  const [ofDish, ofStore, ofNothing] = uploaded;
  assert.ok(ofDish && ofStore && ofNothing);
  const moved = `https://old.example${new URL(ofDish.sizes.small.url).pathname}`;
  const store = (image: string) => shop([product('pie', { image })], { photos: { store: [ofStore.url] } });
  await importLines('photos', [store(moved)]);
  await pass(23);
  const statuses = () => Promise.all(uploaded.map(async ({ url }) => (await fetchPhoto(url)).statusCode));
  assert.deepEqual(await statuses(), [200, 200, 200]);
  await pass(3);
  assert.deepEqual(await statuses(), [200, 200, 404]);
  await importLines('photos', [store('https://cdn.example/pie.jpg')]);
  await pass(2);
  assert.deepEqual(await statuses(), [200, 200, 404], 'named until two hours ago');
  await pass(25);
  assert.deepEqual(await statuses(), [404, 200, 404]);
  assert.equal((await fetchPhoto(logo.url)).statusCode, 200, 'the logo that the store set itself');
  const again = await uploadPhoto(key, photos[2] ?? Buffer.alloc(0));
  assert.deepEqual([again.body.photo_id, (await fetchPhoto(ofNothing.url)).statusCode], [ofNothing.photo_id, 200]);
});

test("a photo that is an account's logo or cover stays", async () => {
  const [logo, cover] = await Promise.all(
    [32, 34].map(async (side) => uploadPhoto(key, await givenPhoto('png', side, side))),
  );
  const look = { logoUrl: logo?.body.url, coverUrl: cover?.body.url };
  await saveBranding(app.service.deps.db, app.accountId, look, app.now());
  await pass(26);
  await pass(26);
  const statuses = () => Promise.all(Object.values(look).map(async (url) => (await fetchPhoto(url)).statusCode));
  assert.deepEqual(await statuses(), [200, 200]);
  await saveBranding(app.service.deps.db, app.accountId, { logoUrl: null }, app.now());
  await pass(2);
  await pass(26);
  assert.deepEqual(await statuses(), [404, 200]);
});

test('a photo that an undo of the menu can bring back stays, until the history has dropped the change', async () => {
  const { body: photo } = await uploadPhoto(key, await givenPhoto('png', 40, 30));
  const itemNow = async () => (await key.get('/store/menu/items', { category_id: 'c' })).body.items[0];
  const setImage = async (image: string | null) => {
    const { item_id: itemId, version, category_id, name, price } = await itemNow();
    const set = await key.put(`/store/menu/items/${itemId}`, { category_id, version, item: { name, price, image } });
    assert.equal(set.status, 200, set.text);
    return set.body.change_id;
  };
  const status = async () => (await fetchPhoto(photo.url)).statusCode;
  await setImage(photo.url);
  const removed = await setImage(null);
  await pass(1);
  await pass(48);
  assert.equal(await status(), 200);
  const undone = await key.post(`/store/menu/changes/${removed}/undo`, {});
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual([(await itemNow()).image, await status()], [photo.url, 200]);
  await key.post(`/store/menu/changes/${undone.body.change_id}/undo`, {});
  await app.service.deps.db.deleteFrom('menuChanges').where('storeId', '=', storeId).execute();
  await pass(1);
  await pass(25);
  assert.equal(await status(), 404);
});

test('files that aren’t photos of up to 10 MiB are rejected by name, and a store has 1,000 uploads a day', async () => {
  const other = await uploadPhoto(key, Buffer.from('GIF89a'));
  assert.deepEqual([other.status, other.body.code], [422, 'photo_not_accepted']);
  const typed = await uploadPhoto(key, await givenPhoto(), 'image/gif');
  assert.deepEqual([typed.status, typed.body.code], [415, 'unsupported_media_type']);
  const large = await uploadPhoto(key, Buffer.alloc(10 * 1024 * 1024 + 1));
  assert.deepEqual([large.status, large.body.code], [413, 'body_too_large']);
  const whole = await uploadPhoto(key, Buffer.alloc(10 * 1024 * 1024));
  assert.deepEqual([whole.status, whole.body.code], [422, 'photo_not_accepted']);
  await app.service.deps.db.updateTable('budgetUse').set({ used: 1000 }).where('accountId', '=', storeId).execute();
  const spent = await uploadPhoto(key, await givenPhoto());
  assert.deepEqual([spent.status, spent.body.code], [429, 'rate_limited']);
  await app.advance({ hours: 24 });
  assert.equal((await uploadPhoto(key, await givenPhoto())).status, 200);
});
