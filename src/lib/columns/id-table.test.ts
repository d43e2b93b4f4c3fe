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
const step = fc.record({ id: arbitraryId, kind: fc.constantFrom('add', 'add', 'append', 'append', 'delete', 'look') });

const arbitrarySteps = fc.array(step, { minLength: 100, maxLength: 2500, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A table and the map that it must agree with; an id that comes gets a freed number first, as stores do. */
function givenTable() {
  const free: number[] = [];
  const table = createIdTable((number) => void free.push(number));
  const map = new Map<string, number>();

  function add(id: string): void {
    const known = map.get(id);
    assert.equal(table.numberOf(id), known);
    const number = known ?? free.pop() ?? table.ceiling;
    assert.equal(table.getOrAdd(id, number), number);
    map.set(id, number);
  }

  /** The later number of an id counts; the id is the second of three. */
  function append(id: string): void {
    const bytes = Buffer.from(`${'a'.repeat(24)}${id}${'b'.repeat(24)}`, 'hex');
    if (bytes.length !== 3 * ID_BYTES || bytes.toString('hex', ID_BYTES, 2 * ID_BYTES) !== id) return;
    const next = table.ceiling;
    assert.equal(table.append(bytes, Uint32Array.of(1)), next);
    map.set(id, next);
  }

  function remove(id: string): void {
    const known = map.get(id);
    assert.equal(table.delete(id), map.delete(id));
    if (known !== undefined) free.push(known);
  }

  function take({ id, kind }: Step): void {
    if (kind === 'add') add(id);
    else if (kind === 'append') append(id);
    else if (kind === 'delete') remove(id);
    else assert.equal(table.numberOf(id), map.get(id));
  }

  return { table, map, take };
}

test('a table of ids knows what a map knows, whatever was added and deleted before', () => {
  fc.assert(
    fc.property(arbitrarySteps, fc.boolean(), fc.nat(300), (steps, isReserved, finished) => {
      const { table, map, take } = givenTable();
      if (isReserved) table.reserve(2000);
      steps.forEach(take);
      const ending = table.finish();
      for (let step = 0; step < finished && !ending.next().done; step += 1);
      assert.equal(table.numberOf('e'.repeat(24)), undefined);
      assert.equal(table.size, map.size);
      for (const [id, number] of map) assert.deepEqual([table.at(number), table.numberOf(id)], [id, number]);
      const some = [...map].slice(0, 30);
      for (const [a, one] of some) for (const [b, other] of some) assert.equal(table.isBefore(one, other), a < b);
    }),
    { numRuns: 20, interruptAfterTimeLimit: 8000 },
  );
});
