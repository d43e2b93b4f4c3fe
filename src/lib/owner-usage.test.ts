import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createOwnerUsage, USAGE_HALF_LIFE_MS } from './owner-usage.ts';

test('usage adds up, fades by half in its half-life, and never goes below nothing', () => {
  const usage = createOwnerUsage();
  usage.charge('a', 100, 0);
  assert.equal(usage.of('a', USAGE_HALF_LIFE_MS), 50);
  usage.charge('a', 30, USAGE_HALF_LIFE_MS);
  assert.equal(usage.of('a', 2 * USAGE_HALF_LIFE_MS), 40);
  usage.charge('a', -1000, 2 * USAGE_HALF_LIFE_MS);
  assert.deepEqual([usage.of('a', 9000), usage.of('unknown', 0)], [0, 0]);
});

test('of several owners the one that used least goes first, and the first of equals', () => {
  const usage = createOwnerUsage();
  usage.charge('flood', 500, 0);
  usage.charge('light', 2, 0);
  assert.equal(usage.least(['flood', 'light'], 10), 'light');
  assert.equal(usage.least(['new', 'flood', 'newer'], 10), 'new');
  assert.equal(usage.least([], 10), undefined);
});

test('however greedy the others are, an owner that waits goes before long', () => {
  const charges = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 200, maxLength: 200 });
  fc.assert(
    fc.property(charges, fc.integer({ min: 0, max: 5000 }), (steps, usedBefore) => {
      const usage = createOwnerUsage();
      usage.charge('waiting', usedBefore, 0);
      let nowMs = 0;
      for (const ms of steps) {
        const least = usage.least(['b', 'c', 'waiting'], nowMs) as string;
        // The usage of a busy owner is bounded by a half-life of processor time; that of the waiting owner fades.
        if (least === 'waiting') return;
        nowMs += ms * 60;
        usage.charge(least, ms * 60, nowMs);
      }
      assert.fail('the owner starved');
    }),
  );
});
