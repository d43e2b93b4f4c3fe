import { grownInt32, grownUint32 } from './grow.ts';
import { createSlabBlocks } from './slab-blocks.ts';

export const NO_ADDRESS = -1;

/** Numbers of a unit. */
const UNIT_SIZE = 16;
/** Units of a slab: 1 MiB. Longer numbers have a slab of their own. */
const SLAB_BITS = 13;
const SLAB_UNITS = 1 << SLAB_BITS;

/**
 * Arrays of numbers by small number, in a few large arrays. A freed block is used again for numbers of about its length,
 * so memory stays near the peak of each length.
 */
export type NumberStore = {
  set(id: number, numbers: Float64Array): void;
  clear(id: number): void;
  /** Where the numbers of the id lie, until its next change; NO_ADDRESS for an id without numbers. */
  addressOf(id: number): number;
  /** The array at the address, and where in it the numbers begin. */
  slabAt(address: number): Float64Array;
  offsetAt(address: number): number;
  /** Memory taken from the system. */
  readonly reservedBytes: number;
};

export function createNumberStore(): NumberStore {
  const slabs: Float64Array[] = [];
  let reservedBytes = 0;
  const blocks = createSlabBlocks(SLAB_UNITS, (units) => {
    const slab = new Float64Array(units * UNIT_SIZE);
    reservedBytes += slab.byteLength;
    slabs.push(slab);
  });
  /** By id: the unit at which the numbers begin, counted through all slabs, and the number of units. */
  let addresses = new Int32Array(64).fill(NO_ADDRESS);
  let sizes = new Uint32Array(64);

  function clear(id: number): void {
    const address = addresses[id] ?? NO_ADDRESS;
    if (address === NO_ADDRESS) return;
    blocks.give(address, sizes[id] as number);
    addresses[id] = NO_ADDRESS;
  }

  function grow(length: number): void {
    const known = addresses.length;
    addresses = grownInt32(addresses, length).fill(NO_ADDRESS, known);
    sizes = grownUint32(sizes, length);
  }

  const slabAt = (address: number): Float64Array => slabs[address >>> SLAB_BITS] as Float64Array;
  const offsetAt = (address: number): number => (address & (SLAB_UNITS - 1)) * UNIT_SIZE;

  return {
    set(id, numbers) {
      if (id >= addresses.length) grow(id + 1);
      clear(id);
      const units = Math.ceil(numbers.length / UNIT_SIZE);
      if (units === 0) return;
      const address = blocks.take(units);
      addresses[id] = address;
      sizes[id] = units;
      slabAt(address).set(numbers, offsetAt(address));
    },
    clear,
    addressOf: (id) => addresses[id] ?? NO_ADDRESS,
    slabAt,
    offsetAt,
    get reservedBytes() {
      return reservedBytes;
    },
  };
}
