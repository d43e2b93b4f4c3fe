import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NO_PEERS, type PeerNumbers } from '../lib/peer-numbers.ts';
import type { Http } from './http.ts';
import { COUNTED_BYTES, createUnreadAnswers, type UnreadAnswers } from './unread-answers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    unreadAnswers: UnreadAnswers;
  }
}

const SWEEP_MS = 1000;
/** A large answer is written in pieces: each piece that leaves tells that the client reads. */
export const PIECE_BYTES = 64 * 1024;
const LARGE_BYTES = 4 * PIECE_BYTES;
/** Headers of an answer that a refusal in its place does not have. */
const OF_THE_ANSWER = ['etag', 'cache-control', 'content-length', 'content-encoding'];

/**
 * Bounds the bytes of answers that wait for their clients. A read beyond a bound is refused in place of its answer; the
 * answer of a change is always sent, because the change is made. The hook comes before compression: a compressed answer
 * holds its source.
 */
export function holdAnswers(http: Http, nowMs: () => number, peers: PeerNumbers = NO_PEERS): void {
  const unread = createUnreadAnswers({ nowMs, peers });
  const sweeping = setInterval(unread.sweep, SWEEP_MS).unref();
  http.decorate('unreadAnswers', unread);
  http.addHook('onClose', async () => clearInterval(sweeping));
  http.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes < COUNTED_BYTES) return done(null, payload);
    const refusal = request.method === 'GET' ? unread.refusalOf(request.holder, bytes) : undefined;
    if (refusal) {
      for (const name of OF_THE_ANSWER) reply.removeHeader(name);
      return done(refusal);
    }
    unread.hold(request.holder, bytes, reply.raw);
    http.countAnswer(request, bytes);
    done(null, bytes < LARGE_BYTES ? payload : inPieces(request, reply, payload as string | Buffer));
  });
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

function inPieces({ method }: FastifyRequest, reply: FastifyReply, payload: string | Buffer): unknown {
  if (method !== 'GET') return payload;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', bytes.length);
  return Readable.from(piecesOf(bytes), { objectMode: false });
}

/** Views of the bytes, none longer than a piece. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
