import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeIdOf } from '../stores/store-id.ts';
import { createSeenStores } from './seen-stores.ts';

test('every store that was added is known, and no other', () => {
  const seen = createSeenStores();
  const ids = Array.from({ length: 5000 }, (_, n) => storeIdOf('s', String(n)));
  assert.equal(seen.has(ids[0] as string), false);
  for (const id of ids.slice(0, 2500)) seen.add(id);
  assert.equal(seen.has(ids[2499] as string), true);
  for (const id of ids.slice(2500, 4000)) seen.add(id);
  assert.deepEqual(
    ids.map((id) => seen.has(id)),
    ids.map((_, n) => n < 4000),
  );
});
