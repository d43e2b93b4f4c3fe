import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefetch } from './prefetch.ts';

test('every item comes once, in its sequence, also where there is none or one', async () => {
  for (const items of [[], ['a'], ['a', 'b', 'c', 'd']]) {
    assert.deepEqual(await Array.fromAsync(prefetch(items, async (item) => item.toUpperCase())), items.map(upper));
  }
});

test('while the caller works on an item the next one is read, and no other', async () => {
  const begun: number[] = [];
  const read = async (item: number) => void begun.push(item);
  let taken = 0;
  for await (const _ of prefetch([1, 2, 3, 4], read)) {
    taken += 1;
    assert.deepEqual(begun, [1, 2, 3, 4].slice(0, taken + 1));
  }
});

test('one item is read at a time', async () => {
  let running = 0;
  const read = async (item: number) => {
    running += 1;
    await new Promise(setImmediate);
    assert.equal(running, 1);
    running -= 1;
    return item;
  };
  assert.deepEqual(await Array.fromAsync(prefetch([1, 2, 3], read)), [1, 2, 3]);
});

test('a read that fails ends the sequence where its item stands', async () => {
  const read = async (item: number) => {
    if (item === 3) throw new Error('away');
    return item;
  };
  const found: number[] = [];
  await assert.rejects(async () => {
    for await (const item of prefetch([1, 2, 3, 4], read)) found.push(item);
  }, /away/);
  assert.deepEqual(found, [1, 2]);
});

test('a caller that stops does not hear of the failure of a read that it did not wait for', async () => {
  const read = async (item: number) => {
    if (item === 2) throw new Error('away');
    return item;
  };
  const unheard: unknown[] = [];
  const note = (error: unknown) => void unheard.push(error);
  process.on('unhandledRejection', note);
  for await (const item of prefetch([1, 2], read)) if (item === 1) break;
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  assert.deepEqual(unheard, []);
});

function upper(item: string): string {
  return item.toUpperCase();
}
