import { LRUCache } from 'lru-cache';
import { lastUsed } from '../../lib/last-used.ts';
import { NO_PEERS, type PeerNumbers } from '../../lib/peer-numbers.ts';

const KIB = 1024;
/** Smaller answers are not counted: the limit of requests bounds them. */
export const LARGE_BYTES = 64 * KIB;
/** Bytes of large answers that a holder may read for each request of RATE_LIMIT_PER_MINUTE. */
export const BYTES_OF_A_REQUEST = 128 * KIB;
const MIN_PER_SECOND = 10;
/** What a holder may read at once after a pause: the bytes of so many seconds. */
export const BURST_MS = 2000;
/** A request that would wait longer is refused. */
export const MAX_WAIT_MS = 10_000;
/** The least recently used is forgotten first. */
const MAX_HOLDERS = 10_000;
const MAX_ROUTES = 64;
/** The peers hear at once of the bytes of so many milliseconds. */
const STEP_MS = 100;

/** A request of a holder; `route` is the pattern of its path. */
export type Read = { holder: string; route: string; nowMs: number };

/** How long a request waits, in milliseconds, and how many bytes it reserves. A wait beyond the bound reserves nothing. */
export type Entry = { waitMs: number; reserved: number };

export type AnswerPace = {
  enter(read: Read): Entry;
  /** Counts the bytes of an answer in place of those that its request has reserved. */
  count(read: Read, bytes: number, reserved: number): void;
};

type Reader = {
  /** When the holder's next large answer would be due if the bytes came evenly. */
  dueMs: number;
  /** Bytes that are expected of each route that has had a large answer. */
  expected: LRUCache<string, number>;
  /** Bytes that were spent here in all, and the sum of what the peers had told of theirs at the last look. */
  spent: number;
  heard: number;
};

/**
 * Large answers of a holder beyond a burst come at an even pace, counted in bytes: what they cost (compression, garbage,
 * the copies of the kernel) takes no turns. A request waits where its route has had a large answer for the holder; every
 * other request of the holder goes on. `perMinute` is RATE_LIMIT_PER_MINUTE. What peers send to the holder counts too.
 */
export function createAnswerPace(perMinute: number, peers: PeerNumbers = NO_PEERS): AnswerPace {
  const bytesOfMs = (Math.max(MIN_PER_SECOND, perMinute / 60) * BYTES_OF_A_REQUEST) / 1000;
  const readers = new LRUCache<string, Reader>(lastUsed(MAX_HOLDERS));

  function pay(reader: Reader, nowMs: number, bytes: number): void {
    reader.dueMs = Math.max(reader.dueMs, nowMs - BURST_MS) + bytes / bytesOfMs;
  }

  function spend(reader: Reader, { holder, nowMs }: Read, bytes: number): void {
    pay(reader, nowMs, bytes);
    reader.spent += bytes;
    peers.tell(nameOf(holder), reader.spent, { step: STEP_MS * bytesOfMs });
  }

  /** A peer that has ended, or has forgotten the holder, gives back what the peer had told: a burst at most. */
  function hearPeers(reader: Reader, { holder, nowMs }: Read): void {
    const { sum } = peers.ofPeers(nameOf(holder));
    if (sum !== reader.heard) pay(reader, nowMs, sum - reader.heard);
    reader.heard = sum;
  }

  function newReader({ holder }: Read): Reader {
    const { sum: heard } = peers.ofPeers(nameOf(holder));
    return { dueMs: -Infinity, expected: new LRUCache({ max: MAX_ROUTES }), spent: 0, heard };
  }

  return {
    enter(read) {
      const { holder, route, nowMs } = read;
      const reader = readers.get(holder);
      const reserved = reader?.expected.get(route);
      if (reader === undefined || reserved === undefined) return { waitMs: 0, reserved: 0 };
      hearPeers(reader, read);
      const waitMs = Math.max(0, reader.dueMs - nowMs);
      if (waitMs > MAX_WAIT_MS) return { waitMs, reserved: 0 };
      spend(reader, read, reserved);
      return { waitMs, reserved };
    },
    count(read, sent, reserved) {
      const { holder, route } = read;
      // After one answer of any size the next one waits, and is not refused.
      const bytes = Math.min(sent, bytesOfMs * (BURST_MS + MAX_WAIT_MS));
      const reader = readers.get(holder) ?? newReader(read);
      if (bytes >= LARGE_BYTES) reader.expected.set(route, bytes);
      else if (reserved > 0) reader.expected.set(route, Math.max(1, Math.floor(reserved / 2)));
      else return;
      readers.set(holder, reader);
      spend(reader, read, bytes - reserved);
    },
  };
}

function nameOf(holder: string): string {
  return `bytes read by ${holder}`;
}
