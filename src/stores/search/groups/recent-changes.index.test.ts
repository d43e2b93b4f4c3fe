import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../../test/runs.ts';
import { createRecentChanges } from './recent-changes.index.ts';

test('the stores that changed since are those that a list of all changes names, or the changes are not known', () => {
  const step = fc.oneof(
    { weight: 200, arbitrary: fc.nat({ max: 40 }) },
    { weight: 1, arbitrary: fc.constant('many' as const) },
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 300 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat({ max: 1500 }),
      (steps, times, back) => {
        const changes = createRecentChanges();
        const all: (number | 'many')[] = Array.from({ length: times }, () => steps).flat();
        for (const change of all) {
          if (change === 'many') changes.noteMany();
          else changes.note(change);
        }
        assert.equal(changes.count, all.length);
        const from = Math.max(0, all.length - back);
        const since = all.slice(from);
        if (since.includes('many')) assert.equal(changes.isKnownSince(from), false);
        if (!changes.isKnownSince(from)) {
          assert.ok(since.includes('many') || since.length > 1000, 'what is recent is known');
          return;
        }
        assert.deepEqual([...changes.storesSince(from)].sort(), [...new Set(since)].sort());
        for (let ordinal = 0; ordinal <= 40; ordinal += 1)
          assert.equal(changes.hasChangedSince(ordinal, from), since.includes(ordinal));
      },
    ),
    { numRuns: runs(200) },
  );
});
