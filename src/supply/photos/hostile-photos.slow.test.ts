import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { pizzeria } from '../../../test/feed-lines.ts';
import { hostilePhotos } from '../../../test/given/hostile-photos.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPhoto, uploadPhoto } from '../../../test/given/photo.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { convertPhoto, PHOTO_LIMITS } from './convert-photo.flow.ts';
import { PHOTO_MAX_SIDES } from './photo.ts';

const app = await givenApp();
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const key = await givenStoreKey(app, storeId);

const SECRETS = /secret owner|<script|passwd|<html|xmpmeta/;

test('each of 130 hostile files is refused with its reason or served as clean WebP, and none ends in a 5xx', async (t) => {
  const counts = { refused: 0, served: 0 };
  for await (const { name, bytes, becomes } of hostilePhotos()) {
    const { status, body, text } = await uploadPhoto(key, bytes);
    if (status === 200) {
      assert.notEqual(becomes, 'refused', name);
      counts.served += 1;
      for (const { url, width, height } of Object.values<{ url: string; width: number; height: number }>(body.sizes)) {
        const { headers, rawPayload } = await app.service.http.inject(new URL(url).pathname);
        assert.deepEqual([headers['content-type'], headers['x-content-type-options']], ['image/webp', 'nosniff'], name);
        const meta = await sharp(rawPayload).metadata();
        assert.deepEqual([meta.format, meta.width, meta.height, meta.pages ?? 1], ['webp', width, height, 1], name);
        assert.ok(Math.max(width, height) <= 1600, name);
        const head = rawPayload.toString('latin1', 0, 64);
        assert.doesNotMatch(head, /EXIF|ICCP|XMP /, name);
        assert.doesNotMatch(rawPayload.toString('latin1'), SECRETS, name);
      }
    } else {
      assert.deepEqual([status, body.code], [422, 'photo_not_accepted'], `${name}: ${text}`);
      assert.notEqual(becomes, 'served', `${name}: ${text}`);
      counts.refused += 1;
    }
  }
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.refused + counts.served >= 130 && counts.served > 50 && counts.refused > 50);
});

test('a broken installation of the decoder is our bug, not a fault of the photo', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doorstep-photos-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const place of ['supply/photos', 'platform/lib']) await mkdir(join(folder, place), { recursive: true });
  for (const file of [
    'supply/photos/convert-photo.flow.ts',
    'supply/photos/photo-process.flow.ts',
    'platform/lib/isolated-process.ts',
    'platform/lib/compile-cache.ts',
  ]) {
    await copyFile(join(import.meta.dirname, '../..', file), join(folder, file));
  }
  // Packages are not found from there; the cache's folder is looked up by another package.
  await mkdir(join(folder, 'node_modules/commander'), { recursive: true });
  await writeFile(join(folder, 'node_modules/commander/package.json'), '{}');
  const alone: typeof import('./convert-photo.flow.ts') = await import(
    join(folder, 'supply/photos/convert-photo.flow.ts')
  );
  await assert.rejects(alone.convertPhoto(await givenPhoto('jpeg', 40, 40), PHOTO_MAX_SIDES), /converted: .*sharp/);
});

test('a process that takes too much memory or time is ended, and the photo refused', async () => {
  const bytes = await givenPhoto('jpeg', 4000, 4000);
  assert.equal((await convertPhoto(bytes, PHOTO_MAX_SIDES)).kind, 'converted');
  for (const limits of [{ memoryMb: 20 }, { cpuMs: 1 }, { answerMs: 1 }]) {
    const answer = await convertPhoto(bytes, PHOTO_MAX_SIDES, { ...PHOTO_LIMITS, ...limits });
    assert.deepEqual(answer, { kind: 'refused', fault: 'too_much_work' });
  }
  const few = await convertPhoto(bytes, PHOTO_MAX_SIDES, { ...PHOTO_LIMITS, maxPixels: 1_000_000 });
  assert.deepEqual(few, { kind: 'refused', fault: 'too_many_pixels' });
});
