import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createIdTable, ID_BYTES } from './id-table.ts';

/** Few ids, so that they come again; some differ in a single bit, some have another form. */
const arbitraryId = fc.oneof(
  { weight: 6, arbitrary: fc.nat(400).map((n) => (n * 0x9e3779b1).toString(16).padStart(24, '0')) },
  { weight: 2, arbitrary: fc.nat(95).map((bit) => (1n << BigInt(bit)).toString(16).padStart(24, '0')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'a', 'A'.repeat(24), 'f'.repeat(23), 'f'.repeat(25), `${'0'.repeat(23)}g`),
  },
);
const step = fc.record({ id: arbitraryId, kind: fc.constantFrom('add', 'add', 'add as bytes', 'delete') });

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A table and the map that it must agree with; an id that comes gets a freed number first, as stores do. */
function givenTable() {
  const table = createIdTable();
  const map = new Map<string, number>();
  const free: number[] = [];

  function add(id: string, isWanted: boolean): void {
    const next = free.at(-1) ?? table.size;
    const known = map.get(id);
    const bytes = Buffer.from(`ff${id}`, 'hex');
    const isBytes = isWanted && bytes.toString('hex') === `ff${id}` && bytes.length === ID_BYTES + 1;
    assert.equal(isBytes ? table.getOrAddBytes(bytes, 1, next) : table.getOrAdd(id, next), known ?? next, id);
    if (known !== undefined) return;
    free.pop();
    map.set(id, next);
  }

  function take({ id, kind }: Step): void {
    const known = map.get(id);
    if (kind !== 'delete') add(id, kind === 'add as bytes');
    else {
      if (known !== undefined) free.push(known);
      assert.equal(table.delete(id), map.delete(id));
    }
  }

  return { table, map, take };
}

test('a table of ids knows what a map knows, whatever was added and deleted before', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 2500, size: 'max' }), fc.boolean(), (steps, isReserved) => {
      const { table, map, take } = givenTable();
      if (isReserved) table.reserve(2000);
      steps.forEach(take);
      assert.equal(table.size, map.size);
      for (const [id, number] of map) assert.deepEqual([table.at(number), table.numberOf(id)], [id, number]);
      const some = [...map].slice(0, 30);
      for (const [a, one] of some) for (const [b, other] of some) assert.equal(table.isBefore(one, other), a < b);
      assert.equal(table.numberOf('e'.repeat(24)), undefined);
    }),
    { numRuns: 20, interruptAfterTimeLimit: 8000 },
  );
});
