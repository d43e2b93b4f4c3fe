import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteRangeOf } from './byte-range.ts';

const SIZE = 1000;
const MAX = 100;
const readRange = (header: string | undefined) => byteRangeOf(header, SIZE, MAX);

test('a range is read from its first byte, cut to the end of the file and to the bound', () => {
  assert.deepEqual(readRange('bytes=0-0'), { first: 0, last: 0 });
  assert.deepEqual(readRange('bytes=10-29'), { first: 10, last: 29 });
  assert.deepEqual(readRange('BYTES=990-2000'), { first: 990, last: 999 });
  assert.deepEqual(readRange('bytes=0-999'), { first: 0, last: 99 });
  assert.deepEqual(readRange('bytes=950-'), { first: 950, last: 999 });
  assert.deepEqual(readRange('bytes=0-'), { first: 0, last: 99 });
  assert.deepEqual(readRange('bytes=-30'), { first: 970, last: 999 });
  assert.deepEqual(readRange('bytes=-5000'), { first: 0, last: 99 });
});

test('an absent, malformed or other-unit header, several ranges, and bytes past the end are no range', () => {
  for (const header of [
    ...[undefined, '', 'bytes', 'bytes=', 'bytes=-', 'bytes=-0', 'bytes=1000-', 'bytes=1000-1001', 'bytes=20-10'],
    ...['bytes=0-1,5-6', 'bytes=0-1, 5-6', 'items=0-1', 'bytes=a-b', 'bytes=0x0-0x9', 'bytes=1e2-', 'bytes=--5'],
    ...['bytes=+1-2', 'bytes=0-9999999999999999', 'bytes=9999999999999999-', 'bytes=0 -1', 'bytes=１-２', '0-1'],
  ]) {
    assert.equal(readRange(header), undefined, String(header));
  }
  assert.equal(byteRangeOf('bytes=0-0', 0, MAX), undefined);
  assert.equal(byteRangeOf('bytes=-1', 0, MAX), undefined);
});

test('whatever the header is, a range lies within the file and the bound', () => {
  const part = fc.oneof(fc.constant(''), fc.nat(), fc.maxSafeNat());
  const header = fc.oneof(
    fc.string(),
    fc.tuple(part, part).map(([from, to]) => `bytes=${from}-${to}`),
  );
  fc.assert(
    fc.property(header, fc.maxSafeNat(), fc.integer({ min: 1, max: 1 << 24 }), (text, size, max) => {
      const range = byteRangeOf(text, size, max);
      if (!range) return true;
      return range.first >= 0 && range.first <= range.last && range.last < size && range.last - range.first < max;
    }),
  );
});
