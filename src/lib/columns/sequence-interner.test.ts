import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { listOf } from './int-lists.ts';
import { createSequenceInterner, runOf } from './sequence-interner.ts';

const arbitrarySequence = fc.array(fc.oneof(fc.nat(3), fc.constantFrom(65_536, 0xffffffff)), { maxLength: 4 });
const step = fc.record({
  sequence: arbitrarySequence,
  isHeld: fc.boolean(),
  isAppended: fc.boolean(),
  isDropped: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** An interner and the holders that it must agree with, by sequence. */
function givenInterner() {
  const interner = createSequenceInterner();
  const known = new Map<string, { id: number; holders: number }>();

  function drop(sequence: readonly number[]): void {
    const own = known.get(sequence.join(' '));
    if (own === undefined) return;
    own.holders -= 1;
    assert.deepEqual(interner.release(own.id), own.holders === 0 ? sequence : null);
    if (own.holders === 0) known.delete(sequence.join(' '));
  }

  function acquire(sequence: readonly number[]): void {
    const own = known.get(sequence.join(' '));
    const { id, isNew } = interner.acquire({ data: [7, ...sequence, 7], from: 1, end: sequence.length + 1 });
    assert.equal(isNew, own === undefined);
    known.set(sequence.join(' '), { id, holders: (own?.holders ?? 0) + 1 });
  }

  function append(sequence: readonly number[]): void {
    const id = interner.append(runOf(sequence));
    known.set(sequence.join(' '), { id, holders: 1 });
  }

  function take({ sequence, isHeld, isDropped, isAppended }: Step): void {
    const own = known.get(sequence.join(' '));
    if (!isAppended) assert.equal(interner.idOf(runOf(sequence)), own?.id);
    if (isDropped) drop(sequence);
    else if (isAppended && own === undefined) append(sequence);
    else if (!isHeld || own === undefined) acquire(sequence);
    else {
      interner.holdAll(Uint32Array.of(own.id, own.id));
      own.holders += 2;
    }
  }

  return { interner, known, take };
}

test('equal sequences share a number while it has a holder, and no others do', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 1500, size: 'max' }), (steps) => {
      const { interner, known, take } = givenInterner();
      steps.forEach(take);
      const ids = Array.from(known.values(), ({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      for (const [key, { id }] of known) assert.equal(listOf(interner.sequences, id).join(' '), key);
      assert.ok(ids.every((id) => id > 0 && id < interner.ceiling));
    }),
    { numRuns: runs(20), interruptAfterTimeLimit: 8000 },
  );
});
