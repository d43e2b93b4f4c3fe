import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferPool } from './buffer-pool.ts';

test('a buffer is lent again only after it was given back', () => {
  const pool = new BufferPool({ bufferBytes: 1024, maxKept: 2 });
  const first = pool.take(100);
  assert.notEqual(pool.take(100), first);
  pool.give(first);
  assert.equal(pool.take(1024), first);
});

test('more bytes than a buffer holds are served too, and not kept', () => {
  const pool = new BufferPool({ bufferBytes: 1024, maxKept: 2 });
  const large = pool.take(1025);
  assert.equal(large.length, 1025);
  pool.give(large);
  assert.equal(pool.take(1).length, 1024);
});

test('no more buffers are kept than were asked for', () => {
  const pool = new BufferPool({ bufferBytes: 1024, maxKept: 1 });
  const [kept, dropped] = [pool.take(1), pool.take(1)];
  pool.give(kept);
  pool.give(dropped);
  assert.equal(pool.take(1), kept);
  assert.notEqual(pool.take(1), dropped);
});
