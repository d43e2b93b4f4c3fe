import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nextTurn, until } from '../../../test/until.ts';
import {
  currentOwner,
  EventLoopScheduler,
  isSliceOver,
  MAX_WAITING_PER_OWNER,
  nextSlice,
  runInSlices,
  SHARED_LOOP_MS,
  SHARED_SLICE_MS,
  SLICE_MS,
  USAGE_HALF_LIFE_MS,
} from './event-loop-scheduler.ts';

/** A scheduler whose clock advances only with the test's work, and the names of the work in execution order. */
function givenScheduler(t: TestContext) {
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  const scheduler = new EventLoopScheduler();
  const done: string[] = [];
  const work = (ms: number) => {
    nowMs += ms;
  };
  const fail = () => assert.fail('it has room');
  return {
    scheduler,
    done,
    work,
    run: (name: string, ms: number) =>
      scheduler.run(
        name[0] as string,
        () => {
          work(ms);
          done.push(name);
        },
        fail,
      ),
    /** A computation of this many slices. */
    compute: (name: string, slices: number) =>
      scheduler.runAs(name[0] as string, async () => {
        for (let n = 1; n <= slices; n += 1) {
          await nextSlice();
          assert.equal(isSliceOver(), false);
          work(SLICE_MS);
          assert.equal(isSliceOver(), true);
          done.push(`${name}.${n}`);
        }
      }),
  };
}

test('while the loop has time, a step runs at once', (t) => {
  const { done, run } = givenScheduler(t);
  for (const name of ['a1', 'a2', 'b1']) run(name, 2);
  assert.deepEqual(done, ['a1', 'a2', 'b1']);
});

test("a flood's steps wait for the next iteration, where a neighbor's step goes before them", async (t) => {
  const { scheduler, done, run } = givenScheduler(t);
  for (let n = 1; n <= 10; n += 1) run(`flood${n}`, 4);
  run('neighbor', 1);
  assert.deepEqual(done, ['flood1', 'flood2'], 'as much as one iteration has time for');
  assert.equal(scheduler.waiting, 9);
  await until('all have run', () => scheduler.waiting === 0);
  assert.equal(done[2], 'neighbor');
  assert.deepEqual(
    done.filter((name) => name !== 'neighbor'),
    Array.from({ length: 10 }, (_, n) => `flood${n + 1}`),
    'steps of one owner keep their order',
  );
});

test('one slice runs in an iteration, and other work between two of them', async (t) => {
  const { done, run, compute } = givenScheduler(t);
  const all = Promise.all([compute('a', 3), compute('b', 3)]);
  const counts: number[] = [];
  while (done.length < 6) {
    const before = done.length;
    await nextTurn();
    counts.push(done.length - before);
  }
  await all;
  assert.ok(
    counts.every((count) => count <= 1),
    `${counts} slices in an iteration`,
  );
  assert.deepEqual(done.slice(0, 2), ['a.1', 'b.1']);
  run('c', 1);
  await until('the step has run', () => done.includes('c'));
});

test('a light owner waits for one slice of a flood, however many computations the flood has', async (t) => {
  const { done, compute } = givenScheduler(t);
  const flood = ['f1', 'f2', 'f3', 'f4'].map((name) => compute(name, 6));
  await until('the flood has run a while', () => done.length >= 8);
  const before = done.length;
  await Promise.all([compute('n', 3), ...flood]);
  const after = done.slice(before);
  const positions = ['n.1', 'n.2', 'n.3'].map((name) => after.indexOf(name));
  assert.ok(
    positions.every((position, n) => position <= 2 * n + 1),
    `slices of the neighbor at ${positions} of ${after}`,
  );
});

test('a slice is short while another owner works, and long again afterward', async (t) => {
  const { scheduler, run, work } = givenScheduler(t);
  const lengthOfNext = (): Promise<number> =>
    scheduler.runAs('flood', async () => {
      await nextSlice();
      for (let ms = 0; ; ms += SHARED_SLICE_MS / 4) {
        if (isSliceOver()) return ms;
        work(SHARED_SLICE_MS / 4);
      }
    });
  assert.equal(await lengthOfNext(), SLICE_MS);
  run('neighbor', 0.1);
  assert.equal(await lengthOfNext(), SHARED_SLICE_MS);
  assert.equal(await lengthOfNext(), SHARED_SLICE_MS);
  work(SHARED_LOOP_MS);
  assert.equal(await lengthOfNext(), SLICE_MS);
});

test('a step beyond the bound of its owner is refused, and the step of another owner is not', async (t) => {
  const { scheduler, run, work } = givenScheduler(t);
  run('flood', SLICE_MS);
  let refused = 0;
  const noStep = () => work(0.001);
  for (let n = 0; n < MAX_WAITING_PER_OWNER + 3; n += 1) scheduler.run('f', noStep, () => (refused += 1));
  assert.equal(refused, 3);
  scheduler.run('n', noStep, () => assert.fail('the neighbor has room'));
  await until('all have run', () => scheduler.waiting === 0);
});

test('a step that fails harms no other', async (t) => {
  const { scheduler, done, run } = givenScheduler(t);
  assert.throws(
    () =>
      scheduler.run(
        'a',
        () => {
          throw new Error('unfit');
        },
        () => {},
      ),
    /unfit/,
  );
  run('b', 1);
  assert.deepEqual(done, ['b']);
});

test('the usage of an owner fades: anyone who waits goes before long, however much the owner has used', async (t) => {
  const { scheduler, done, run, work } = givenScheduler(t);
  run('a1', 500);
  work(6 * USAGE_HALF_LIFE_MS);
  run('b1', 20);
  run('b2', 1);
  run('a2', 1);
  await until('all have run', () => scheduler.waiting === 0);
  assert.deepEqual(done, ['a1', 'b1', 'a2', 'b2']);
});

test('work has its owner after its turn, and work of the service has none', async () => {
  const scheduler = new EventLoopScheduler();
  const later = await new Promise<string | undefined>((resolve) =>
    scheduler.run(
      'acct_1 live',
      () => setImmediate(() => resolve(currentOwner())),
      () => assert.fail('it has room'),
    ),
  );
  assert.equal(later, 'acct_1 live');
  assert.equal(currentOwner(), undefined);
});

test('a computation of no owner yields to the event loop after each slice', async (t) => {
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const steps = function* () {
    for (let n = 0; n < 5; n += 1) {
      nowMs += SLICE_MS;
      yield;
    }
    return 'result';
  };
  assert.equal(await runInSlices(steps()), 'result');
  isDone = true;
  assert.ok(turns >= 4, `${turns} turns of the loop`);
});
