/** Returns the new length of an array: at least half as much again, so that appending is amortized constant time. */
export function grownLength(length: number, needed: number): number {
  return Math.max(needed, Math.ceil(length * 1.5), 64);
}

/** Copies with room for at least `needed` numbers; new elements are 0. */
export function growUint8(array: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(grownLength(array.length, needed));
  grown.set(array);
  return grown;
}

export function growUint16(array: Uint16Array, needed: number): Uint16Array<ArrayBuffer> {
  const grown = new Uint16Array(grownLength(array.length, needed));
  grown.set(array);
  return grown;
}

export function growUint32(array: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(grownLength(array.length, needed));
  grown.set(array);
  return grown;
}

export function growFloat64(array: Float64Array, needed: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(grownLength(array.length, needed));
  grown.set(array);
  return grown;
}
