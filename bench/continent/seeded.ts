/** Deterministic pseudo-random numbers from 0 to 1 (splitmix32). */
export type Chance = () => number;

export function chanceOf(seed: number): Chance {
  // Mixes the seed first; otherwise neighboring seeds would yield one sequence, shifted.
  let state = Math.imul(Math.imul(seed ^ (seed >>> 16), 0x45d9_f3b) ^ (seed << 7), 0x119d_e1f3) | 0;
  return () => {
    state = (state + 0x9e37_79b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0_aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(from: readonly T[], chance: Chance): T {
  const item = from[Math.floor(chance() * from.length)];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}

/** Picks early items more often than late ones, as common names occur. */
export function pickEarly<T>(from: readonly T[], chance: Chance): T {
  const item = from[Math.floor(chance() ** 2 * from.length)];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}

export function wholeBetween(low: number, high: number, chance: Chance): number {
  return low + Math.floor(chance() * (high - low + 1));
}

/** A normally distributed number: mean 0, deviation 1. */
export function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

/** Picks items in proportion to their weights. */
export function weighted<T>(items: readonly T[], weightOf: (item: T) => number): (chance: Chance) => T {
  const ends = new Float64Array(items.length);
  let total = 0;
  for (const [nth, item] of items.entries()) {
    total += weightOf(item);
    ends[nth] = total;
  }
  return (chance) => {
    const at = chance() * total;
    let [low, high] = [0, items.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return items[low] as T;
  };
}
