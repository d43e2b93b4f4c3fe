import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunningReads } from './running-reads.ts';

function givenReads() {
  const kept: string[] = [];
  const reads = new RunningReads<string>();
  const start = (key: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    return { read: reads.add(key, promise, (value) => kept.push(value)), resolve, reject };
  };
  return { reads, kept, start };
}

test('requests share a read while it runs, and its value is kept', async () => {
  const { reads, kept, start } = givenReads();
  const { read, resolve } = start('a');
  assert.equal(reads.of('a'), read);
  assert.equal(reads.of('b'), undefined);
  resolve('value');
  assert.equal(await read, 'value');
  assert.deepEqual(kept, ['value']);
  assert.equal(reads.of('a'), undefined);
});

test('a dropped read answers its requests and is not kept, whatever read follows', async () => {
  const { reads, kept, start } = givenReads();
  const first = start('a');
  reads.drop('a');
  assert.equal(reads.of('a'), undefined);
  const second = start('a');
  first.resolve('old');
  assert.equal(await first.read, 'old');
  assert.equal(reads.of('a'), second.read);
  second.resolve('new');
  assert.equal(await second.read, 'new');
  assert.deepEqual(kept, ['new']);
});

test('a failed read fails its requests, and the next request reads again', async () => {
  const { reads, kept, start } = givenReads();
  const { read, reject } = start('a');
  reject(new Error('no database'));
  await assert.rejects(read, /no database/);
  assert.equal(reads.of('a'), undefined);
  assert.deepEqual(kept, []);
});
