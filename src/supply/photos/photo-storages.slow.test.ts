import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenS3, S3_KEYS, S3_REGION } from '../../../test/fakes/s3-double.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPhoto, uploadPhoto } from '../../../test/given/photo.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { purgePhotos } from './purge-photos.job.ts';

for (const storage of ['database', 'bucket'] as const) {
  test(`photos in a ${storage}: kept, served, sent again, and deleted after a day`, async (t) => {
    const s3 = await givenS3();
    t.after(() => s3.close());
    const bucket = {
      PHOTOS_S3_URL: s3.url,
      PHOTOS_S3_REGION: S3_REGION,
      PHOTOS_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      PHOTOS_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    };
    const app = await givenApp(storage === 'bucket' ? { env: bucket } : {});
    t.after(() => app.close());
    const { db } = app.service.deps;
    const [storeId = ''] = await givenStores(app, [pizzeria()]);
    const key = await givenStoreKey(app, storeId);
    const bytes = await givenPhoto('png', 60, 40);
    const { body, status, text } = await uploadPhoto(key, bytes);
    assert.equal(status, 200, text);
    const inDatabase = async () => (await db.selectFrom('photoFiles').select('size').execute()).length;
    const counts = async () => [await inDatabase(), s3.objects.size];
    assert.deepEqual(await counts(), storage === 'bucket' ? [0, 3] : [3, 0]);
    const read = () => app.service.http.inject(new URL(body.sizes.small.url).pathname);
    const served = await read();
    assert.deepEqual([served.statusCode, served.headers['content-type']], [200, 'image/webp']);
    assert.deepEqual((await uploadPhoto(key, bytes)).body, body);
    if (storage === 'bucket') s3.failWith = 500;
    await app.advance({ hours: 25 });
    const purge = () => purgePhotos(app.service.deps).run({}, new AbortController().signal);
    if (storage === 'bucket') {
      assert.deepEqual([(await read()).statusCode, (await read()).json().code], [503, 'upstream_unavailable']);
      assert.equal((await uploadPhoto(key, await givenPhoto('png', 50, 40))).body.code, 'upstream_unavailable');
      await assert.rejects(purge(), /answered 500/);
      s3.failWith = undefined;
      assert.equal((await read()).statusCode, 200, 'a purge that fails deletes nothing');
    }
    await purge();
    assert.deepEqual(await counts(), [0, 0]);
    assert.equal((await read()).statusCode, 404);
  });
}

test('photos that the database has are served after the move to a bucket; a wrong key is a failure, not a missing photo', async (t) => {
  const s3 = await givenS3();
  t.after(() => s3.close());
  const app = await givenApp();
  t.after(() => app.close());
  const { deps } = app.service;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { body } = await uploadPhoto(await givenStoreKey(app, storeId), await givenPhoto('png', 60, 40));
  const { createS3PhotoBucket } = await import('../../../plugins/s3-photos/bucket.ts');
  const keys = { ...S3_KEYS, secretAccessKey: 'another' };
  const photoBucket = createS3PhotoBucket({ url: s3.url, region: S3_REGION, ...keys });
  const { readPhoto } = await import('./keep-photo.flow.ts');
  assert.ok(await readPhoto({ db: deps.db, photoBucket }, body.photo_id, 'small'));
  await assert.rejects(photoBucket.read(body.photo_id, 'small'), /answered 403/);
  await assert.rejects(photoBucket.save(body.photo_id, new Map([['small', Buffer.from('x')]])), /answered 403/);
});
