/** First position in `from` to `to` with a number of at least `wanted`, else `to`. The numbers must ascend. */
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
