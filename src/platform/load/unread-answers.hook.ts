import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerBounds, Http } from '../http/http.ts';
import { Refusal, retryAfter } from '../http/refusal.ts';
import { MIN_COUNTED_BYTES } from '../http/send-bytes.ts';
import { BytesInFlight } from './bytes-in-flight.ts';
import { NO_PEERS, type SharedCounters } from './shared-counters.ts';

/* Back-pressure against clients that stop reading: limits the bytes that wait in sockets, per client and in all. */

const MIB = 1024 * 1024;
/** Limits of the bytes of unread answers. */
const BOUNDS = { of: 'unread answers', maxBytes: 96 * MIB, maxBytesOfHolder: 16 * MIB };
/** At the limit, a response that has made no progress for this long is cut to make room. */
const STUCK_MS = 5000;
/** Minimum bytes a minute that a client must read of a response; a slower one is cut. */
const MIN_BYTES_PER_MINUTE = 256 * 1024;
const MINUTE_MS = 60_000;
/** A client that reads none of a small answer for this long is gone or hostile. */
const MAX_UNREAD_MS = 60_000;
const SWEEP_MS = 1000;
/** Bytes per piece of a large answer. Each piece sent shows that the client still reads. */
const PIECE_BYTES = 64 * 1024;
const LARGE_BYTES = 4 * PIECE_BYTES;
const RETRY_LATER = retryAfter(5);

type UnreadAnswer = {
  readonly holder: string;
  readonly bytes: number;
  readonly response: ServerResponse;
  /** Bytes that the client has read, and when it last read. */
  taken: number;
  movedAtMs: number;
  /** The bytes read at the start of the current minute. */
  takenBefore: number;
  minuteAtMs: number;
};

type Options = { nowMs(): number; peers?: SharedCounters; maxBytes?: number; maxBytesOfHolder?: number };

/** Limits the unread bytes of answers, and disconnects clients that stop reading. */
export class UnreadAnswers implements AnswerBounds {
  private readonly held = new Map<ServerResponse, UnreadAnswer>();
  private readonly bytes: BytesInFlight;
  private readonly nowMs: () => number;

  constructor({ nowMs, peers = NO_PEERS, ...bounds }: Options) {
    this.nowMs = nowMs;
    this.bytes = new BytesInFlight({ ...BOUNDS, ...bounds, peers });
  }

  total(): number {
    return this.bytes.total;
  }

  /** Returns the error of a response beyond a limit; undefined if it can be sent. Cuts stuck answers to make room. */
  refusalOf(holder: string, bytes: number): Refusal | undefined {
    this.makeRoom(holder, bytes);
    const exceeded = this.bytes.exceeded(holder, bytes);
    if (exceeded === undefined) return undefined;
    return exceeded === 'holder'
      ? new Refusal('rate_limited', 'Read the responses to your earlier requests first.', RETRY_LATER)
      : new Refusal('not_ready', 'Too many responses are waiting for their clients.', RETRY_LATER);
  }

  hold(holder: string, bytes: number, response: ServerResponse): void {
    if (response.writableFinished || response.destroyed || this.held.has(response)) return;
    const [atMs, taken] = [this.nowMs(), takenOf(response)];
    this.held.set(response, { holder, bytes, response, taken, movedAtMs: atMs, takenBefore: taken, minuteAtMs: atMs });
    this.bytes.add(holder, bytes);
    const release = () => this.release(response);
    response.once('finish', release).once('close', release);
  }

  /** Cuts answers that their clients do not read. */
  sweep(): void {
    const atMs = this.nowMs();
    this.noteTaken(atMs);
    for (const answer of [...this.held.values()]) {
      if (atMs - answer.minuteAtMs < MINUTE_MS) continue;
      if (answer.taken - answer.takenBefore < MIN_BYTES_PER_MINUTE) this.cut(answer);
      else Object.assign(answer, { takenBefore: answer.taken, minuteAtMs: atMs });
    }
  }

  private release(response: ServerResponse): void {
    const answer = this.held.get(response);
    if (!answer) return;
    this.held.delete(response);
    this.bytes.add(answer.holder, -answer.bytes);
  }

  private cut({ response }: UnreadAnswer): void {
    this.release(response);
    response.destroy();
  }

  private noteTaken(atMs: number): void {
    for (const answer of this.held.values()) {
      const taken = takenOf(answer.response);
      if (taken > answer.taken) Object.assign(answer, { taken, movedAtMs: atMs });
    }
  }

  /** Disconnects the longest-stuck responses: the holder's own at its limit, any at the overall limit. */
  private makeRoom(holder: string, bytes: number): void {
    if (this.bytes.exceeded(holder, bytes) === undefined) return;
    const atMs = this.nowMs();
    this.noteTaken(atMs);
    const stuck = [...this.held.values()].filter(({ movedAtMs }) => atMs - movedAtMs >= STUCK_MS);
    stuck.sort((a, b) => a.movedAtMs - b.movedAtMs);
    for (const bound of ['holder', 'all']) {
      for (const answer of stuck) {
        if (this.bytes.exceeded(holder, bytes) !== bound) break;
        if (bound === 'all' || answer.holder === holder) this.cut(answer);
      }
    }
  }
}

/**
 * Refuses a read whose response would exceed a limit. The response of a write is always sent, because the write is
 * committed. Runs before compression, because a compressed answer keeps its source in memory.
 */
export function boundUnreadAnswers(http: Http, options: Options): void {
  const unread = new UnreadAnswers(options);
  const sweeping = setInterval(() => unread.sweep(), SWEEP_MS).unref();
  http.decorate('unreadAnswers', unread);
  http.addHook('onClose', async () => clearInterval(sweeping));
  http.addHook('onSend', (request, reply, payload, done) => {
    const bytes = payloadSize(payload);
    if (bytes < MIN_COUNTED_BYTES) {
      limitReading(reply.raw);
      return done(null, payload);
    }
    const refusal = request.method === 'GET' ? unread.refusalOf(request.holder, bytes) : undefined;
    if (refusal) return done(refusal);
    unread.hold(request.holder, bytes, reply.raw);
    http.countAnswer(request, bytes);
    done(null, bytes < LARGE_BYTES ? payload : inPieces(request, reply, payload as string | Buffer));
  });
}

/**
 * Closes a connection whose small response makes no progress for a minute; the sweep cuts large ones. Node resets
 * its own timeout between requests. Injected requests have no socket.
 */
function limitReading({ socket }: ServerResponse): void {
  if (socket && 'setTimeout' in socket) socket.setTimeout(MAX_UNREAD_MS);
}

function payloadSize(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

function inPieces({ method }: FastifyRequest, reply: FastifyReply, payload: string | Buffer): unknown {
  if (method !== 'GET') return payload;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', bytes.length);
  return Readable.from(cutPieces(bytes), { objectMode: false });
}

/** Cuts the bytes into views of up to one piece each. */
function* cutPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}

const takenOf = ({ socket }: ServerResponse): number => (socket ? socket.bytesWritten - socket.writableLength : 0);
