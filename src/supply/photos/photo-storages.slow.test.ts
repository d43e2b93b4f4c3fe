import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
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

/**
 * A bucket on loopback that checks Signature V4 by itself, as the AWS documentation describes it ("Create a signed AWS
 * API request"), and keeps objects in memory.
 */
type S3Double = {
  /** The address of its bucket. */
  url: string;
  objects: ReadonlyMap<string, Buffer>;
  /** Answers every request with this status; undefined: as a bucket does. */
  failWith: number | undefined;
  close(): Promise<void>;
};

const S3_KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const S3_REGION = 'us-east-1';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, id, day = '', region = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? [];
  const payload = String(headers['x-amz-content-sha256']);
  if (id !== S3_KEYS.accessKeyId || region !== S3_REGION) return false;
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false;
  const signed = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const canonical = [method, new URL(url, 'http://s3').pathname, '', `${signed.join('')}`, names, payload].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${S3_KEYS.secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature;
}

async function givenS3(): Promise<S3Double> {
  const objects = new Map<string, Buffer>();
  const double: { failWith: number | undefined } = { failWith: undefined };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const name = request.url ?? '';
    const answer = (status: number, bytes?: Buffer) => void response.writeHead(status).end(bytes);
    if (double.failWith !== undefined) return answer(double.failWith);
    if (!isSigned(request, body)) return answer(403);
    if (request.method === 'PUT') {
      objects.set(name, body);
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return answer(204);
    }
    const found = objects.get(name);
    return answer(found ? 200 : 404, found);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}/pictures`,
    objects,
    close: () => new Promise<void>((done) => server.close(() => done())),
  });
}
