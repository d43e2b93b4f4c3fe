import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { createIntLists, listOf } from './int-lists.ts';

const id = fc.nat(40);
const step = fc.oneof(
  fc.record({ add: fc.array(fc.tuple(id, fc.nat(9)), { maxLength: 60 }) }),
  fc.record({ addOne: fc.tuple(id, fc.nat(9)) }),
  fc.record({ remove: fc.tuple(id, fc.nat(9)) }),
  fc.record({ set: id, values: fc.array(fc.nat(9), { maxLength: 9 }) }),
  fc.record({ clear: id }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Lists and the arrays that they must agree with. */
function givenLists() {
  const lists = createIntLists();
  const arrays = new Map<number, number[]>();
  const arrayOf = (id: number): number[] => arrays.get(id) ?? [];

  function addAll(pairs: readonly [number, number][]): void {
    const [ids, values] = [pairs.map(([id]) => id), pairs.map(([, value]) => value)];
    for (const _step of lists.addAll(Uint32Array.from(ids), Uint32Array.from(values)));
    for (const [id, value] of pairs) arrays.set(id, [...arrayOf(id), value]);
  }

  function remove([id, value]: [number, number]): void {
    lists.remove(id, value);
    const at = arrayOf(id).indexOf(value);
    if (at >= 0) arrays.set(id, arrayOf(id).toSpliced(at, 1));
  }

  function take(step: Step): void {
    if ('add' in step) addAll(step.add);
    else if ('addOne' in step) {
      lists.add(...step.addOne);
      arrays.set(step.addOne[0], [...arrayOf(step.addOne[0]), step.addOne[1]]);
    } else if ('remove' in step) remove(step.remove);
    else {
      const [id, values] = 'set' in step ? [step.set, step.values] : [step.clear, []];
      lists.clear(id);
      lists.set(id, values, 0, values.length);
      arrays.set(id, values);
    }
  }

  return { lists, arrays, take };
}

test('lists have the numbers that arrays have, however they were added and taken out', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 400, size: 'max' }), (steps) => {
      const { lists, arrays, take } = givenLists();
      steps.forEach(take);
      for (const [id, array] of arrays) assert.deepEqual([...listOf(lists, id)].sort(), [...array].sort());
    }),
    { numRuns: runs(50), interruptAfterTimeLimit: 8000 },
  );
});
