/** The place of the first number that is not smaller, from a place on, in numbers that ascend; their length for none. */
export function firstFrom(ascending: Uint32Array | Float64Array, wanted: number, from = 0): number {
  let low = from;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
