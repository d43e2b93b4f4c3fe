import { LRUCache } from 'lru-cache';
import { lastUsed } from './last-used.ts';

/**
 * Numbers that the processes of one service tell each other, so that a bound counts for all of them together. No process
 * waits for another: each knows the numbers of its peers with a delay.
 */
export type PeerNumbers = {
  /** Sets this process's number of a name; 0 takes the name away. */
  tell(name: string, number: number, more?: TellOptions): void;
  /** The sum of what the peers have told. */
  ofPeers(name: string, nowMs?: number): PeerSum;
};

export type TellOptions = {
  /** The moment from which on the number counts no more, in milliseconds of the epoch; without it the number stays. */
  untilMs?: number;
  /** The peers hear of a number at once where it has changed by so much, and else within `HOLD_MS`. */
  step?: number;
};

/** `untilMs`: when the first of the numbers ends; Infinity where none ends. */
export type PeerSum = { sum: number; untilMs: number };

/** A name, its number, and the moment of its end or null. */
export type ToldNumber = readonly [name: string, number: number, untilMs: number | null];

/** The numbers of one process, and what it has heard of the others. */
export type ConnectedNumbers = PeerNumbers & {
  /** Takes in what a peer has told. */
  hear(peer: number, told: readonly ToldNumber[]): void;
  /** Forgets a peer that has ended. */
  forget(peer: number): void;
  /** Tells every number again: a peer is new. */
  tellAll(): void;
};

/** Small changes wait for so long, so that a busy process sends a few messages and not one for each request. */
const HOLD_MS = 50;
/** Names of one process. Beyond these the least recently told name is forgotten. */
const MAX_NAMES = 50_000;
const NO_PEER_HAS_IT: PeerSum = { sum: 0, untilMs: Infinity };

/** A process without peers. */
export const NO_PEERS: PeerNumbers = { tell: () => {}, ofPeers: () => NO_PEER_HAS_IT };

type Own = { number: number; untilMs: number | null; heard: number };

/** `send` brings numbers to every peer, in the sequence of the calls. */
export function createPeerNumbers(send: (told: ToldNumber[]) => void): ConnectedNumbers {
  const own = new LRUCache<string, Own>(lastUsed(MAX_NAMES));
  const peers = new Map<number, LRUCache<string, ToldNumber>>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const told: ToldNumber[] = [];
    for (const name of waiting) {
      const { number, untilMs } = own.peek(name) ?? { number: 0, untilMs: null };
      told.push([name, number, untilMs]);
      const kept = own.peek(name);
      if (kept) kept.heard = number;
      if (number === 0) own.delete(name);
    }
    waiting.clear();
    if (told.length > 0) send(told);
  }

  return {
    tell(name, number, { untilMs, step = Infinity } = {}) {
      const known = own.get(name);
      const heard = known?.untilMs === (untilMs ?? null) ? known.heard : 0;
      own.set(name, { number, untilMs: untilMs ?? null, heard });
      waiting.add(name);
      if (Math.abs(number - heard) >= step) flush();
      else timer ??= setTimeout(flush, HOLD_MS).unref();
    },
    ofPeers(name, nowMs = 0) {
      let [sum, untilMs] = [0, Infinity];
      for (const told of peers.values()) {
        const [, number, end] = told.get(name) ?? [name, 0, null];
        if (end !== null && end <= nowMs) continue;
        sum += number;
        if (end !== null && end < untilMs) untilMs = end;
      }
      return sum === 0 ? NO_PEER_HAS_IT : { sum, untilMs };
    },
    hear(peer, told) {
      const known = peers.get(peer) ?? new LRUCache<string, ToldNumber>(lastUsed(MAX_NAMES));
      peers.set(peer, known);
      for (const each of told) {
        if (each[1] === 0) known.delete(each[0]);
        else known.set(each[0], each);
      }
    },
    forget: (peer) => void peers.delete(peer),
    tellAll() {
      for (const name of own.keys()) waiting.add(name);
      flush();
    },
  };
}
