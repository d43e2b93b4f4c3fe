import type { FastifyReply } from 'fastify';

/** A reader with this many unread bytes is gone or too slow: its stream is dropped, and it connects again by itself. */
const MAX_UNREAD_BYTES = 256 * 1024;

export type EventStream = {
  /** Writes server-sent events, and drops a reader that does not read. Never throws. */
  write(text: string): void;
  end(): void;
  /** Calls once when the connection has ended. */
  onClose(act: () => void): void;
};

/**
 * Takes the answer over and writes the head of a stream of server-sent events (WHATWG HTML standard, section 9.2); a reader
 * that lost it connects again after `retryMs`. Undefined where the reader has left already: nothing may wait for its end.
 */
export function openEventStream(reply: FastifyReply, retryMs: number): FastifyReply['raw'] | undefined {
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return undefined;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': reply.request.id,
  });
  raw.write(`retry: ${retryMs}\n\n`);
  return raw;
}

/** The same with a bound on what its reader leaves unread. */
export function beginEventStream(reply: FastifyReply, retryMs: number): EventStream | undefined {
  const raw = openEventStream(reply, retryMs);
  if (!raw) return undefined;
  return {
    write(text) {
      if (raw.writableEnded || raw.destroyed) return;
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
      else raw.write(text);
    },
    end: () => void raw.end(),
    onClose: (act) => void raw.once('close', act),
  };
}
