import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Http } from '../http/http.ts';
import { isSendingBody } from '../http/raw-body.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Milliseconds from the request to a response that did not wait for the body. */
    sentAfterMs: number | undefined;
  }
}

/**
 * Reads unneeded bodies slowly, because they cost as much as many requests: a few connections per tick, 64 KiB each, 5
 * MiB a second in all.
 */
const TICK_MS = 50;
const READS_PER_TICK = 4;
const MAX_LINGER_MS = 5000;
/** A client silent for this long has read its response, or never will. */
const MAX_SILENCE_MS = 1000;
/** Maximum lingering connections per process; beyond it, a connection ends with its response. */
const MAX_LINGERING = 200;

/**
 * Answers before the body has arrived, as the connection's last answer, and drains briefly (RFC 9112, section 9.6):
 * closing with unread bytes sends a reset, which could discard the response. Runs after all other response hooks.
 */
export function answerEarly(http: Http): void {
  const lingering = new LingeringRequests();
  http.decorateReply('sentAfterMs', undefined);
  http.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (!isSendingBody(raw)) return done(null, payload);
    // By then, all that the kernel delivered with the head is parsed.
    setImmediate(() => {
      if (!isSendingBody(raw)) reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
      else if (typeof payload === 'string' && !raw.socket.destroyed) {
        raw.pause();
        sendNow(reply, payload);
        return lingering.add(raw, () => reply.raw.end());
      } else reply.header('connection', 'close');
      done(null, payload);
    });
  });
}

/** Writes the whole answer, with its length, and leaves the response open. */
function sendNow(reply: FastifyReply, payload: string): void {
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload));
  reply.sentAfterMs = reply.elapsedTime;
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.write(payload);
}

class LingeringRequests {
  private readonly requests = new Set<IncomingMessage>();
  private ticking: NodeJS.Timeout | undefined;

  /** Calls `end` once the body has arrived, after five seconds at the latest. */
  add(request: IncomingMessage, end: () => void): void {
    if (this.requests.size >= MAX_LINGERING) {
      end();
      return;
    }
    const { socket } = request;
    this.requests.add(request);
    this.ticking ??= setInterval(this.tick, TICK_MS);
    const cut = setTimeout(end, MAX_LINGER_MS);
    let bytes = -1;
    const silence = setInterval(() => {
      if (socket.bytesRead === bytes) end();
      bytes = socket.bytesRead;
    }, MAX_SILENCE_MS);
    request.once('end', end);
    socket.once('close', () => {
      clearTimeout(cut);
      clearInterval(silence);
      this.requests.delete(request);
      if (this.requests.size > 0) return;
      clearInterval(this.ticking);
      this.ticking = undefined;
    });
  }

  private readonly tick = (): void => {
    let left = READS_PER_TICK;
    for (const request of this.requests) {
      if (left === 0) break;
      left -= 1;
      // The next tick begins with the connections that have waited longest.
      this.requests.delete(request);
      this.requests.add(request);
      request.read();
    }
  };
}
