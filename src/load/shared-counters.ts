import { randomInt } from 'node:crypto';

/**
 * Counters that the workers of one node share, so that a limit counts for all of them together: each worker has a count
 * of its own for a name, and reads the sum of the others'.
 */
export type SharedCounters = {
  /** Sets this worker's count of a name. The count expires at `untilMs` of the caller's clock; without it the count stays. */
  set(name: string, count: number, untilMs?: number): void;
  /** The sum of the peers' counts that have not expired at `nowMs`. */
  ofPeers(name: string, nowMs?: number): PeerSum;
};

/** `untilMs`: when the first of the counts expires; Infinity where none does. */
export type PeerSum = { sum: number; untilMs: number };

const NO_PEER_HAS_IT: PeerSum = { sum: 0, untilMs: Infinity };

/** Of a service that runs alone. */
export const NO_PEERS: SharedCounters = { set: () => {}, ofPeers: () => NO_PEER_HAS_IT };

/** Names that look alike to the table share a bucket of rows; a name beyond them takes the row that is worth least. */
const BUCKETS = 8192;
const ROWS = 8;
/** A worker that is ended within the few instructions of a claim leaves its lock behind: nobody waits for longer. */
const MAX_WAIT_MS = 100;

/**
 * A table in memory that the workers share, of a fixed size: a row has the hash of a name, and for each worker a count and
 * the moment at which it expires. Each worker writes its own count alone, so that only the claim of a row has a lock. A
 * count is an aligned double, which processors read and write whole.
 */
export class CounterTable implements SharedCounters {
  private readonly own: number;
  private readonly workers: number;
  private readonly seed: number;
  private readonly locks: Int32Array;
  private readonly cells: Float64Array;

  /** Memory for so many workers. Hashes differ from run to run, so that nobody can choose names that collide. */
  static allocate(workers: number): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(8 + 4 * BUCKETS + 8 * BUCKETS * ROWS * widthFor(workers));
    new Uint32Array(memory, 0, 1)[0] = randomInt(2 ** 32);
    return memory;
  }

  /** `own` is the number of this worker, from 1 to `workers`. */
  constructor(memory: SharedArrayBuffer, own: number, workers: number) {
    this.own = own;
    this.workers = workers;
    this.seed = new Uint32Array(memory, 0, 1)[0] as number;
    this.locks = new Int32Array(memory, 8, BUCKETS);
    this.cells = new Float64Array(memory, 8 + 4 * BUCKETS);
  }

  set(name: string, count: number, untilMs = Infinity): void {
    const hash = hashOf(name, this.seed);
    const row = this.find(hash);
    if (row !== undefined) this.write(row, count, untilMs);
    else if (count !== 0) this.claim(hash, count, untilMs);
  }

  ofPeers(name: string, nowMs = 0): PeerSum {
    const row = this.find(hashOf(name, this.seed));
    if (row === undefined) return NO_PEER_HAS_IT;
    let [sum, untilMs] = [0, Infinity];
    for (let worker = 1; worker <= this.workers; worker += 1) {
      const count = this.cells[row + 2 * worker - 1] as number;
      const endMs = this.cells[row + 2 * worker] as number;
      if (worker === this.own || count === 0 || endMs <= nowMs) continue;
      sum += count;
      if (endMs < untilMs) untilMs = endMs;
    }
    return sum === 0 ? NO_PEER_HAS_IT : { sum, untilMs };
  }

  /** Takes back what a worker has counted that has ended. */
  forget(worker: number): void {
    const width = widthFor(this.workers);
    for (let at = 2 * worker - 1; at < this.cells.length; at += width) if (this.cells[at] !== 0) this.cells[at] = 0;
  }

  private find(hash: number): number | undefined {
    const width = widthFor(this.workers);
    let row = (hash % BUCKETS) * ROWS * width;
    for (let nth = 0; nth < ROWS; nth += 1, row += width) if (this.cells[row] === hash) return row;
    return undefined;
  }

  private write(row: number, count: number, untilMs: number): void {
    this.cells[row + 2 * this.own] = untilMs;
    this.cells[row + 2 * this.own - 1] = count;
  }

  /** Writes the count into a row without one, else into the row that expires first. */
  private claim(hash: number, count: number, untilMs: number): void {
    const bucket = hash % BUCKETS;
    while (Atomics.exchange(this.locks, bucket, 1) !== 0) {
      if (Atomics.wait(this.locks, bucket, 1, MAX_WAIT_MS) === 'timed-out') break;
    }
    const known = this.find(hash);
    const row = known ?? this.leastOf(bucket);
    if (known === undefined) {
      this.cells.fill(0, row, row + widthFor(this.workers));
      this.cells[row] = hash;
    }
    this.write(row, count, untilMs);
    Atomics.store(this.locks, bucket, 0);
    Atomics.notify(this.locks, bucket);
  }

  private leastOf(bucket: number): number {
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
}

/** Doubles of a row: the hash, and a count and its end for each worker. */
function widthFor(workers: number): number {
  return 1 + 2 * workers;
}

/** A hash of 53 bits, never 0: two streams of multiplications, as Bryc's cyrb53 has them. */
function hashOf(name: string, seed: number): number {
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
