/* Sorted arrays, the best k, bounded caches, and objects without undefined members. */

export { grown, grownLength } from './grown-arrays.ts';
export { lowerBound } from './lower-bound.ts';
export { lruOptions } from './lru-options.ts';
export { memoized, memoizedBriefly, memoizedByObject } from './memo.ts';
export { type Present, present } from './present.ts';
export { type RankedDocument, TopK } from './top-k.ts';
