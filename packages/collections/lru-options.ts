/**
 * Options of an `LRUCache` that grows to `max` entries. With its option `max` it allocates the slots of all entries at
 * once: half a megabyte for ten thousand, and a service has thirty caches.
 */
export function lruOptions(max: number) {
  return { maxSize: max, sizeCalculation: () => 1 };
}
