/**
 * A map from text to number as many small maps: a single Map of a million keys blocks the event loop for a tenth of a
 * second each time it grows, a small map for a millisecond.
 */
export type ShardedMap = {
  get(key: string): number | undefined;
  set(key: string, value: number): void;
  delete(key: string): void;
  readonly size: number;
};

const SHARDS = 256;

export function createShardedMap(): ShardedMap {
  const shards = Array.from({ length: SHARDS }, () => new Map<string, number>());
  let size = 0;
  const shardOf = (key: string): Map<string, number> => shards[spread(key)] as Map<string, number>;

  return {
    get: (key) => shardOf(key).get(key),
    set(key, value) {
      const shard = shardOf(key);
      const before = shard.size;
      shard.set(key, value);
      size += shard.size - before;
    },
    delete(key) {
      if (shardOf(key).delete(key)) size -= 1;
    },
    get size() {
      return size;
    },
  };
}

/** Hashes the end of a key: keys often begin alike. */
function spread(key: string): number {
  let hash = key.length;
  for (let i = Math.max(0, key.length - 8); i < key.length; i += 1) {
    hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
  }
  return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SHARDS - 1);
}
