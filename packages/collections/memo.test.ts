import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoized, memoizedByObject } from './memo.ts';

test('a memo answers as its function does, and keeps the answers used last', () => {
  const computed: string[] = [];
  const cachedLength = memoized((text) => {
    computed.push(text);
    return text.length;
  }, 2);
  assert.deepEqual(['a', 'bb', 'a', 'ccc', 'a', 'bb'].map(cachedLength), [1, 2, 1, 3, 1, 2]);
  assert.deepEqual(computed, ['a', 'bb', 'ccc', 'bb']);
});

test('an answer that is null is kept too', () => {
  let calls = 0;
  const nothing = memoized(() => {
    calls += 1;
    return null;
  }, 1);
  assert.deepEqual([nothing('a'), nothing('a'), calls], [null, null, 1]);
});

test('a function that throws is called again', () => {
  let calls = 0;
  const fails = memoized((): number => {
    calls += 1;
    throw new RangeError('no');
  }, 1);
  assert.throws(() => fails('a'), RangeError);
  assert.throws(() => fails('a'), RangeError);
  assert.equal(calls, 2);
});

test('each object has its own response, also among equal objects', () => {
  const measure = memoizedByObject((list: readonly number[]) => ({ size: list.length }));
  const list = [1, 2];
  assert.equal(measure(list), measure(list));
  assert.notEqual(measure([1, 2]), measure(list));
});
