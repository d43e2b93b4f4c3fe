/** The stores that a feed named, for `--prune`: eight bytes each, so that a million stores fit. */
export type SeenStores = { add(storeId: string): void; has(storeId: string): boolean };

/** A store's id is 24 hexadecimal digits of a hash; the first 16 digits are distinct within a feed. */
const HEX_DIGITS = 16;

export function createSeenStores(): SeenStores {
  let keys = new BigUint64Array(1024);
  let count = 0;
  let sorted = true;
  return {
    add(storeId) {
      if (count === keys.length) {
        const grown = new BigUint64Array(keys.length * 2);
        grown.set(keys);
        keys = grown;
      }
      keys[count] = keyOf(storeId);
      count += 1;
      sorted = false;
    },
    has(storeId) {
      if (!sorted) keys.subarray(0, count).sort();
      sorted = true;
      return contains(keys, count, keyOf(storeId));
    },
  };
}

function keyOf(storeId: string): bigint {
  return BigInt(`0x${storeId.slice(0, HEX_DIGITS)}`);
}

function contains(keys: BigUint64Array, count: number, key: bigint): boolean {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0n) < key) low = middle + 1;
    else high = middle;
  }
  return low < count && keys[low] === key;
}
