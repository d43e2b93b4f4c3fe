import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nextTurn } from '../../test/until.ts';
import { createPacedLoop } from './paced-loop.ts';

// No service runs beside these tests: one that clears a timer of an earlier test's clock takes another timer off this one.

/** A loop whose runs end when the test says so, on a clock that the test moves. */
function givenLoop({ mock }: TestContext) {
  let nowMs = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => nowMs);
  const starts: number[] = [];
  const state = { hasWork: true };
  let endRun = (_pauseMs: number | undefined): void => assert.fail('No run has begun.');
  const loop = createPacedLoop({
    hasWork: () => state.hasWork,
    run() {
      starts.push(nowMs);
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      endRun = resolve;
      return promise;
    },
  });
  return {
    loop,
    state,
    /** The moments at which runs began. */
    starts,
    async passTime(milliseconds: number): Promise<void> {
      nowMs += milliseconds;
      mock.timers.tick(milliseconds);
      await nextTurn();
    },
    async end(pauseMs?: number): Promise<void> {
      endRun(pauseMs);
      await nextTurn();
    },
  };
}

test('a run is followed by a rest as long as the run, of two seconds at most', async (t) => {
  const { loop, starts, passTime, end } = givenLoop(t);
  loop.wake(0);
  await passTime(0);
  await passTime(300);
  await end();
  await passTime(299);
  assert.deepEqual(starts, [0]);
  await passTime(1);
  assert.deepEqual(starts, [0, 600]);
  await passTime(60_000);
  await end();
  await passTime(1999);
  assert.deepEqual(starts, [0, 600]);
  await passTime(1);
  assert.deepEqual(starts, [0, 600, 62_600]);
  await end(0);
  await loop.close();
});

test('the task may choose the pause instead', async (t) => {
  const { loop, starts, passTime, end } = givenLoop(t);
  loop.wake(0);
  await passTime(0);
  await passTime(300);
  await end(10_000);
  await passTime(9999);
  assert.deepEqual(starts, [0]);
  await passTime(1);
  assert.deepEqual(starts, [0, 10_300]);
  await end(0);
  await passTime(0);
  assert.deepEqual(starts, [0, 10_300, 10_300]);
  await end();
  await loop.close();
});

test('one run at a time, and a wake of a loop that runs or is due changes nothing', async (t) => {
  const { loop, starts, passTime, end } = givenLoop(t);
  loop.wake(100);
  loop.wake(0);
  loop.wake(500);
  await passTime(99);
  assert.deepEqual(starts, []);
  await passTime(1);
  loop.wake(0);
  await passTime(50);
  assert.deepEqual(starts, [100]);
  await end();
  loop.wake(0);
  await passTime(49);
  assert.deepEqual(starts, [100]);
  await passTime(1);
  assert.deepEqual(starts, [100, 200]);
  await end();
  await loop.close();
});

test('a loop without work stands still until it is woken with work', async (t) => {
  const { loop, state, starts, passTime, end } = givenLoop(t);
  state.hasWork = false;
  loop.wake(0);
  await passTime(5000);
  state.hasWork = true;
  await passTime(5000);
  assert.deepEqual(starts, []);
  loop.wake(0);
  await passTime(0);
  state.hasWork = false;
  await end();
  state.hasWork = true;
  await passTime(5000);
  assert.deepEqual(starts, [10_000]);
  await loop.close();
});

test('closing waits for the current run, and nothing runs afterwards', async (t) => {
  const { loop, starts, passTime, end } = givenLoop(t);
  loop.wake(0);
  await passTime(0);
  let hasClosed = false;
  const closing = loop.close().then(() => {
    hasClosed = true;
  });
  await nextTurn();
  assert.deepEqual([loop.isClosed, hasClosed], [true, false]);
  await end();
  await closing;
  loop.wake(0);
  await passTime(5000);
  assert.deepEqual(starts, [0]);
});

test('a run that is due when the loop closes is not begun', async (t) => {
  const { loop, starts, passTime } = givenLoop(t);
  loop.wake(100);
  await loop.close();
  await passTime(5000);
  assert.deepEqual(starts, []);
});
