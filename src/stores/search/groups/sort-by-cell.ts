import { grownUint32 } from '../../../lib/columns/grow.ts';

/** Stores by ordinal, each with the number of its cell at the same position; cells ascend. */
export type StoresByCell = { cells: Uint32Array; ordinals: Uint32Array };

const DIGIT_BITS = 8;
const DIGITS = 1 << DIGIT_BITS;
const KEY_BITS = 32;

/** Memory that sorts of stores use in turn. */
export function createCellSorter() {
  let cells: Uint32Array = new Uint32Array(1024);
  let ordinals: Uint32Array = new Uint32Array(1024);
  const ends = new Uint32Array(DIGITS);

  /** Sorts by the digit from that bit on, and keeps the sequence of stores whose digits are equal. */
  function sortByDigit(stores: StoresByCell, target: StoresByCell, bit: number): void {
    const count = stores.ordinals.length;
    ends.fill(0);
    for (let at = 0; at < count; at += 1) {
      const digit = ((stores.cells[at] as number) >>> bit) & (DIGITS - 1);
      ends[digit] = (ends[digit] as number) + 1;
    }
    for (let digit = 0, end = 0; digit < DIGITS; digit += 1) {
      const size = ends[digit] as number;
      ends[digit] = end;
      end += size;
    }
    for (let at = 0; at < count; at += 1) {
      const cell = stores.cells[at] as number;
      const digit = (cell >>> bit) & (DIGITS - 1);
      const to = ends[digit] as number;
      ends[digit] = to + 1;
      target.cells[to] = cell;
      target.ordinals[to] = stores.ordinals[at] as number;
    }
  }

  /** Sorts the arrays themselves. */
  return (stores: StoresByCell): void => {
    if (stores.ordinals.length > cells.length) {
      cells = grownUint32(cells, stores.ordinals.length);
      ordinals = grownUint32(ordinals, stores.ordinals.length);
    }
    const spare = { cells, ordinals: ordinals.subarray(0, stores.ordinals.length) };
    for (let bit = 0; bit < KEY_BITS; bit += 2 * DIGIT_BITS) {
      sortByDigit(stores, spare, bit);
      sortByDigit(spare, stores, bit + DIGIT_BITS);
    }
  };
}
