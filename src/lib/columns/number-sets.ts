import { grownUint32 } from './grow.ts';
import { createIntLists, listOf } from './int-lists.ts';

/**
 * Many sets of whole numbers, each by an id. A small set is a list; a set becomes a row of bits, until it is empty, where
 * the bits take less memory than the list: a large set is read 32 numbers at a time.
 */
export type NumberSets = {
  /** The set must not have the value. */
  add(id: number, value: number): void;
  remove(id: number, value: number): void;
  /** Elements that a row of bits needs for every number of every set. */
  readonly rowLength: number;
  /** Sets the bits of the set's numbers: bit `value & 31` of `row[value >>> 5]`. The row has `rowLength` elements. */
  markIn(row: Uint32Array, id: number): void;
  /** Whether the row has the bit of a number of the set. */
  meets(row: Uint32Array, id: number): boolean;
};

type Bits = { row: Uint32Array; count: number };

/** Longest list of a small collection: an array of its own would take more memory than so many numbers. */
const MAX_LIST = 64;

export function createNumberSets(): NumberSets {
  const lists = createIntLists();
  const bitsOf = new Map<number, Bits>();
  let rowLength = 0;

  function moveToBits(id: number): void {
    const values = listOf(lists, id);
    const bits = { row: new Uint32Array(rowLength), count: values.length };
    for (const value of values) setBit(bits.row, value);
    bitsOf.set(id, bits);
    lists.clear(id);
  }

  return {
    add(id, value) {
      rowLength = Math.max(rowLength, (value >>> 5) + 1);
      const bits = bitsOf.get(id);
      if (bits === undefined) {
        lists.add(id, value);
        if ((lists.counts[id] as number) > Math.max(MAX_LIST, rowLength)) moveToBits(id);
        return;
      }
      if (value >>> 5 >= bits.row.length) bits.row = grownUint32(bits.row, (value >>> 5) + 1);
      setBit(bits.row, value);
      bits.count += 1;
    },
    remove(id, value) {
      const bits = bitsOf.get(id);
      if (bits === undefined) {
        lists.remove(id, value);
        return;
      }
      bits.row[value >>> 5] = (bits.row[value >>> 5] as number) & ~(1 << (value & 31));
      bits.count -= 1;
      if (bits.count === 0) bitsOf.delete(id);
    },
    get rowLength() {
      return rowLength;
    },
    markIn(row, id) {
      const bits = bitsOf.get(id);
      if (bits === undefined) {
        for (const value of listOf(lists, id)) setBit(row, value);
        return;
      }
      const length = Math.min(row.length, bits.row.length);
      for (let at = 0; at < length; at += 1) row[at] = (row[at] as number) | (bits.row[at] as number);
    },
    meets(row, id) {
      const bits = bitsOf.get(id);
      return bits === undefined ? listOf(lists, id).some((value) => hasBit(row, value)) : haveCommonBit(row, bits.row);
    },
  };
}

/** A row with the bits of the numbers. */
export function bitsOfNumbers(numbers: readonly number[]): Uint32Array {
  if (numbers.length === 0) return new Uint32Array();
  const greatest = numbers.reduce((max, number) => Math.max(max, number), 0);
  const row = new Uint32Array((greatest >>> 5) + 1);
  for (const number of numbers) setBit(row, number);
  return row;
}

function setBit(row: Uint32Array, value: number): void {
  row[value >>> 5] = (row[value >>> 5] as number) | (1 << (value & 31));
}

/** Whether a row has the bit of a number. */
export function hasBit(row: Uint32Array, value: number): boolean {
  return (((row[value >>> 5] ?? 0) >>> (value & 31)) & 1) === 1;
}

/** Whether some number has its bit in both rows. */
export function haveCommonBit(a: Uint32Array, b: Uint32Array): boolean {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) if (((a[at] as number) & (b[at] as number)) !== 0) return true;
  return false;
}

/** Takes out of a row what the other row lacks. */
export function keepCommonBits(row: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < row.length; at += 1) row[at] = (row[at] as number) & (other[at] ?? 0);
}
