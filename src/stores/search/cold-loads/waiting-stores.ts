import { grownFloat32 } from '../../../lib/columns/grow.ts';
import type { DeliveryRange } from '../spatial-tree.ts';

/** In place of the slot of a store that waits for the end of a load. */
export const WAITS = 0xffffffff;

/** By store: its coordinate, and the two numbers of its range. */
export type InsertedStores = { latitudes: Float64Array; longitudes: Float64Array; ranges: Float32Array };

/** The stores that wait for the end of a load, by ordinal. */
export type WaitingStores = {
  set(ordinal: number, range: DeliveryRange): void;
  /** Sets the ranges of stores whose ordinals follow each other: two numbers each. */
  setAll(first: number, ranges: Float32Array): void;
  rangeOf(ordinal: number): DeliveryRange;
  reserve(stores: number): void;
  /** Ordinals of the stores whose slot is `WAITS`. */
  ordinalsIn(slotOf: Uint32Array): Uint32Array<ArrayBuffer>;
};

export function createWaitingStores(stores: number): WaitingStores {
  let ranges = new Float32Array(stores * 2);
  return {
    set(ordinal, { core, reach }) {
      ranges[ordinal * 2] = core;
      ranges[ordinal * 2 + 1] = reach;
    },
    setAll: (first, others) => ranges.set(others, first * 2),
    rangeOf: (ordinal) => rangeIn(ranges, ordinal),
    reserve(count) {
      if (count * 2 > ranges.length) ranges = grownFloat32(ranges, count * 2);
    },
    ordinalsIn,
  };
}

/** The range whose core and reach are two numbers beside each other. */
export function rangeIn(ranges: Float32Array, at: number): DeliveryRange {
  return { core: ranges[at * 2] as number, reach: ranges[at * 2 + 1] as number };
}

function ordinalsIn(slotOf: Uint32Array): Uint32Array<ArrayBuffer> {
  const ordinals = new Uint32Array(slotOf.length);
  let count = 0;
  for (let ordinal = 0; ordinal < slotOf.length; ordinal += 1) {
    if (slotOf[ordinal] !== WAITS) continue;
    ordinals[count] = ordinal;
    count += 1;
  }
  return ordinals.slice(0, count);
}
