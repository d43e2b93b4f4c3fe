import { LRUCache } from 'lru-cache';
import { lastUsed } from '../lib/last-used.ts';
import type { PeerNumbers } from '../lib/peer-numbers.ts';

const WINDOW_MS = 60_000;
/** Peers hear of the requests of a bucket after each hundredth of its limit. */
const STEPS = 100;

/** Requests until a moment; the window of a bucket begins with its first request. */
type Bucket = { count: number; untilMs: number };

/** The requests in the window of a bucket, the counted one included, and how long the window lasts. */
export type CountedRequest = { count: number; leftMs: number };

export type BucketOptions = {
  /** Tells these buckets from those of another limit. */
  scope: string;
  limit: number;
  /** Beyond these the least recently used bucket is forgotten. */
  maxBuckets: number;
  nowMs(): number;
  peers: PeerNumbers;
};

/**
 * Counts requests of a name within a minute, at this process and its peers: the window begins with the first request at
 * any of them. What a process does not know yet of its peers is all that a name gets beyond its limit: a hundredth of the
 * limit for each peer, or what comes to the peers in a twentieth of a second (docs/operating.md#workers).
 */
export function createRateBuckets({ scope, limit, maxBuckets, nowMs, peers }: BucketOptions) {
  const buckets = new LRUCache<string, Bucket>(lastUsed(maxBuckets));
  const step = Math.max(1, Math.floor(limit / STEPS));
  return (name: string): CountedRequest => {
    const atMs = nowMs();
    const told = `${scope} ${name}`;
    const ofPeers = peers.ofPeers(told, atMs);
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = { count: 0, untilMs: 0 };
      buckets.set(name, bucket);
    }
    // A clock that was set back must not make a window longer.
    const isOver = bucket.untilMs <= atMs || bucket.untilMs > atMs + WINDOW_MS;
    if (isOver) Object.assign(bucket, { count: 0, untilMs: Math.min(ofPeers.untilMs, atMs + WINDOW_MS) });
    bucket.count += 1;
    // Beyond the limit there is no more to tell: a flood must not become a flood of messages.
    if (bucket.count <= limit + step) peers.tell(told, bucket.count, { untilMs: bucket.untilMs, step });
    return { count: bucket.count + ofPeers.sum, leftMs: Math.min(bucket.untilMs, ofPeers.untilMs) - atMs };
  };
}
