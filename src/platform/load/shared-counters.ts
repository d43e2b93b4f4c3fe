import { randomInt } from 'node:crypto';

/**
 * Counters shared by a node's workers, so that a limit counts for all of them. Each worker sets its own count per name
 * and reads the sum of the others.
 */
export type SharedCounters = {
  /** Sets this worker's count of a name. It expires at `untilMs` of the caller's clock, or never. */
  set(name: string, count: number, untilMs?: number): void;
  /** Returns the sum of the peers' counts that have not expired at `nowMs`. */
  ofPeers(name: string, nowMs?: number): PeerSum;
};

/** `untilMs` is when the first of the counts expires; Infinity for never. */
export type PeerSum = { sum: number; untilMs: number };

const NO_PEER_COUNT: PeerSum = { sum: 0, untilMs: Infinity };

/** Stands in for peers in a service with a single worker. */
export const NO_PEERS: SharedCounters = { set: () => {}, ofPeers: () => NO_PEER_COUNT };

/**
 * Number of buckets. Names whose hashes share a bucket share its rows; in a full bucket a new name replaces the row
 * that expires first.
 */
const BUCKETS = 8192;
const ROWS = 8;
/** State of a lock that no worker holds. A held lock is its worker's number, plus `CONTENDED` if another waits. */
const FREE = 0;
const CONTENDED = 2 ** 30;

/**
 * A fixed-size hash table in memory shared by workers. A row contains a name's hash, and each worker's count and
 * expiry. Writes lock their bucket, because any worker may evict; reads take no lock, because aligned doubles are
 * atomic.
 */
export class CounterTable implements SharedCounters {
  private readonly own: number;
  private readonly workers: number;
  private readonly seed: number;
  private readonly buckets: number;
  private readonly locks: Int32Array;
  private readonly cells: Float64Array;
  private readonly claimsAt: number;

  /** Allocates shared memory for this many workers. The hash seed differs per run, so no one can choose collisions. */
  static allocate(workers: number, buckets = BUCKETS): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(8 + buckets * bytesOfBucket(workers));
    new Uint32Array(memory, 0, 1)[0] = randomInt(2 ** 32);
    return memory;
  }

  /** `own` is this worker's number, from 1 to `workers`. */
  constructor(memory: SharedArrayBuffer, own: number, workers: number) {
    this.own = own;
    this.workers = workers;
    this.seed = new Uint32Array(memory, 0, 1)[0] as number;
    this.buckets = (memory.byteLength - 8) / bytesOfBucket(workers);
    this.locks = new Int32Array(memory, 8, this.buckets);
    this.cells = new Float64Array(memory, 8 + 4 * this.buckets);
    this.claimsAt = widthFor(workers) - 1;
  }

  set(name: string, count: number, untilMs = Infinity): void {
    const hash = hashName(name, this.seed);
    if (count === 0 && this.find(hash) === undefined) return;
    const bucket = hash % this.buckets;
    this.lock(bucket);
    // Another worker may have evicted the row while this one waited for the lock.
    const row = this.find(hash) ?? (count === 0 ? undefined : this.claim(hash, bucket));
    if (row !== undefined) {
      this.cells[row + 2 * this.own] = untilMs;
      this.cells[row + 2 * this.own - 1] = count;
    }
    this.unlock(bucket);
  }

  ofPeers(name: string, nowMs = 0): PeerSum {
    const hash = hashName(name, this.seed);
    const row = this.find(hash);
    if (row === undefined) return NO_PEER_COUNT;
    const claims = this.cells[row + this.claimsAt];
    let [sum, untilMs] = [0, Infinity];
    for (let worker = 1; worker <= this.workers; worker += 1) {
      const count = this.cells[row + 2 * worker - 1] as number;
      const endMs = this.cells[row + 2 * worker] as number;
      if (worker === this.own || count === 0 || endMs <= nowMs) continue;
      sum += count;
      if (endMs < untilMs) untilMs = endMs;
    }
    // Meanwhile another name may have had the row, and this one again.
    const isSame = this.cells[row] === hash && this.cells[row + this.claimsAt] === claims;
    return sum === 0 || !isSame ? NO_PEER_COUNT : { sum, untilMs };
  }

  /** Removes the counts of a worker that has ended, and releases the lock it held when it was killed. */
  forget(worker: number): void {
    for (let bucket = 0; bucket < this.buckets; bucket += 1) {
      if (((this.locks[bucket] as number) & ~CONTENDED) === worker) this.unlock(bucket);
    }
    const width = widthFor(this.workers);
    for (let at = 2 * worker - 1; at < this.cells.length; at += width) if (this.cells[at] !== 0) this.cells[at] = 0;
  }

  private find(hash: number): number | undefined {
    const width = widthFor(this.workers);
    let row = (hash % this.buckets) * ROWS * width;
    for (let nth = 0; nth < ROWS; nth += 1, row += width) if (this.cells[row] === hash) return row;
    return undefined;
  }

  /** Returns a row for the name: a free one, or the first to expire. */
  private claim(hash: number, bucket: number): number {
    const row = this.oldestRow(bucket);
    this.cells[row + this.claimsAt] = (this.cells[row + this.claimsAt] as number) + 1;
    this.cells.fill(0, row, row + this.claimsAt);
    this.cells[row] = hash;
    return row;
  }

  private oldestRow(bucket: number): number {
    const width = widthFor(this.workers);
    let [least, leastMs] = [bucket * ROWS * width, Infinity];
    for (let nth = 0, row = least; nth < ROWS; nth += 1, row += width) {
      let lastMs = 0;
      for (let worker = 1; worker <= this.workers; worker += 1) {
        if (this.cells[row + 2 * worker - 1] === 0) continue;
        lastMs = Math.max(lastMs, this.cells[row + 2 * worker] as number);
      }
      if (lastMs < leastMs) [least, leastMs] = [row, lastMs];
    }
    return least;
  }

  private lock(bucket: number): void {
    let held = Atomics.compareExchange(this.locks, bucket, FREE, this.own);
    while (held !== FREE) {
      const contended = held | CONTENDED;
      if (Atomics.compareExchange(this.locks, bucket, held, contended) === held) {
        Atomics.wait(this.locks, bucket, contended);
      }
      // Others may wait as well.
      held = Atomics.compareExchange(this.locks, bucket, FREE, this.own | CONTENDED);
    }
  }

  private unlock(bucket: number): void {
    if (Atomics.exchange(this.locks, bucket, FREE) & CONTENDED) Atomics.notify(this.locks, bucket, 1);
  }
}

const bytesOfBucket = (workers: number): number => 4 + 8 * ROWS * widthFor(workers);

/** Doubles per row: the hash, a count and expiry per worker, and how often a name has claimed the row. */
const widthFor = (workers: number): number => 2 + 2 * workers;

/** Returns a 53-bit hash, never 0: two streams of multiplications, as in Bryc's cyrb53. */
function hashName(name: string, seed: number): number {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0) || 1;
}
