import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { bitsOfNumbers, createNumberSets, hasBit, haveCommonBit, keepCommonBits } from './number-sets.ts';

/** Enough numbers in few sets that lists become bits, and bits grow and become empty. */
const change = fc.record({ id: fc.nat(3), value: fc.nat(200) });
const anyRow = fc.array(fc.nat(200), { maxLength: 20 });

test('sets hold what was added and not removed, as lists and as bits', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 800 }), anyRow, (changes, numbers) => {
      const sets = createNumberSets();
      const expected = [0, 1, 2, 3].map(() => new Set<number>());
      for (const { id, value } of changes) {
        const own = expected[id] as Set<number>;
        if (own.delete(value)) sets.remove(id, value);
        else {
          own.add(value);
          sets.add(id, value);
        }
      }
      const row = bitsOfNumbers(numbers);
      for (const [id, own] of expected.entries()) {
        const marked = new Uint32Array(sets.rowLength);
        sets.markIn(marked, id);
        assert.deepEqual(numbersIn(marked), [...own].sort(byNumber));
        assert.equal(
          sets.meets(row, id),
          numbers.some((number) => own.has(number)),
        );
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a set of all numbers becomes bits, loses each of them and takes them again', () => {
  const sets = createNumberSets();
  for (let round = 0; round < 2; round += 1) {
    for (let value = 0; value < 3000; value += 1) sets.add(7, value);
    const row = new Uint32Array(sets.rowLength);
    sets.markIn(row, 7);
    assert.equal(numbersIn(row).length, 3000);
    for (let value = 0; value < 3000; value += 1) sets.remove(7, value);
    assert.equal(sets.meets(row, 7), false);
  }
});

test('rows of different lengths have the numbers in common that are in both', () => {
  fc.assert(
    fc.property(anyRow, anyRow, (a, b) => {
      const common = [...new Set(a.filter((number) => b.includes(number)))].sort(byNumber);
      assert.equal(haveCommonBit(bitsOfNumbers(a), bitsOfNumbers(b)), common.length > 0);
      const kept = bitsOfNumbers(a);
      keepCommonBits(kept, bitsOfNumbers(b));
      assert.deepEqual(numbersIn(kept), common);
    }),
  );
});

const byNumber = (a: number, b: number): number => a - b;

function numbersIn(row: Uint32Array): number[] {
  const numbers: number[] = [];
  for (let number = 0; number < row.length * 32; number += 1) if (hasBit(row, number)) numbers.push(number);
  return numbers;
}
