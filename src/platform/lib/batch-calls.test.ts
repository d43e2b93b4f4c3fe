import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import { batchCalls } from './batch-calls.ts';

const LOST = 'connection lost';

/** Doubles numbers, rejects a whole batch that has a negative one, and drops the response to a 0. */
function givenDoubling(maxBatch = 10) {
  const runs: number[][] = [];
  const run = async (items: readonly number[]) => {
    runs.push([...items]);
    if (items.includes(0)) throw new Error(LOST);
    if (items.some((item) => item < 0)) throw new Error('negative');
    return items.map((item) => item * 2);
  };
  const didNothing = (error: unknown) => (error as Error).message !== LOST;
  return { runs, double: batchCalls({ maxBatch, run, didNothing }) };
}

const outcomes = async (calls: Promise<number>[]) =>
  (await Promise.allSettled(calls)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message));

test('concurrent requests are batched, and each gets its own answer', async () => {
  const { runs, double } = givenDoubling();
  assert.deepEqual(await outcomes([double(1), double(2), double(3)]), [2, 4, 6]);
  assert.deepEqual(runs, [[1, 2, 3]]);
});

test('many go in two halves, so that one is done while the other is on its way', async () => {
  const { runs, double } = givenDoubling();
  await outcomes([1, 2, 3, 4, 5, 6, 7].map(double));
  assert.deepEqual(runs, [
    [1, 2, 3, 4],
    [5, 6, 7],
  ]);
});

test('one run never holds more than it may', async () => {
  const { runs, double } = givenDoubling(2);
  assert.deepEqual(await outcomes([1, 2, 3, 4, 5].map(double)), [2, 4, 6, 8, 10]);
  assert.deepEqual(runs, [[1, 2], [3, 4], [5]]);
});

test('one failing entry doesn’t take the others with it', async () => {
  const { runs, double } = givenDoubling();
  assert.deepEqual(await outcomes([double(1), double(-1), double(3)]), [2, 'negative', 6]);
  assert.deepEqual(runs, [[1, -1, 3], [1], [-1], [3]]);
});

test('a run with an unknown outcome is not repeated', async () => {
  const { runs, double } = givenDoubling();
  assert.deepEqual(await outcomes([double(1), double(0)]), [LOST, LOST]);
  assert.deepEqual(runs, [[1, 0]]);
});

test('a long run does not delay later ones', async () => {
  const first = Promise.withResolvers<number[]>();
  const second = Promise.withResolvers<number[]>();
  const answers = [first.promise, second.promise];
  const ask = batchCalls({ maxBatch: 10, run: () => answers.shift() ?? assert.fail(), didNothing: () => false });
  const slow = ask(1);
  await nextTurn();
  const quick = ask(2);
  second.resolve([22]);
  assert.equal(await quick, 22);
  first.resolve([11]);
  assert.equal(await slow, 11);
});

test('a batch runs for its owner, and a batch of several owners for none of them', async () => {
  const owners = new AsyncLocalStorage<string>();
  const ranFor: unknown[] = [];
  const double = batchCalls({
    maxBatch: 10,
    run: async (items: readonly number[]) => {
      ranFor.push(owners.getStore());
      if (items.includes(-1)) throw new Error('negative');
      return items.map((item) => item * 2);
    },
    didNothing: () => true,
    ownerNow: () => owners.getStore(),
  });
  const call = (owner: string, item: number) => owners.run(owner, () => double(item));
  assert.deepEqual(await outcomes([call('a', 1), call('a', 2)]), [2, 4]);
  assert.deepEqual(await outcomes([call('a', 1), call('b', 2)]), [2, 4]);
  assert.deepEqual(await outcomes([call('a', 1), call('b', -1)]), [2, 'negative']);
  assert.deepEqual(ranFor, ['a', undefined, undefined, 'a', 'b']);
});
