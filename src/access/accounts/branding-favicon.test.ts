import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { parseFavicon } from './branding-favicon.ts';

type Picture = { width: number; height: number; bytes: Buffer };

test('a whole PNG of 16 by 16 pixels is taken as it is, whatever its colors', () => {
  for (const [color, depth] of [
    [0, 1],
    [0, 16],
    [2, 8],
    [3, 4],
    [4, 8],
    [6, 8],
  ] as const) {
    const bytes = givenPng(16, 16, { color, depth });
    assert.deepEqual(parseFavicon(bytes), { value: { bytes, type: 'image/png' } });
  }
});

test('an ICO is taken when one of its images has 16 by 16 pixels', () => {
  const png = { width: 16, height: 16, bytes: givenPng(16, 16) };
  const large = { width: 256, height: 256, bytes: givenPng(256, 256) };
  for (const images of [[png], [givenBitmap(16, 16, 32)], [givenBitmap(16, 16, 4)], [large, givenBitmap(16, 16, 24)]]) {
    const bytes = givenIco(images);
    assert.deepEqual(parseFavicon(bytes), { value: { bytes, type: 'image/x-icon' } });
  }
});

test('another size is refused with the size that was found', () => {
  const fault = (bytes: Buffer) => JSON.stringify(parseFavicon(bytes));
  assert.match(fault(givenPng(32, 32)), /It has 32×32 pixels; a favicon has 16×16\./);
  assert.match(fault(givenPng(16, 17)), /It has 16×17 pixels/);
  assert.match(fault(givenPng(0, 0)), /It has 0×0 pixels/);
  assert.match(fault(givenIco([givenBitmap(32, 32, 32), givenBitmap(16, 32, 8)])), /It has 32×32, 16×32 pixels/);
});

test('other formats are refused by their name', () => {
  const fault = (start: string) => JSON.stringify(parseFavicon(Buffer.from(start.padEnd(200, '\0'), 'latin1')));
  for (const [start, name] of [
    ['GIF89a', 'a GIF'],
    ['\xff\xd8\xff\xe0', 'a JPEG'],
    ['RIFF\x0a\x00\x00\x00WEBPVP8 ', 'a WebP picture'],
    ['\x00\x00\x00\x1cftypavif', 'an AVIF picture'],
    ['BM6', 'a BMP'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'an SVG'],
    ['\xef\xbb\xbf\n<?xml version="1.0"?><svg/>', 'an SVG'],
    ['<!doctype html>', 'an SVG or another document'],
  ] as const) {
    assert.match(fault(start), new RegExp(`It is ${name}`));
  }
  assert.match(fault('\0\0\x02\0\x01\0'), /It is neither a PNG nor an ICO\./);
  assert.match(JSON.stringify(parseFavicon(Buffer.alloc(0))), /It is empty\./);
});

test('64 KiB are the most', () => {
  const small = givenPng(16, 16, { padding: 65_000 });
  const large = givenPng(16, 16, { padding: 65_536 });
  assert.ok('value' in parseFavicon(small));
  assert.deepEqual(parseFavicon(large), { fault: 'It is larger than 64 KiB.' });
});

test('whatever is cut off at the end, or follows it, is refused', () => {
  const wholes = [
    givenPng(16, 16),
    givenIco([givenBitmap(16, 16, 32)]),
    givenIco([givenBitmap(16, 16, 8), { width: 16, height: 16, bytes: givenPng(16, 16) }]),
  ];
  for (const whole of wholes) {
    assert.ok('value' in parseFavicon(whole));
    for (let length = 0; length < whole.length; length += 1) {
      assert.ok('fault' in parseFavicon(whole.subarray(0, length)), `${length} of ${whole.length} bytes`);
    }
    assert.ok('fault' in parseFavicon(Buffer.concat([whole, Buffer.from('<script>')])));
  }
});

test('a PNG with any bit changed is refused', () => {
  const whole = givenPng(16, 16);
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.ok('fault' in parseFavicon(bytes), `bit ${bit}`);
  }
});

test('an ICO whose directory lies about its images is refused', () => {
  const as16 = (picture: Picture) => givenIco([{ ...picture, width: 16, height: 16 }]);
  const lies = [
    as16(givenBitmap(32, 32, 32)),
    as16({ width: 64, height: 64, bytes: givenPng(64, 64) }),
    as16({ width: 16, height: 16, bytes: Buffer.alloc(400) }),
    as16({ width: 16, height: 16, bytes: givenBitmap(16, 16, 32).bytes.subarray(0, 1000) }),
    as16({ width: 16, height: 16, bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(2000)) }),
    givenIco([]),
  ];
  const inDirectory = givenIco([givenBitmap(16, 16, 32)]);
  inDirectory.writeUInt32LE(0, 18);
  inDirectory.writeUInt32LE(inDirectory.length, 14);
  for (const bytes of [...lies, inDirectory]) assert.deepEqual(parseFavicon(bytes), { fault: 'It is a damaged ICO.' });
});

test('malformed bytes fail with one error message', () => {
  const heads = [givenPng(16, 16), givenIco([givenBitmap(16, 16, 8)])].map((whole) => whole.subarray(0, 70));
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const headed = fc
    .tuple(fc.constantFrom(...heads), fc.nat(70), bytes)
    .map(([head, length, rest]) => Buffer.concat([head.subarray(0, length), rest]));
  fc.assert(
    fc.property(fc.oneof(bytes, headed), (given) => {
      assert.match(JSON.stringify(parseFavicon(given)), /^\{"fault":"It [^"]+\."\}$/);
    }),
    { numRuns: runs(3000) },
  );
});

function givenPng(
  width: number,
  height: number,
  { color = 6, depth = 8, padding = 0 }: { color?: number; depth?: number; padding?: number } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(depth, 8);
  header.writeUInt8(color, 9);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header),
    ...(padding > 0 ? [chunkOf('tEXt', Buffer.alloc(padding))] : []),
    chunkOf('IDAT', deflateSync(Buffer.alloc(height * (1 + width * 8)))),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

function givenBitmap(width: number, height: number, depth: number): Picture {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(height * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(depth, 14);
  const palette = Buffer.alloc(depth <= 8 ? 4 << depth : 0);
  const rows = (bits: number) => Buffer.alloc(Math.ceil((width * bits) / 32) * 4 * height);
  return { width, height, bytes: Buffer.concat([header, palette, rows(depth), rows(1)]) };
}

function givenIco(images: readonly Picture[]): Buffer {
  const directory = Buffer.alloc(6 + images.length * 16);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(images.length, 4);
  let offset = directory.length;
  for (const [index, { width, height, bytes }] of images.entries()) {
    const at = 6 + index * 16;
    directory.writeUInt8(width % 256, at);
    directory.writeUInt8(height % 256, at + 1);
    directory.writeUInt32LE(bytes.length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += bytes.length;
  }
  return Buffer.concat([directory, ...images.map(({ bytes }) => bytes)]);
}
