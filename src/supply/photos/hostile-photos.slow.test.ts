import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPhoto, PHOTO_SECRET, uploadPhoto } from '../../../test/given/photo.ts';
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

/** Uploads that try to crash, fill or trick a decoder, and odd ones that are photos all the same. */
type HostilePhoto = {
  name: string;
  bytes: Buffer;
  /** `either`: a damaged file of which a decoder may still show something. */
  becomes: 'refused' | 'served' | 'either';
};

const SCRIPT = '<script>alert(1)</script>';
const SIDE = 64;

/** A small repeatable generator: the files are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function header(width: number, height: number, depth = 8, color = 2): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, color], 8);
  return chunk('IHDR', data);
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);
/** Chunks after the header of a PNG. */
const withChunks = (bytes: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, 33), ...chunks, bytes.subarray(33)]);

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}
/** Segments after the first two bytes of a JPEG. */
const withSegments = (bytes: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(2)]);

/** Overwrites numbers that follow a marker: the dimensions that a header claims. */
function patched(bytes: Buffer, marker: Buffer, offset: number, values: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(marker);
  if (at < 0) throw new Error('the marker is not in the file');
  values.forEach((value, n) => {
    copy.writeUInt16BE(value, at + offset + n * 2);
  });
  return copy;
}

function* damaged(formats: Readonly<Record<string, Buffer>>): Generator<HostilePhoto> {
  for (const [name, bytes] of Object.entries(formats)) {
    for (let n = 1; n <= 5; n += 1) {
      const kept = Math.floor((bytes.length * n) / 6);
      yield { name: `${name} cut to ${kept} bytes`, bytes: bytes.subarray(0, kept), becomes: 'either' };
    }
    const random = createRandom(bytes.length);
    for (const n of [0, 1, 3, 7, 12, 19]) {
      const copy = Buffer.from(bytes);
      for (let flips = 0; flips <= n; flips += 1) copy[random(copy.length)] = random(256);
      yield { name: `${name} with ${n + 1} wrong bytes`, bytes: copy, becomes: 'either' };
    }
  }
}

