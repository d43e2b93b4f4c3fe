/** Returns the first position in `from` to `to` whose number is at least `wanted`, else `to`. Numbers must ascend. */
export function lowerBound(
  ascending: Uint32Array | Float64Array,
  wanted: number,
  from = 0,
  to = ascending.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
