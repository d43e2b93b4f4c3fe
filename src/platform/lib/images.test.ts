import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenJpeg } from '../../../test/given/driver.ts';
import { stripJpeg } from './images.ts';

type Segment = { marker: number; content: Uint8Array };

const KEPT = [0xc0, 0xc2, 0xc4, 0xdb, 0xdd];
const METADATA = [0xe0, 0xe1, 0xe2, 0xe6, 0xed, 0xef, 0xfe];
const contents = fc.uint8Array({ maxLength: 40 });
const kept = fc.record({ marker: fc.constantFrom(...KEPT), content: contents });
const metadata = fc.record({ marker: fc.constantFrom(...METADATA), content: contents });
/** Entropy-coded bytes, in which FF is followed by 0 or a restart marker. */
const coded = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 254 }).map((byte) => [byte]),
      fc.constantFrom([0xff, 0], [0xff, 0xd3]),
    ),
  )
  .map((parts) => Buffer.from(parts.flat()));

const segmentBytes = ({ marker, content }: Segment) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};
const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const scanOf = (data: Buffer) => Buffer.concat([segmentBytes({ marker: 0xda, content: Buffer.alloc(4) }), data]);

test('a picture loses its metadata and what follows its end, wherever they stand, and nothing else', () => {
  const parts = fc.array(fc.oneof(kept, metadata), { maxLength: 8 });
  const scans = fc.array(fc.tuple(parts, coded), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(scans, contents, (picture, after) => {
      const build = (isShown: (segment: Segment) => boolean) =>
        picture.flatMap(([segments, data]) => [...segments.filter(isShown).map(segmentBytes), scanOf(data)]);
      const whole = Buffer.concat([START, ...build(() => true), END, after]);
      const plain = Buffer.concat([START, ...build(({ marker }) => !METADATA.includes(marker)), END]);
      assert.deepEqual(stripJpeg(whole), plain);
      assert.deepEqual(stripJpeg(plain), plain);
    }),
  );
});

test('no byte of Exif, of a comment or of a tail survives', () => {
  const stripped = stripJpeg(givenJpeg('40.7440 N'));
  assert.ok(stripped && stripped.length > 50);
  assert.ok(!stripped.includes('40.7440 N') && !stripped.includes('Exif') && !stripped.includes('JFIF'));
});

test('bytes that are no whole JPEG are refused, whatever they are, and nothing is read beyond them', () => {
  const jpeg = givenJpeg();
  const end = jpeg.lastIndexOf(Buffer.from([0xff, 0xd9]));
  for (let length = 0; length < end + 2; length += 1) assert.equal(stripJpeg(jpeg.subarray(0, length)), undefined);
  assert.equal(stripJpeg(Buffer.from('\x89PNG\r\n')), undefined);
  assert.equal(stripJpeg(Buffer.concat([START, END])), undefined);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const stripped = stripJpeg(Buffer.concat([START, bytes]));
      assert.ok(stripped === undefined || stripped.subarray(-2).equals(END));
    }),
  );
});
