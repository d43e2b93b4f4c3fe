import { LRUCache } from 'lru-cache';

/**
 * Counters that the worker processes of one node share, so that a limit counts for all of them together. No process waits
 * for another: each learns the counts of its peers with a delay of 50 ms, or at once after a large step.
 */
export type SharedCounters = {
  /** Sets this process's count of a name; 0 removes the name. */
  set(name: string, count: number, options?: SetOptions): void;
  /** The sum of the peers' counts. */
  ofPeers(name: string, nowMs?: number): PeerSum;
};

export type SetOptions = {
  /** The count expires then, in milliseconds of the epoch; without it the count stays. */
  untilMs?: number;
  /** A change of so much is sent at once, and a smaller one within 50 ms. */
  step?: number;
};

/** `untilMs`: when the first of the counts expires; Infinity where none does. */
export type PeerSum = { sum: number; untilMs: number };

/** A name, its count, and when the count expires, or null. */
export type SentCount = readonly [name: string, count: number, untilMs: number | null];

/** Small changes wait for so long, so that a busy process sends a few messages and not one for each request. */
const DELAY_MS = 50;
/** Names of one process. Beyond these the least recently set name is forgotten. */
const MAX_NAMES = 50_000;
const NO_PEER_HAS_IT: PeerSum = { sum: 0, untilMs: Infinity };

/** Of a process without peers. */
export const NO_PEERS: SharedCounters = { set: () => {}, ofPeers: () => NO_PEER_HAS_IT };

type OwnCount = { count: number; untilMs: number | null; sent: number };

/** The counters of one process among several. */
export class PeerCounters implements SharedCounters {
  private readonly own = new LRUCache<string, OwnCount>({ max: MAX_NAMES });
  private readonly peers = new Map<number, LRUCache<string, SentCount>>();
  private readonly unsent = new Set<string>();
  private readonly send: (counts: SentCount[]) => void;
  private timer: NodeJS.Timeout | undefined;

  /** `send` brings counts to every peer, in the sequence of the calls. */
  constructor(send: (counts: SentCount[]) => void) {
    this.send = send;
  }

  set(name: string, count: number, { untilMs, step = Infinity }: SetOptions = {}): void {
    const known = this.own.get(name);
    const sent = known?.untilMs === (untilMs ?? null) ? known.sent : 0;
    this.own.set(name, { count, untilMs: untilMs ?? null, sent });
    this.unsent.add(name);
    if (Math.abs(count - sent) >= step) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), DELAY_MS).unref();
  }

  ofPeers(name: string, nowMs = 0): PeerSum {
    let [sum, untilMs] = [0, Infinity];
    for (const counts of this.peers.values()) {
      const [, count, end] = counts.get(name) ?? [name, 0, null];
      if (end !== null && end <= nowMs) continue;
      sum += count;
      if (end !== null && end < untilMs) untilMs = end;
    }
    return sum === 0 ? NO_PEER_HAS_IT : { sum, untilMs };
  }

  receive(peer: number, counts: readonly SentCount[]): void {
    const known = this.peers.get(peer) ?? new LRUCache<string, SentCount>({ max: MAX_NAMES });
    this.peers.set(peer, known);
    for (const each of counts) {
      if (each[1] === 0) known.delete(each[0]);
      else known.set(each[0], each);
    }
  }

  /** Forgets a peer that has ended. */
  forget(peer: number): void {
    this.peers.delete(peer);
  }

  /** Sends every count again: a peer is new. */
  sendAll(): void {
    for (const name of this.own.keys()) this.unsent.add(name);
    this.flush();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts: SentCount[] = [];
    for (const name of this.unsent) {
      const known = this.own.peek(name);
      counts.push([name, known?.count ?? 0, known?.untilMs ?? null]);
      if (known) known.sent = known.count;
      if (known?.count === 0) this.own.delete(name);
    }
    this.unsent.clear();
    if (counts.length > 0) this.send(counts);
  }
}
