/* Sorted arrays, the best k, and caches that are bounded. */

export { grown, grownLength } from './grown-arrays.ts';
export { lowerBound } from './lower-bound.ts';
export { lruOptions } from './lru-options.ts';
export { memoized, memoizedBriefly, memoizedByObject } from './memo.ts';
export { type RankedDocument, TopK } from './top-k.ts';
