import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Logger, pino } from 'pino';
import { nextTurn } from '../../test/next-turn.ts';
import { until } from '../../test/until.ts';
import { type Pace, repeat } from './repeat.ts';

test('a task that fails a hundred times in a row is told seven times, and once more when the task works again', async () => {
  const lines: { msg: string; failures: number }[] = [];
  const log: Logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let runs = 0;
  const task = repeat('counting', { everyMs: 0 }, log, async () => {
    runs += 1;
    if (runs <= 100) throw new Error('no database');
  });
  await until('the task works again', () => runs > 102);
  await task.stop();
  const failures = [1, 2, 4, 8, 16, 32, 64];
  assert.deepEqual(
    lines.map((line) => [line.msg, line.failures]),
    [...failures.map((count) => ['counting failed; trying again', count]), ['counting works again', 100]],
  );
});

/** A task whose runs are counted, on timers that the test moves on; it finds what `found` says, and waits for `held`. */
function givenTask({ mock }: TestContext, pace: Pace) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const given = { runs: 0, found: false, held: Promise.resolve() };
  const repeating = repeat('looking', pace, pino({ level: 'silent' }), async () => {
    given.runs += 1;
    await given.held;
    return given.found;
  });
  /** Moves the timers on by steps of 100 ms and returns the number of runs meanwhile. */
  const runsIn = async (ms: number): Promise<number> => {
    const before = given.runs;
    for (let passed = 0; passed < ms; passed += 100) {
      mock.timers.tick(100);
      await nextTurn();
    }
    return given.runs - before;
  };
  return Object.assign(given, repeating, { runsIn });
}

const PACE: Pace = { everyMs: 200, idleMs: 1000 };

test('a task that finds nothing rests twice as long each time, up to the bound', async (t) => {
  const task = givenTask(t, PACE);
  // Runs come after 200, 600, 1,400, 2,400 and 3,400 ms.
  assert.deepEqual([await task.runsIn(600), await task.runsIn(800), await task.runsIn(2000)], [2, 1, 2]);
});

test('a task that finds something, and one without a bound, run as often as ever', async (t) => {
  const task = givenTask(t, PACE);
  task.found = true;
  assert.equal(await task.runsIn(2000), 10);
  await task.stop();
  t.mock.timers.reset();
  assert.equal(await givenTask(t, { everyMs: 200 }).runsIn(2000), 10);
});

test('a task that is woken runs at once, but no sooner after its last run than ever', async (t) => {
  const task = givenTask(t, PACE);
  assert.equal(await task.runsIn(3100), 4);
  task.wake();
  assert.equal(task.runs, 5, 'it had rested for longer than 200 ms');
  await nextTurn();
  task.wake();
  assert.deepEqual([await task.runsIn(100), await task.runsIn(100)], [0, 1], '200 ms after its last run');
  assert.deepEqual([await task.runsIn(300), await task.runsIn(100)], [0, 1], 'and 400 ms after that one');
});

test('a task that is woken while it runs, runs again', async (t) => {
  const task = givenTask(t, PACE);
  await task.runsIn(3300);
  const { promise, resolve } = Promise.withResolvers<void>();
  task.held = promise;
  assert.equal(await task.runsIn(100), 1);
  task.wake();
  resolve();
  await nextTurn();
  assert.equal(await task.runsIn(200), 1, 'a task that is not woken rests for a second');
});

test('a task that has stopped is not woken', async (t) => {
  const task = givenTask(t, PACE);
  await task.runsIn(3100);
  await task.stop();
  task.wake();
  assert.equal(await task.runsIn(2000), 0);
});
