import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { createNumberStore, NO_ADDRESS } from './number-store.ts';

test('numbers are read back as they were set, whatever is set and cleared around them', () => {
  const arbitrarySteps = fc.array(fc.tuple(fc.nat(40), fc.oneof(fc.nat(100), fc.nat(200_000))), { maxLength: 60 });
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      const store = createNumberStore();
      const expected = new Map<number, Float64Array>();
      for (const [n, [id, length]] of steps.entries()) {
        const numbers = Float64Array.from({ length }, (_, i) => n * 1e6 + i);
        store.set(id, numbers);
        expected.set(id, numbers);
        if (n % 5 === 0) store.clear(id);
        if (n % 5 === 0 || length === 0) expected.delete(id);
      }
      for (let id = 0; id <= 41; id += 1) assert.equal(store.addressOf(id) !== NO_ADDRESS, expected.has(id));
      for (const [id, numbers] of expected) {
        const address = store.addressOf(id);
        const from = store.offsetAt(address);
        assert.deepEqual(store.slabAt(address).subarray(from, from + numbers.length), numbers);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('numbers that come and go for ever take no more memory than at their peak', () => {
  const store = createNumberStore();
  const fill = () => {
    for (let id = 0; id < 500; id += 1) store.set(id, new Float64Array(100 + (id % 50)));
  };
  fill();
  const peak = store.reservedBytes;
  for (let round = 0; round < 20; round += 1) {
    for (let id = 0; id < 500; id += round % 2 === 0 ? 1 : 2) store.clear(id);
    fill();
  }
  assert.equal(store.reservedBytes, peak);
});
