/** Halvings of latitude and of longitude: the last cells are a third of a kilometre wide. */
const HALVINGS = 16;
const PARTS = 2 ** HALVINGS;

/** Bits of the number of a cell: as many as nodes of the search tree have halvings above them before numbers end. */
export const CELL_KEY_BITS = 2 * HALVINGS;

/**
 * The number of a coordinate's cell, whose bits are the halves that the coordinate is in, latitude first: a node of the
 * search tree has the stores of one range of numbers.
 */
export function cellKeyOf(latitude: number, longitude: number): number {
  return ((spread(partOf(latitude, 90)) << 1) | spread(partOf(longitude, 180))) >>> 0;
}

/** Which of the parts of the whole range, from `-half` to `half`, has the coordinate. */
function partOf(coordinate: number, half: number): number {
  const part = Math.min(PARTS - 1, Math.max(0, Math.floor(((coordinate + half) / (2 * half)) * PARTS)));
  // A sum that is rounded up may reach the next part; where a part begins is exact.
  return part > 0 && coordinate < part * ((2 * half) / PARTS) - half ? part - 1 : part;
}

/** The 16 bits of a number, a zero before each. */
function spread(number: number): number {
  let bits = number;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}
