import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentCache } from './recent-cache.ts';

const heldOf = (cache: ReturnType<typeof createRecentCache<number>>, most: number) =>
  Array.from({ length: most }, (_, n) => n).filter((n) => cache.get(`key ${n}`) !== undefined);

test('the values set or asked for last are remembered, and never more than the bound', () => {
  const cache = createRecentCache<number>(10, 1000);
  for (let n = 0; n < 100; n += 1) {
    cache.set(`key ${n}`, n, 1);
    assert.equal(cache.get('key 0'), 0, 'what is asked for stays');
  }
  for (const last of [97, 98, 99]) assert.equal(cache.get(`key ${last}`), last);
  assert.ok(heldOf(cache, 100).length <= 10);
});

test('all values together weigh no more than the bound, and one over half of it is not kept', () => {
  const cache = createRecentCache<number>(1000, 100);
  for (let n = 0; n < 50; n += 1) cache.set(`key ${n}`, n, 10);
  assert.ok(heldOf(cache, 50).length <= 10);
  cache.set('key 49', 49, 51);
  assert.equal(cache.get('key 49'), undefined);
  for (let round = 0; round < 50; round += 1) cache.set('key 1', round, 10);
  assert.equal(cache.get('key 1'), 49);
  cache.clear();
  assert.deepEqual(heldOf(cache, 50), []);
});
