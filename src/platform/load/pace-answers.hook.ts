import { lruOptions } from 'doorstep/collections';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { endpointOf } from '../http/endpoint-of.ts';
import type { Http } from '../http/http.ts';
import { Refusal, retryAfter } from '../http/refusal.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { NO_PEERS, type SharedCounters } from './shared-counters.ts';

/**
 * Paces a holder's large answers beyond a burst. The unit is bytes, because their cost (compression, garbage, kernel
 * copies) escapes the scheduler. Only requests to routes with large answers wait (docs/limits.md#rate-limits).
 */

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Reserves the bytes that a read is expected to send, and returns the milliseconds that it must wait first. Throws
     * 429 `rate_limited` if that is too long.
     */
    waitOfRead(request: FastifyRequest): number;
  }
  interface FastifyRequest {
    /** Bytes reserved of the holder's rate. */
    reservedBytes: number;
  }
}

const KIB = 1024;
/** Minimum size of a large answer; smaller ones are bounded by the request limit. */
export const LARGE_BYTES = 64 * KIB;
/** Bytes of large answers that each request of RATE_LIMIT_PER_MINUTE allows a key, session or client address. */
export const BYTES_PER_REQUEST = 128 * KIB;
const MIN_PER_SECOND = 10;
/** Milliseconds' worth of the rate that may be read at once after a pause. */
export const BURST_MS = 2000;
/** Maximum wait; a longer one is refused. */
export const MAX_WAIT_MS = 10_000;
/** Maximum tracked holders; the least recently used is evicted. */
const MAX_HOLDERS = 10_000;
const MAX_ROUTES = 64;
/** How long peers keep an idle holder's bytes. */
const IDLE_HOLDER_RETENTION_MS = 60_000;
/** Assumed number of visitors behind an address that may be a proxy missing in TRUST_PROXY. */
const SHARED_ADDRESS_VISITORS = 4;
/**
 * Factor for pages of orders and events, which are read, parsed and written per caller: a byte costs 60 ns of processor
 * before compression; a byte of a store list costs 2.
 */
export const PAGE_WEIGHT = 8;
/** Maximum concurrent and waiting reads of large pages; each may take some megabytes of memory. */
const PAGE_LIMITS = { maxRunning: 6, maxRunningOfOwner: 1, maxWaiting: 800 };

/** A holder's request; `route` is the pattern of its path. */
export type Read = { holder: string; route: string; nowMs: number };

/** Milliseconds that a request waits, and bytes that it reserves. A refused wait reserves nothing. */
export type Entry = { waitMs: number; reserved: number };

type Reader = {
  /** When the holder's next large answer is due at an even rate. */
  dueMs: number;
  /** Expected bytes of each route that has sent a large answer. */
  readonly expected: LRUCache<string, number>;
  /** Bytes spent here, and the last known sum of the peers. */
  spent: number;
  spentByPeers: number;
};

/**
 * Limits the rate of large answers, in bytes, per holder (a key, session or client address) over all workers of the
 * node. Each request that `perMinute` (RATE_LIMIT_PER_MINUTE) allows is worth BYTES_PER_REQUEST.
 */
export class AnswerPace {
  private readonly readers = new LRUCache<string, Reader>(lruOptions(MAX_HOLDERS));
  private readonly bytesOfMs: number;
  private readonly peers: SharedCounters;

  constructor(perMinute: number, peers: SharedCounters = NO_PEERS) {
    this.bytesOfMs = (Math.max(MIN_PER_SECOND, perMinute / 60) * BYTES_PER_REQUEST) / 1000;
    this.peers = peers;
  }

  enter(read: Read): Entry {
    const { holder, route, nowMs } = read;
    const reader = this.readers.get(holder);
    const reserved = reader?.expected.get(route);
    if (reader === undefined || reserved === undefined) return { waitMs: 0, reserved: 0 };
    this.addPeers(reader, read);
    const waitMs = Math.max(0, reader.dueMs - nowMs);
    if (waitMs > MAX_WAIT_MS) return { waitMs, reserved: 0 };
    this.spend(reader, read, reserved);
    return { waitMs, reserved };
  }

  /** Replaces a response's reservation by its actual bytes. */
  count(read: Read, sent: number, reserved: number): void {
    const { holder, route } = read;
    // A response of any size only delays the next one; it never causes an error.
    const bytes = Math.min(sent, this.bytesOfMs * (BURST_MS + MAX_WAIT_MS));
    const reader = this.readers.get(holder) ?? this.newReader(holder);
    if (bytes >= LARGE_BYTES) reader.expected.set(route, bytes);
    else if (reserved > 0) reader.expected.set(route, Math.max(1, Math.floor(reserved / 2)));
    else return;
    this.readers.set(holder, reader);
    this.spend(reader, read, bytes - reserved);
  }

