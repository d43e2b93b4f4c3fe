import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWriteBehind } from './write-stores.flow.ts';

test('pieces are written in order, one at a time, while the next one is put together', async () => {
  const written: number[] = [];
  let finish = () => {};
  const queue = createWriteBehind(async (piece: number) => {
    await new Promise<void>((done) => {
      finish = done;
    });
    written.push(piece);
  });
  await queue.add(1);
  const second = queue.add(2);
  assert.deepEqual(written, []);
  finish();
  await second;
  assert.deepEqual(written, [1]);
  finish();
  await queue.drain();
  assert.deepEqual(written, [1, 2]);
});

test('a piece that cannot be written fails the next call, and no other piece is begun', async () => {
  const begun: number[] = [];
  const queue = createWriteBehind(async (piece: number) => {
    begun.push(piece);
    throw new Error('full');
  });
  await queue.add(1);
  await assert.rejects(queue.add(2), /full/);
  await assert.rejects(queue.drain(), /full/);
  assert.deepEqual(begun, [1]);
});
