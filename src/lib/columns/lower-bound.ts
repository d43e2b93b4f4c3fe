/**
 * The first position, at or after `from`, whose number is not less than `wanted`; the length where there is none. The
 * numbers ascend.
 */
export function lowerBound(ascending: Uint32Array | Float64Array, wanted: number, from = 0): number {
  let low = from;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