async function* disguised(jpeg: Buffer): AsyncGenerator<HostilePhoto> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>`;
  const plain = sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#888' } });
  const files: Record<string, Buffer | string> = {
    nothing: '',
    'one byte': '\xff',
    'three bytes': '\xff\xd8\xff',
    svg,
    'svg with a byte order mark': `\uFEFF${svg}`,
    'svg after an xml head': `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`,
    html: `<!doctype html>${SCRIPT}`,
    javascript: 'alert(1)',
    pdf: '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj',
    postscript: '%!PS-Adobe-3.0\n(/etc/passwd) (r) file',
    mvg: 'push graphic-context\nfill url(https://example.com/x.jpg"|ls "-la)\npop graphic-context',
    bmp: Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]),
    ico: Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(60)]),
    zip: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]),
    elf: Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(100)]),
    mp4: Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42'), Buffer.alloc(100)]),
    heic: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
    gif: await plain.clone().gif().toBuffer(),
    tiff: await plain.clone().tiff().toBuffer(),
    avif: await plain.clone().avif().toBuffer(),
    'gif before a jpeg': Buffer.concat([Buffer.from('GIF89a'), jpeg]),
    'html with the first bytes of a jpeg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(SCRIPT)]),
    'html with the first bytes of a png': Buffer.concat([SIGNATURE, Buffer.from(SCRIPT)]),
    'html with the first bytes of a webp': `RIFF\0\0\0\0WEBP${SCRIPT}`,
  };
  for (const [name, bytes] of Object.entries(files)) {
    yield { name, bytes: Buffer.from(bytes as string, 'latin1'), becomes: 'refused' };
  }
}

async function* bombs({ jpeg, webp }: Record<'jpeg' | 'webp', Buffer>): AsyncGenerator<HostilePhoto> {
  const refused = (name: string, bytes: Buffer): HostilePhoto => ({ name, bytes, becomes: 'refused' });
  const tiny = chunk('IDAT', deflateSync(Buffer.alloc(1000)));
  for (const [width, height] of [
    [65_535, 65_535],
    [65_535, 800],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [0, 10],
    [50_001, 1000],
  ] as const) {
    yield refused(`png of ${width} × ${height}`, png(header(width, height), tiny));
  }
  const large = sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#888' } });
  yield refused('png of 64 megapixels', await large.clone().png().toBuffer());
  yield refused('jpeg of 64 megapixels', await large.clone().jpeg().toBuffer());
  yield refused('webp of 64 megapixels', await large.clone().webp({ effort: 0 }).toBuffer());
  const frame = Buffer.from([0xff, 0xc0]);
  yield refused('jpeg that claims 65,535 × 65,535', patched(jpeg, frame, 5, [65_535, 65_535]));
  yield { name: 'jpeg that claims 7,000 × 7,000', bytes: patched(jpeg, frame, 5, [7000, 7000]), becomes: 'either' };
  const canvas = Buffer.alloc(30);
  canvas.write('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1');
  canvas.fill(0xff, 24);
  yield refused('webp with a canvas of 16 million', canvas);
  yield { name: 'webp twice', bytes: Buffer.concat([webp, webp]), becomes: 'either' };
}

async function* odd(formats: Readonly<Record<'jpeg' | 'png' | 'webp', Buffer>>): AsyncGenerator<HostilePhoto> {
  const served = (name: string, bytes: Buffer): HostilePhoto => ({ name, bytes, becomes: 'served' });
  const { jpeg, png: whole } = formats;
  const image = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#4a8' } });
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    for (const [width, height] of [
      [1, 1],
      [1, 5000],
      [5000, 1],
    ] as const) {
      yield served(`${format} of ${width} × ${height}`, await image(width, height).toFormat(format).toBuffer());
    }
    for (let orientation = 1; orientation <= 8; orientation += 1) {
      const turned = image(40, 20).withMetadata({ orientation }).toFormat(format);
      yield served(`${format} with orientation ${orientation}`, await turned.toBuffer());
    }
    const text = { IFD0: { Copyright: PHOTO_SECRET, Software: SCRIPT }, IFD3: { GPSLatitude: '40/1 44/1 0/1' } };
    yield served(`${format} with a place`, await image(30, 30).withExif(text).toFormat(format).toBuffer());
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${SCRIPT}${PHOTO_SECRET}</x:xmpmeta>`;
    yield served(`${format} with XMP`, await image(30, 30).withXmp(xmp).toFormat(format).toBuffer());
    yield served(`${format} with a profile`, await image(30, 30).withIccProfile('p3').toFormat(format).toBuffer());
  }
  yield served('cmyk jpeg', await image(SIDE, SIDE).toColorspace('cmyk').jpeg().toBuffer());
  yield served('gray jpeg', await image(SIDE, SIDE).grayscale().jpeg().toBuffer());
  yield served('progressive jpeg', await image(SIDE, SIDE).jpeg({ progressive: true }).toBuffer());
  yield served('16-bit png', await image(SIDE, SIDE).toColorspace('rgb16').png().toBuffer());
  yield served('interlaced png', await image(SIDE, SIDE).png({ progressive: true }).toBuffer());
  yield served('palette png', await image(SIDE, SIDE).png({ palette: true }).toBuffer());
  yield served('transparent webp', await image(SIDE, SIDE).ensureAlpha(0.5).webp().toBuffer());
  yield served('lossless webp', await image(SIDE, SIDE).webp({ lossless: true }).toBuffer());
  const frames = await sharp({
    create: { width: 20, height: 60, channels: 3, background: '#123', pageHeight: 20 } as never,
  })
    .webp({ loop: 0 })
    .toBuffer();
  yield served('animated webp', frames);
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(1000);
  yield served('png with an animation of 1,000 frames', withChunks(whole, chunk('acTL', animation)));
  yield served('png and a page', Buffer.concat([whole, Buffer.from(`<html>${SCRIPT}`)]));
  yield served('jpeg and an archive', Buffer.concat([jpeg, Buffer.from('PK\x03\x04'), Buffer.from(PHOTO_SECRET)]));
  yield served('jpeg with a comment', withSegments(jpeg, segment(0xfe, Buffer.from(SCRIPT + PHOTO_SECRET))));
  const either = (name: string, bytes: Buffer): HostilePhoto => ({ name, bytes, becomes: 'either' });
  const icc = segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), Buffer.alloc(65_000, 7)]));
  yield either('jpeg with a broken profile of 6 MB', withSegments(jpeg, ...Array.from({ length: 95 }, () => icc)));
  yield either(
    'png with a text bomb',
    withChunks(whole, chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(5e7))]))),
  );
  yield either(
    'png with a profile bomb',
    withChunks(whole, chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(5e7))]))),
  );
  const note = chunk('tEXt', Buffer.from(`Comment\0${SCRIPT}`));
  yield either('png with 20,000 texts', withChunks(whole, ...Array.from({ length: 20_000 }, () => note)));
  yield either('png with two headers', withChunks(whole, header(1, 1)));
  yield either('png without pixels', png(header(10, 10)));
  yield either('10 MB of zeros after a jpeg', Buffer.concat([jpeg, Buffer.alloc(10 * 1024 * 1024 - jpeg.length)]));
}

/** At least 130 files. */
async function* hostilePhotos(): AsyncGenerator<HostilePhoto> {
  const jpeg = await givenPhoto('jpeg', SIDE, SIDE);
  const [whole, webp] = [await givenPhoto('png', SIDE, SIDE), await givenPhoto('webp', SIDE, SIDE)];
  yield* damaged({ jpeg, png: whole, webp });
  yield* disguised(jpeg);
  yield* bombs({ jpeg, webp });
  yield* odd({ jpeg, png: whole, webp });
}
