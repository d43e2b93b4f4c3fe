import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/**
 * Reading a body costs the processor as much as many requests, so that unneeded bodies are read slowly: a few
 * connections at each tick, one buffer of 64 KiB from each. That is 5 MiB a second of all clients together.
 */
const TICK_MS = 50;
const READ_AT_A_TICK = 4;
const MAX_LINGER_MS = 5000;
/** A client that sends nothing for this long has read its answer, or reads none. */
const MAX_SILENCE_MS = 1000;
/** Connections that linger in this process; beyond these a connection ends with its answer. */
const MAX_LINGERING = 200;

/** Whether the client is still sending a body that no parser reads. */
export function isSendingBody({ complete, headers }: IncomingMessage): boolean {
  if (complete !== false) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export type EarlyAnswers = {
  /**
   * Prepares an answer that does not need the rest of its body. Where the body has arrived already, the connection
   * lives on. Otherwise the answer is sent at once and is the last one of its connection.
   */
  prepare(request: IncomingMessage, reply: FastifyReply): Promise<void>;
};

/**
 * An answer that overtakes its body ends the connection in two steps (RFC 9112, section 9.6): the service stops
 * sending, and reads on for a moment. A connection that is closed with unread bytes is reset, and a reset can take the
 * answer from a client that reads only after its whole body.
 */
export function createEarlyAnswers(): EarlyAnswers {
  const lingering = new Set<IncomingMessage>();
  let ticking: NodeJS.Timeout | undefined;

  function tick(): void {
    let left = READ_AT_A_TICK;
    for (const request of lingering) {
      if (left === 0) break;
      left -= 1;
      // The next tick begins with the connections that have waited longest.
      lingering.delete(request);
      lingering.add(request);
      request.read();
    }
  }

  function linger(request: IncomingMessage): void {
    const { socket } = request;
    lingering.add(request);
    ticking ??= setInterval(tick, TICK_MS);
    socket.end();
    const end = () => void socket.destroy();
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
      lingering.delete(request);
      if (lingering.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    });
  }

  return {
    async prepare(request, reply) {
      // What the kernel handed over with the head is parsed by then.
      await turn();
      if (!isSendingBody(request)) {
        reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
        return;
      }
      request.pause();
      reply.header('connection', 'close');
      const { socket } = request;
      const close = socket.destroySoon.bind(socket);
      // Node.js ends the connection of a last answer by this call, after the answer is written. A body that is
      // not read yet would be read and dropped at full speed from then on: reading begins here, a buffer at a time.
      request.read(0);
      socket.destroySoon = () => (lingering.size < MAX_LINGERING && !socket.destroyed ? linger(request) : close());
    },
  };
}
