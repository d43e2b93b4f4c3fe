import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { OwnerLimiter } from './owner-limiter.ts';

const LIMITS = { max: 250, perOwner: 25, first: 4, slowMs: 2000, maxSlow: 125 };

const FAST_MS = 5;
const HANGING_MS = 10_000;

const allowedCalls = (limiter: OwnerLimiter, owner: string): number =>
  limiter.allowances().find((one) => one.owner === owner)?.calls ?? LIMITS.first;

function call(limiter: OwnerLimiter, owner: string, tookMs: number): void {
  limiter.started(owner);
  limiter.ended(owner, tookMs);
}

test('an owner that answers fast is called more and more at once, up to a limit', () => {
  const limiter = new OwnerLimiter(LIMITS);
  for (let n = 0; n < 100; n += 1) call(limiter, 'a', FAST_MS);
  assert.equal(allowedCalls(limiter, 'a'), LIMITS.perOwner);
});

test('an owner that hangs is called one at a time, until it answers fast again', () => {
  const limiter = new OwnerLimiter(LIMITS);
  for (let n = 0; n < 100; n += 1) call(limiter, 'a', FAST_MS);
  call(limiter, 'a', HANGING_MS);
  assert.equal(allowedCalls(limiter, 'a'), 1);
  limiter.started('a');
  assert.equal(allowedCalls(limiter, 'a'), 0);
  limiter.ended('a', FAST_MS);
  assert.equal(allowedCalls(limiter, 'a'), 2);
});

test('hanging owners, however many, leave half of the calls to the others', () => {
  const limiter = new OwnerLimiter(LIMITS);
  const hanging = Array.from({ length: 1000 }, (_, n) => `hanging-${n}`);
  for (const owner of hanging) call(limiter, owner, HANGING_MS);
  for (const { owner, calls } of limiter.allowances()) {
    for (let n = 0; n < calls; n += 1) limiter.started(owner);
  }
  assert.equal(limiter.free, LIMITS.maxSlow);
  assert.ok(hanging.every((owner) => allowedCalls(limiter, owner) === 0));
  assert.equal(allowedCalls(limiter, 'healthy'), LIMITS.first);
});

test('hanging owners are served in order of their wait', () => {
  const limiter = new OwnerLimiter(LIMITS);
  const hanging = Array.from({ length: 300 }, (_, n) => `hanging-${n}`);
  for (const owner of hanging) call(limiter, owner, HANGING_MS);
  const called = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const granted = limiter.allowances().filter(({ calls }) => calls > 0);
    for (const { owner } of granted) limiter.started(owner);
    for (const { owner } of granted) {
      called.add(owner);
      limiter.ended(owner, HANGING_MS);
    }
  }
  assert.equal(called.size, hanging.length);
});

test('no order of calls and ends lets an owner over its limit or keeps more owners than there is room for', () => {
  const step = fc.record({ account: fc.nat(3000), ends: fc.boolean(), tookMs: fc.constantFrom(FAST_MS, HANGING_MS) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4000, minLength: 1000 }), (steps) => {
      const limiter = new OwnerLimiter(LIMITS);
      const running: string[] = [];
      for (const { account, ends, tookMs } of steps) {
        const owner = `a${account % 30 === 0 ? account : account % 7}`;
        if (ends && running.length > 0) limiter.ended(String(running.shift()), tookMs);
        else if (limiter.free > 0 && allowedCalls(limiter, owner) > 0) {
          limiter.started(owner);
          running.push(owner);
        }
        const most = Math.max(
          0,
          ...Map.groupBy(running, (one) => one)
            .values()
            .map((calls) => calls.length),
        );
        assert.ok(most <= LIMITS.perOwner);
      }
      assert.ok(limiter.free === LIMITS.max - running.length && limiter.allowances().length <= 2001);
    }),
    { numRuns: runs(10) },
  );
});
