import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createListRank } from './menu-rows.ts';

const ranks = (onSale: boolean[]) => {
  const rank = createListRank();
  return onSale.map((one) => rank.next(one));
};

test('products off sale do not move those on sale, and are distinguished from each other', () => {
  assert.deepEqual(ranks([true, true]), ['0', '1']);
  assert.deepEqual(ranks([true, false, false, true, false]), ['0', '1.1', '1.2', '1', '2.1']);
});
