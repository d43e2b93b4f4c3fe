import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLanes, FIRST_CALLS, MAX_CALLS, MAX_CALLS_PER_ENDPOINT } from './lanes.ts';

const FAST_MS = 5;
const HANGING_MS = 10_000;

function callsOf(lanes: ReturnType<typeof createLanes>, owner: string): number {
  return lanes.allowances().find((one) => one.owner === owner)?.calls ?? FIRST_CALLS;
}

function call(lanes: ReturnType<typeof createLanes>, owner: string, tookMs: number): void {
  lanes.started(owner);
  lanes.ended(owner, tookMs);
}

test('an endpoint that answers fast is called more and more at once, up to a limit', () => {
  const lanes = createLanes();
  for (let n = 0; n < 100; n += 1) call(lanes, 'a', FAST_MS);
  assert.equal(callsOf(lanes, 'a'), MAX_CALLS_PER_ENDPOINT);
});

test('an endpoint that hangs is called one at a time, until it answers fast again', () => {
  const lanes = createLanes();
  for (let n = 0; n < 100; n += 1) call(lanes, 'a', FAST_MS);
  call(lanes, 'a', HANGING_MS);
  assert.equal(callsOf(lanes, 'a'), 1);
  lanes.started('a');
  assert.equal(callsOf(lanes, 'a'), 0);
  lanes.ended('a', FAST_MS);
  assert.equal(callsOf(lanes, 'a'), 2);
});

test('hanging endpoints, however many, leave half of the calls to the others', () => {
  const lanes = createLanes();
  const hanging = Array.from({ length: 1000 }, (_, n) => `hanging-${n}`);
  for (const owner of hanging) call(lanes, owner, HANGING_MS);
  for (const { owner, calls } of lanes.allowances()) {
    for (let n = 0; n < calls; n += 1) lanes.started(owner);
  }
  assert.equal(lanes.free(), MAX_CALLS / 2);
  assert.ok(hanging.every((owner) => callsOf(lanes, owner) === 0));
  assert.equal(callsOf(lanes, 'healthy'), FIRST_CALLS);
});

test('every hanging endpoint has its turn: the one that waited longest is next', () => {
  const lanes = createLanes();
  const hanging = Array.from({ length: 300 }, (_, n) => `hanging-${n}`);
  for (const owner of hanging) call(lanes, owner, HANGING_MS);
  const called = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const granted = lanes.allowances().filter(({ calls }) => calls > 0);
    for (const { owner } of granted) lanes.started(owner);
    for (const { owner } of granted) {
      called.add(owner);
      lanes.ended(owner, HANGING_MS);
    }
  }
  assert.equal(called.size, hanging.length);
});

test('no order of calls and ends lets an endpoint over its limit or keeps more endpoints than there is room for', () => {
  const step = fc.record({ account: fc.nat(3000), ends: fc.boolean(), tookMs: fc.constantFrom(FAST_MS, HANGING_MS) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4000, minLength: 1000 }), (steps) => {
      const lanes = createLanes();
      const underWay: string[] = [];
      for (const { account, ends, tookMs } of steps) {
        const owner = `a${account % 30 === 0 ? account : account % 7}`;
        if (ends && underWay.length > 0) lanes.ended(String(underWay.shift()), tookMs);
        else if (lanes.free() > 0 && callsOf(lanes, owner) > 0) {
          lanes.started(owner);
          underWay.push(owner);
        }
        const most = Math.max(
          0,
          ...Map.groupBy(underWay, (one) => one)
            .values()
            .map((calls) => calls.length),
        );
        assert.ok(most <= MAX_CALLS_PER_ENDPOINT);
      }
      assert.ok(lanes.free() === MAX_CALLS - underWay.length && lanes.allowances().length <= 2001);
    }),
    { numRuns: 10 },
  );
});
