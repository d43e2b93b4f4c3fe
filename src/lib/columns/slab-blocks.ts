/** Blocks of whole units in slabs of equal size; a block lies in one slab. */
export type SlabBlocks = {
  /** The first unit of a free block, counted through all slabs. A block larger than a slab has a slab of its own. */
  take(units: number): number;
  /** A block that is given back is taken again for the same number of units. */
  give(address: number, units: number): void;
  /** Counts a slab of the caller's, no block of which is free; returns the address of its first unit. */
  skipSlab(): number;
};

/** `addSlab` gets the units of the new slab, at least `slabUnits`. */
export function createSlabBlocks(slabUnits: number, addSlab: (units: number) => void): SlabBlocks {
  const free = new Map<number, number[]>();
  let slabs = 0;
  let end = 0;

  return {
    take(units) {
      const reused = free.get(units)?.pop();
      if (reused !== undefined) return reused;
      if (end + units > slabs * slabUnits) {
        end = slabs * slabUnits;
        slabs += 1;
        addSlab(Math.max(units, slabUnits));
      }
      const address = end;
      end += Math.min(units, slabUnits);
      return address;
    },
    give(address, units) {
      const blocks = free.get(units);
      if (blocks === undefined) free.set(units, [address]);
      else blocks.push(address);
    },
    skipSlab() {
      slabs += 1;
      end = slabs * slabUnits;
      return end - slabUnits;
    },
  };
}
