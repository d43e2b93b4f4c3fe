import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
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

  /** The later number of an id counts. */
  function append(id: string): void {
    const bytes = Buffer.from(id, 'hex');
    if (bytes.length !== ID_BYTES || bytes.toString('hex') !== id) return;
    const next = table.ceiling;
    assert.equal(table.append(bytes), next);
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
    else look(id);
  }

  /** A number that gets another id later is looked up by both. */
  function look(id: string): void {
    const number = table.numberOf(id);
    assert.equal(number, map.get(id));
    if (number !== undefined) assert.equal(table.keptAt(number), id);
  }

  return { table, map, take };
}

const distinctIds = fc.uniqueArray(fc.bigInt(0n, 2n ** 96n - 1n), { minLength: 1, maxLength: 3000, size: 'max' });

test('a table that was made elsewhere of the same ids is as the table that is made here', () => {
  fc.assert(
    fc.property(distinctIds, fc.constantFrom(-1, 0, 1), (numbers, more) => {
      const ids = numbers.map((number) => number.toString(16).padStart(24, '0'));
      const bytes = Buffer.from(ids.join(''), 'hex');
      const [made, table] = [createIdTable(() => {}), createIdTable(() => {})];
      // A table of more or fewer ids is left.
      const others =
        more > 0 ? [bytes, Buffer.alloc(ID_BYTES, 0x5a)] : [bytes.subarray(0, bytes.length + more * ID_BYTES)];
      for (const some of others) made.append(some);
      table.append(bytes);
      const memory = made.giveTable();
      if (memory !== null) table.adoptTable(memory);
      assert.equal(table.size, ids.length);
      for (const [number, id] of ids.entries()) assert.equal(table.numberOf(id), number);
    }),
    { numRuns: runs(30), interruptAfterTimeLimit: 8000 },
  );
});

test('a table with an id that came twice is given to no other', () => {
  const table = createIdTable(() => {});
  table.append(Buffer.alloc(2 * ID_BYTES, 1));
  assert.equal(table.giveTable(), null);
});

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
      for (const [id, number] of map) {
        assert.deepEqual([table.at(number), table.keptAt(number), table.numberOf(id)], [id, id, number]);
      }
      const some = [...map].slice(0, 30);
      for (const [a, one] of some) for (const [b, other] of some) assert.equal(table.isBefore(one, other), a < b);
    }),
    { numRuns: runs(20), interruptAfterTimeLimit: 8000 },
  );
});