  private newReader(holder: string): Reader {
    const { sum: spentByPeers } = this.peers.ofPeers(readRateName(holder));
    return { dueMs: -Infinity, expected: new LRUCache({ max: MAX_ROUTES }), spent: 0, spentByPeers };
  }

  private pay(reader: Reader, nowMs: number, bytes: number): void {
    reader.dueMs = Math.max(reader.dueMs, nowMs - BURST_MS) + bytes / this.bytesOfMs;
  }

  private spend(reader: Reader, { holder, nowMs }: Read, bytes: number): void {
    this.pay(reader, nowMs, bytes);
    reader.spent += bytes;
    this.peers.set(readRateName(holder), reader.spent, nowMs + IDLE_HOLDER_RETENTION_MS);
  }

  /** Adds the bytes of peers. A peer that has ended or evicted the holder reports none, so up to a burst is lost. */
  private addPeers(reader: Reader, { holder, nowMs }: Read): void {
    const { sum } = this.peers.ofPeers(readRateName(holder));
    if (sum !== reader.spentByPeers) this.pay(reader, nowMs, sum - reader.spentByPeers);
    reader.spentByPeers = sum;
  }
}

const readRateName = (holder: string): string => `bytes read by ${holder}`;

/**
 * Delays reads of a key, session or client with many large answers. Runs after request counting. `perMinute` is
 * RATE_LIMIT_PER_MINUTE; 0 disables the delays.
 */
export function paceAnswers(http: Http, perMinute: number, peers: SharedCounters = NO_PEERS): void {
  http.decorateRequest('reservedBytes', 0);
  if (perMinute === 0) {
    http.decorate('countAnswer', () => {});
    http.decorate('waitOfRead', () => 0);
    return;
  }
  const pace = new AnswerPace(perMinute, peers);
  http.decorate('countAnswer', (request, bytes) => {
    if (bytes >= LARGE_BYTES && request.method === 'GET' && !isProxy(request)) countBytes(pace, request, bytes);
  });
  http.decorate('waitOfRead', (request) => {
    if (request.method !== 'GET' || request.reservedBytes > 0 || isProxy(request)) return 0;
    const { waitMs, reserved } = pace.enter(readOf(request));
    if (waitMs > MAX_WAIT_MS) throw tooManyBytes(waitMs);
    request.reservedBytes = reserved;
    return waitMs;
  });
  http.addHook('preParsing', (request, _reply, _payload, done) => {
    let waitMs: number;
    try {
      waitMs = http.waitOfRead(request);
    } catch (refusal) {
      return done(refusal as Refusal);
    }
    if (waitMs === 0) done();
    else setTimeout(done, waitMs);
  });
  // Runs also if the response was small after all, or the client disconnected.
  http.addHook('onResponse', (request, _reply, done) => {
    if (request.reservedBytes > 0) countBytes(pace, request, 0);
    done();
  });
}

function countBytes(pace: AnswerPace, request: FastifyRequest, bytes: number): void {
  const visitors =
    request.holder === request.client.name && request.client.kind === 'shared' ? SHARED_ADDRESS_VISITORS : 1;
  const weight = endpointOf(request).config.paceWeight ?? 1;
  pace.count(readOf(request), (bytes * weight) / visitors, request.reservedBytes);
  request.reservedBytes = 0;
}

function readOf(request: FastifyRequest): Read {
  return { holder: request.holder, route: endpointOf(request).url ?? '', nowMs: performance.now() };
}

/** Whether the holder is a declared proxy that names no client; it may stand for any number of visitors. */
const isProxy = ({ holder, client }: FastifyRequest): boolean => client.kind === 'proxy' && holder === client.name;

function tooManyBytes(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal('rate_limited', `Too many large responses. Try again in ${seconds} s.`, retryAfter(seconds));
}

/** Reads a large page when its owner is scheduled. */
export type ReadLargePage = <Page>(request: FastifyRequest, owner: string, read: () => Promise<Page>) => Promise<Page>;

/**
 * Limits large pages to one read at a time per owner. Requests that arrived before a page's size was known wait here.
 * `pages` names them in the 429 `rate_limited` if the queue is full.
 */
export function limitLargePages(pages: string, maxWaitingOfOwner: number): ReadLargePage {
  const refusal = () =>
    new Refusal('rate_limited', `Too many of this account's ${pages} are being read. Try again later.`, retryAfter(1));
  const limiter = new ConcurrencyLimiter({ ...PAGE_LIMITS, maxWaitingOfOwner, refusal });
  return async (request, owner, read) => {
    for (;;) {
      const turn = await limiter.run(owner, async () => {
        const waitMs = request.server.waitOfRead(request);
        return waitMs > 0 ? { waitMs } : { page: await read() };
      });
      if ('page' in turn) return turn.page;
      await new Promise((resolve) => setTimeout(resolve, turn.waitMs));
    }
  };
}
