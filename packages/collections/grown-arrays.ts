/** Returns the new length of an array: at least half as much again, so that appending is amortized constant time. */
export function grownLength(length: number, needed: number): number {
  return Math.max(needed, Math.ceil(length * 1.5), 64);
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Copies with room for at least `needed` numbers; new elements are 0. */
export function grown<Kind extends Numbers>(array: Kind, needed: number): Kind {
  const copy = new (array.constructor as new (length: number) => Kind)(grownLength(array.length, needed));
  copy.set(array);
  return copy;
}
