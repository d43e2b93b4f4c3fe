/**
 * Order of the curve: the bits per coordinate. 18 gives cells of about 120 meters, and 36-bit keys that leave 17 bits
 * of a double's integer range for a slot.
 */
const ORDER = 18;
const CELLS = 2 ** ORDER;

/** One more than the highest key. */
export const HILBERT_END = CELLS * CELLS;

/** Computes a point's position on a Hilbert curve over the earth. Neighbors on the curve are near each other on it. */
export function hilbertKey(latitude: number, longitude: number): number {
  let x = Math.max(0, Math.min(CELLS - 1, Math.floor(((longitude + 180) / 360) * CELLS)));
  let y = Math.max(0, Math.min(CELLS - 1, Math.floor(((latitude + 90) / 180) * CELLS)));
  let key = 0;
  for (let side = CELLS >>> 1; side > 0; side >>>= 1) {
    const right = (x & side) > 0 ? 1 : 0;
    const upper = (y & side) > 0 ? 1 : 0;
    key = key * 4 + ((3 * right) ^ upper);
    x &= side - 1;
    y &= side - 1;
    if (upper === 1) continue;
    if (right === 1) {
      x = side - 1 - x;
      y = side - 1 - y;
    }
    [x, y] = [y, x];
  }
  return key;
}
