import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeIdOf } from '../../supply/stores/store-id.ts';
import { ShelfDirectory, type ShelfPlace } from './shelf-directory.index.ts';

test('a directory finds each store’s last place, also after growing, and no deleted one', () => {
  let directory = new ShelfDirectory();
  const expected = new Map<string, ShelfPlace>();
  for (let nth = 0; nth < 20_000; nth += 1) {
    const storeId = storeIdOf('feed', String((nth * 7919) % 9000));
    if (nth % 7 === 6) {
      directory.delete(storeId);
      expected.delete(storeId);
      continue;
    }
    const place = { file: 1 + (nth % 70_000), at: nth * 64, length: 1 + nth, seq: 2 ** 33 + nth };
    if (!directory.put(storeId, place)) {
      directory = directory.grown();
      assert.ok(directory.put(storeId, place));
    }
    expected.set(storeId, place);
  }
  const other = new ShelfDirectory(directory.memory);
  for (let nth = 0; nth < 9000; nth += 1) {
    const storeId = storeIdOf('feed', String(nth));
    assert.deepEqual(other.find(storeId), expected.get(storeId));
  }
  assert.equal(other.minSeq, Math.min(...expected.values().map(({ seq }) => seq)));
  assert.equal(other.find('no id'), undefined);
});
