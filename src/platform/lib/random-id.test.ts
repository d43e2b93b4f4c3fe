import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomId } from './random-id.ts';

test('no two ids are alike, and each has all of its bytes', () => {
  const ids = Array.from({ length: 5000 }, (_, n) => randomId('t_', 12 + (n % 9)));
  assert.equal(new Set(ids).size, ids.length);
  ids.forEach((id, n) => {
    assert.equal(Buffer.from(id.slice(2), 'base64url').length, 12 + (n % 9));
  });
  // Reusing a pool's bytes, or reading them before it is filled, would skew the distribution.
  const counts = new Array<number>(256).fill(0);
  const bytes = ids.flatMap((id) => [...Buffer.from(id.slice(2), 'base64url')]);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  const mean = bytes.length / 256;
  assert.ok(counts.every((count) => count > mean / 2 && count < mean * 2));
});
