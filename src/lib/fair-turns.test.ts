import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nextTurn } from '../../test/next-turn.ts';
import { until } from '../../test/until.ts';
import { BESIDE_MS, createFairTurns, MAX_WAITING_OF_OWNER } from './fair-turns.ts';
import { SHARED_SLICE_MS, SLICE_MS } from './slice.ts';

/** Turns whose time passes by the work of the test alone, and the names of the work in the order in which it was done. */
function givenTurns(t: TestContext) {
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  const turns = createFairTurns();
  const done: string[] = [];
  const work = (ms: number) => {
    nowMs += ms;
  };
  const fail = () => assert.fail('it has room');
  return {
    turns,
    done,
    work,
    run: (name: string, ms: number) =>
      turns.run(
        name[0] as string,
        () => {
          work(ms);
          done.push(name);
        },
        fail,
      ),
    /** A computation of so many slices. */
    async compute(name: string, slices: number, givesWay?: () => boolean) {
      const slice = turns.sliceOf(name[0] as string, givesWay);
      for (let n = 1; n <= slices; n += 1) {
        await slice.next();
        assert.equal(slice.isOver(), false);
        work(SLICE_MS);
        assert.equal(slice.isOver(), true);
        done.push(`${name}.${n}`);
      }
    },
  };
}

test('while the loop has time, a step runs at once', (t) => {
  const { done, run } = givenTurns(t);
  for (const name of ['a1', 'a2', 'b1']) run(name, 2);
  assert.deepEqual(done, ['a1', 'a2', 'b1']);
});

test("a flood's steps wait for the next iteration, where a neighbour's step goes before them", async (t) => {
  const { turns, done, run } = givenTurns(t);
  for (let n = 1; n <= 10; n += 1) run(`flood${n}`, 4);
  run('neighbour', 1);
  assert.deepEqual(done, ['flood1', 'flood2'], 'as much as one iteration has time for');
  assert.equal(turns.waiting, 9);
  await until('all have run', () => turns.waiting === 0);
  assert.equal(done[2], 'neighbour');
  assert.deepEqual(
    done.filter((name) => name !== 'neighbour'),
    Array.from({ length: 10 }, (_, n) => `flood${n + 1}`),
    'steps of one owner keep their order',
  );
});

test('one slice runs in an iteration, and other work between two of them', async (t) => {
  const { done, run, compute } = givenTurns(t);
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
  const { done, compute } = givenTurns(t);
  const flood = ['f1', 'f2', 'f3', 'f4'].map((name) => compute(name, 6));
  await until('the flood has run a while', () => done.length >= 8);
  const before = done.length;
  await Promise.all([compute('n', 3), ...flood]);
  const after = done.slice(before);
  const positions = ['n.1', 'n.2', 'n.3'].map((name) => after.indexOf(name));
  assert.ok(
    positions.every((position, n) => position <= 2 * n + 1),
    `slices of the neighbour at ${positions} of ${after}`,
  );
});

test('a computation that gives way has used least, and waits for all work of other owners', async (t) => {
  const { turns, done, run, compute } = givenTurns(t);
  for (const name of ['a1', 'b1']) run(name, SLICE_MS);
  const changes = compute('changes', 2, () => true);
  for (const name of ['a2', 'a3', 'b2', 'b3']) run(name, SLICE_MS);
  await Promise.all([changes, until('all have run', () => turns.waiting === 0)]);
  assert.deepEqual(done.slice(-2), ['changes.1', 'changes.2']);
  assert.deepEqual(done.slice(0, -2).toSorted(), ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
});

test('a computation that no longer gives way takes its turn as any other', async (t) => {
  const { turns, done, run, compute } = givenTurns(t);
  run('a1', SLICE_MS);
  const changes = compute('changes', 1, () => done.length < 4);
  for (let n = 2; n <= 9; n += 1) run(`a${n}`, SLICE_MS);
  await Promise.all([changes, until('all have run', () => turns.waiting === 0)]);
  assert.equal(done.indexOf('changes.1'), 4, `${done}`);
});

test('a slice is short while another owner works beside, and long again when the owner works alone', async (t) => {
  const { turns, run, work } = givenTurns(t);
  const slice = turns.sliceOf('flood');
  const lengthOfNext = async (): Promise<number> => {
    await slice.next();
    for (let ms = 0; ; ms += SHARED_SLICE_MS / 4) {
      if (slice.isOver()) return ms;
      work(SHARED_SLICE_MS / 4);
    }
  };
  assert.equal(await lengthOfNext(), SLICE_MS);
  run('neighbour', 0.1);
  assert.equal(await lengthOfNext(), SHARED_SLICE_MS);
  assert.equal(await lengthOfNext(), SHARED_SLICE_MS);
  work(BESIDE_MS);
  assert.equal(await lengthOfNext(), SLICE_MS);
});

test('a step beyond the bound of its owner is refused, and the step of another owner is not', async (t) => {
  const { turns, run, work } = givenTurns(t);
  run('flood', SLICE_MS);
  let refused = 0;
  const noStep = () => work(0.001);
  for (let n = 0; n < MAX_WAITING_OF_OWNER + 3; n += 1) turns.run('f', noStep, () => (refused += 1));
  assert.equal(refused, 3);
  turns.run('n', noStep, () => assert.fail('the neighbour has room'));
  await until('all have run', () => turns.waiting === 0);
});

test('a step that fails harms no other', async (t) => {
  const { turns, done, run } = givenTurns(t);
  assert.throws(
    () =>
      turns.run(
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
