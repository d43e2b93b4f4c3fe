import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { FairQueue } from './fair-queue.ts';

const UNBOUNDED = { maxOfOwner: Infinity, maxInAll: Infinity };

test('owners take turns, and the items of one owner keep their order', () => {
  const queue = new FairQueue<string>(UNBOUNDED);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item[0] as string, item);
  const taken = Array.from({ length: 6 }, () => queue.take()?.item);
  assert.deepEqual(taken, ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  assert.equal(queue.take(), undefined);
});

test('an owner that may not go keeps its position in the rotation', () => {
  const queue = new FairQueue<string>(UNBOUNDED);
  for (const item of ['a1', 'a2', 'b1', 'b2']) queue.add(item[0] as string, item);
  assert.equal(queue.take((owner) => owner !== 'a')?.item, 'b1');
  assert.deepEqual([queue.take()?.item, queue.take()?.item], ['a1', 'b2']);
  assert.equal(
    queue.take(() => false),
    undefined,
  );
});

test('where an owner has as many items as it may, or a full queue is longest with it, its newest item has no room', () => {
  const queue = new FairQueue<string>({ maxOfOwner: 3, maxInAll: 4 });
  for (const item of ['a1', 'a2', 'a3']) assert.equal(queue.add('a', item), undefined);
  assert.equal(queue.add('a', 'a4'), 'a4');
  assert.equal(queue.add('b', 'b1'), undefined);
  assert.equal(queue.add('b', 'b2'), 'a3', 'the flood makes room for the neighbor');
  assert.equal(queue.add('b', 'b3'), 'b3', 'of two alike the owner that comes last is dropped');
  assert.deepEqual([queue.countOf('a'), queue.countOf('b'), queue.size], [2, 2, 4]);
});

const OWNERS = ['a', 'b', 'c', 'd'];
type Step = { add: string } | { take: readonly string[] };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: fc.constantFrom(...OWNERS) }) },
  { weight: 1, arbitrary: fc.record({ take: fc.subarray(OWNERS, { minLength: 1 }) }) },
);
const bounds = fc.record({ maxOfOwner: fc.integer({ min: 1, max: 5 }), maxInAll: fc.integer({ min: 1, max: 9 }) });

test('in any order every item is taken once or displaced once, and the limits hold', () => {
  fc.assert(
    fc.property(bounds, fc.array(step, { maxLength: 80 }), (limits, steps) => {
      const run = givenRun(limits);
      for (const [item, one] of steps.entries()) {
        if ('add' in one) run.add(one.add, item);
        else run.take(one.take);
        run.check();
      }
    }),
    { numRuns: runs(300) },
  );
});

/** A queue next to an oracle: the rows of its owners, without rotation. */
function givenRun(limits: { maxOfOwner: number; maxInAll: number }) {
  const queue = new FairQueue<number>(limits);
  const rows = new Map<string, number[]>(OWNERS.map((owner) => [owner, []]));
  const ownerRow = (owner: string) => rows.get(owner) as number[];
  /** Per owner, the items of others taken while the owner was ready. */
  const passedBy = new Map<string, number>();
  return {
    add(owner: string, item: number): void {
      const longest = Math.max(...OWNERS.map((one) => ownerRow(one).length));
      const displaced = queue.add(owner, item);
      ownerRow(owner).push(item);
      if (displaced === undefined) return;
      const loser =
        OWNERS.find((one) => ownerRow(one).at(-1) === displaced) ?? assert.fail('not the newest of an owner');
      const isOverOwn = loser === owner && ownerRow(loser).length > limits.maxOfOwner;
      assert.ok(isOverOwn || ownerRow(loser).length >= longest, 'the longest row is dropped');
      ownerRow(loser).pop();
    },
    take(mayGo: readonly string[]): void {
      const ready = mayGo.filter((owner) => ownerRow(owner).length > 0);
      const taken = queue.take((owner) => mayGo.includes(owner));
      assert.equal(taken === undefined, ready.length === 0);
      if (!taken) return;
      assert.equal(ownerRow(taken.owner).shift(), taken.item);
      for (const owner of ready) passedBy.set(owner, owner === taken.owner ? 0 : (passedBy.get(owner) ?? 0) + 1);
    },
    check(): void {
      for (const owner of OWNERS) {
        assert.equal(queue.countOf(owner), ownerRow(owner).length);
        assert.ok(ownerRow(owner).length <= limits.maxOfOwner);
        if (ownerRow(owner).length === 0) passedBy.delete(owner);
        assert.ok((passedBy.get(owner) ?? 0) < 2 * OWNERS.length, `${owner} starves`);
      }
      assert.deepEqual(
        [...queue.owners()].sort(),
        OWNERS.filter((owner) => ownerRow(owner).length > 0),
      );
      assert.equal(
        queue.size,
        OWNERS.map((owner) => ownerRow(owner).length).reduce((sum, length) => sum + length),
      );
      assert.ok(queue.size <= limits.maxInAll);
    },
  };
}
