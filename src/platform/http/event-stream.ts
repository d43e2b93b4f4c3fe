import type { FastifyReply } from 'fastify';
import { UNCACHED } from './caching.ts';

/** Unread bytes before a reader is disconnected. A reader that was merely slow reconnects. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** The part of an HTTP response that is used here. */
export type Outlet = {
  readonly writableLength: number;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  write(text: string): unknown;
  end(): unknown;
  destroy(): unknown;
  once(event: 'close', act: () => void): unknown;
};

/** Writes server-sent events (WHATWG HTML standard, section 9.2). No method throws. */
export class EventStream {
  private readonly outlet: Outlet;
  private readonly maxUnreadBytes: number;

  constructor(outlet: Outlet, maxUnreadBytes = MAX_UNREAD_BYTES) {
    this.outlet = outlet;
    this.maxUnreadBytes = maxUnreadBytes;
  }

  /** Writes one event. `data` must be JSON without line breaks, which would end the event. */
  send(event: string, data: string, id?: string): void {
    this.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
  }

  /** Writes a comment, so that proxies do not close a silent connection. */
  beat(): void {
    this.write(':\n\n');
  }

  end(): void {
    if (!this.outlet.writableEnded) this.outlet.end();
  }

  /** Calls `act` once, when the connection has ended. */
  onClose(act: () => void): void {
    this.outlet.once('close', act);
  }

  private write(text: string): void {
    if (this.outlet.writableEnded || this.outlet.destroyed) return;
    if (this.outlet.writableLength > this.maxUnreadBytes) this.outlet.destroy();
    else this.outlet.write(text);
  }
}

export type StreamOptions = {
  retryMs: number;
  /** A random number from 0 to 1. */
  chance: number;
  maxUnreadBytes?: number;
};

/**
 * Turns the response into an event stream. Readers reconnect after one to two times `retryMs`, at random, which spreads
 * the load after a restart. Undefined if the reader has already left.
 */
export function openEventStream(
  reply: FastifyReply,
  { retryMs, chance, maxUnreadBytes }: StreamOptions,
): EventStream | undefined {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return undefined;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': `${UNCACHED}, no-transform`,
    'x-accel-buffering': 'no',
    'x-request-id': reply.request.id,
  });
  raw.write(`retry: ${retryMs + Math.floor(chance * retryMs)}\n\n`);
  return new EventStream(raw, maxUnreadBytes);
}
