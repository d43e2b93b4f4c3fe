import { grownUint32 } from './grow.ts';
import { createSlabBlocks } from './slab-blocks.ts';

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
  has(id: number): boolean;
  /** The array in which the numbers of the id lie, and where they begin in it. Valid until the next change. */
  slabOf(id: number): Float64Array;
  offsetOf(id: number): number;
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
  /** By id: the unit at which the numbers begin, counted through all slabs, and the number of units; 0 without numbers. */
  let addresses = new Uint32Array(64);
  let sizes = new Uint32Array(64);

  function clear(id: number): void {
    const units = sizes[id] ?? 0;
    if (units === 0) return;
    blocks.give(addresses[id] as number, units);
    sizes[id] = 0;
  }

  function slabOf(id: number): Float64Array {
    return slabs[(addresses[id] as number) >>> SLAB_BITS] as Float64Array;
  }

  function offsetOf(id: number): number {
    return ((addresses[id] as number) & (SLAB_UNITS - 1)) * UNIT_SIZE;
  }

  return {
    set(id, numbers) {
      if (id >= addresses.length) {
        addresses = grownUint32(addresses, id + 1);
        sizes = grownUint32(sizes, id + 1);
      }
      clear(id);
      const units = Math.ceil(numbers.length / UNIT_SIZE);
      if (units === 0) return;
      addresses[id] = blocks.take(units);
      sizes[id] = units;
      slabOf(id).set(numbers, offsetOf(id));
    },
    clear,
    has: (id) => (sizes[id] ?? 0) > 0,
    slabOf,
    offsetOf,
    get reservedBytes() {
      return reservedBytes;
    },
  };
}
