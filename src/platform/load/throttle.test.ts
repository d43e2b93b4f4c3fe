import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import {
  EventLoopScheduler,
  HEAVY_USAGE_MS,
  nextSlice,
  RECENT_MS,
  SHARED_SLICE_MS,
  THROTTLE_MS,
} from './event-loop-scheduler.ts';

/** A scheduler under a flood of requests; its clock advances only with the test's work. */
function givenFlood(t: TestContext) {
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const scheduler = new EventLoopScheduler();
  const work = (ms: number) => {
    nowMs += ms;
    t.mock.timers.tick(ms);
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 0.5) {
      work(0.5);
      for (let n = 0; n < 3; n += 1) await nextTurn();
    }
  };
  const step = (owner: string, ms: number, done: () => void = () => {}) =>
    scheduler.run(
      owner,
      () => {
        work(ms);
        done();
      },
      () => assert.fail('it has room'),
    );
  let slices = 0;
  let isOver = false;
  const runFlood = async () => {
    while (!isOver) {
      await nextSlice();
      slices += 1;
      work(SHARED_SLICE_MS);
    }
  };
  /** Number of the flood's slices while this much time passes; each slice also advances the clock. */
  const slicesIn = async (ms: number) => {
    const [beforeSlices, endMs] = [slices, nowMs + ms];
    while (nowMs < endMs) await pass(0.5);
    return slices - beforeSlices;
  };
  /** Two owners work, and the flood has the higher usage. */
  const begin = async (usedMs = 2 * HEAVY_USAGE_MS) => {
    step('flood', usedMs);
    step('light', 0.1);
    const ended = scheduler.runAs('flood', runFlood);
    await slicesIn(40);
    return async () => {
      isOver = true;
      await slicesIn(10 * THROTTLE_MS);
      await ended;
    };
  };
  return { scheduler, step, slicesIn, pass, begin };
}

test("while a light owner's request is answered, a flood has one short slice in four milliseconds", async (t) => {
  const { scheduler, slicesIn, begin } = givenFlood(t);
  const end = await begin();
  assert.ok((await slicesIn(5 * THROTTLE_MS)) > 5 * THROTTLE_MS * 0.5, 'the flood runs while nothing is answered');
  scheduler.requestStarted('light');
  const slices = await slicesIn(5 * THROTTLE_MS);
  assert.ok(slices >= 4 && slices <= 6, `${slices} slices`);
  await end();
});

test('a flood continues at once when the light owner has its answer', async (t) => {
  const { scheduler, slicesIn, begin } = givenFlood(t);
  const end = await begin();
  const leave = scheduler.requestStarted('light');
  const other = scheduler.requestStarted('light');
  await slicesIn(THROTTLE_MS + 1.5);
  leave();
  leave();
  assert.equal(await slicesIn(1), 0, 'another request is still being answered');
  other();
  assert.ok((await slicesIn(1)) > 0);
  await end();
});

test('a slow or hanging request throttles a flood only for its first milliseconds', async (t) => {
  const { scheduler, slicesIn, begin } = givenFlood(t);
  const end = await begin();
  scheduler.requestStarted('light');
  await slicesIn(RECENT_MS + THROTTLE_MS);
  assert.ok((await slicesIn(5 * THROTTLE_MS)) > 5 * THROTTLE_MS * 0.5);
  await end();
});

test("a flood's own requests, and an owner with nearly as much use, throttle nothing", async (t) => {
  const { scheduler, step, slicesIn, begin } = givenFlood(t);
  // By the time that the flood starts, a third of its usage has decayed.
  step('equal', 3.2 * HEAVY_USAGE_MS);
  const end = await begin();
  for (const owner of ['flood', 'equal']) scheduler.requestStarted(owner);
  assert.ok((await slicesIn(5 * THROTTLE_MS)) > 5 * THROTTLE_MS * 0.5);
  await end();
});

test('an owner with two thirds of a flood’s use ranks lighter than the flood', async (t) => {
  const { scheduler, step, slicesIn, begin } = givenFlood(t);
  step('lighter', 2.1 * HEAVY_USAGE_MS);
  const end = await begin();
  scheduler.requestStarted('lighter');
  const slices = await slicesIn(5 * THROTTLE_MS);
  assert.ok(slices >= 4 && slices <= 6, `${slices} slices`);
  await end();
});

test('owners that use little each do not throttle each other, however many they are', async (t) => {
  const { scheduler, slicesIn, begin } = givenFlood(t);
  const end = await begin(HEAVY_USAGE_MS / 2);
  scheduler.requestStarted('light');
  assert.ok((await slicesIn(5 * THROTTLE_MS)) > 5 * THROTTLE_MS * 0.5);
  await end();
});

test("a light owner's own steps are not throttled, and short steps of a heavy owner share its slice", async (t) => {
  const { scheduler, step, pass } = givenFlood(t);
  step('heavy', 2 * HEAVY_USAGE_MS);
  step('light', 0.1);
  scheduler.requestStarted('light');
  await pass(THROTTLE_MS);
  let [light, heavy] = [0, 0];
  for (let n = 0; n < 20; n += 1) step('heavy', SHARED_SLICE_MS / 4, () => (heavy += 1));
  for (let n = 0; n < 20; n += 1) step('light', 0.01, () => (light += 1));
  await pass(2);
  assert.equal(light, 20);
  assert.ok(heavy >= 4 && heavy <= 12, `${heavy} short steps, as many at once as one iteration has time for`);
  await pass(6 * THROTTLE_MS);
  assert.equal(heavy, 20, 'no step is lost');
});
