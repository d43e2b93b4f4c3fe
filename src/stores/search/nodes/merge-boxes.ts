import type { SpatialTree } from '../spatial-tree.ts';

/** Makes the box and the bounds of a node those of its two children, which follow each other. */
export function mergeBoxes({ boxes, bounds }: SpatialTree, node: number, first: number): void {
  mergeRanges(boxes, node * 6, first * 6, 6);
  mergeRanges(bounds, node * 4, first * 4, 4);
}

/** `length` numbers of each child, lowest and highest in turn. */
function mergeRanges(ranges: Float64Array, at: number, first: number, length: number): void {
  for (let low = 0; low < length; low += 2) {
    const [a, b] = [first + low, first + length + low];
    ranges[at + low] = Math.min(ranges[a] as number, ranges[b] as number);
    ranges[at + low + 1] = Math.max(ranges[a + 1] as number, ranges[b + 1] as number);
  }
}
