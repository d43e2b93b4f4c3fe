import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from './refusal.ts';
import { refuseWith } from './unreadable-request.ts';

/** Requests of one connection that are not answered yet. Clients that send one after the other have one. */
const MAX_UNANSWERED = 16;
/** A connection with so many is no client that waits for answers: it is cut. */
const MAX_SENT = 4 * MAX_UNANSWERED;

/**
 * Bounds the requests that one connection sends ahead of its answers. Node.js hands over all requests of the 64 KiB that it
 * has read in one turn of the event loop: two thousand from each connection. Those up to the bound are answered; the next
 * one is 429 and ends the connection behind its answers; of what comes after it nothing is done. Call it when the server
 * has all of its listeners.
 */
export function boundPipelines(server: Server, { max = MAX_UNANSWERED, cutFrom = MAX_SENT } = {}): void {
  const unanswered = new WeakMap<Socket, number>();
  const listeners = server.listeners('request') as Parameters<typeof server.on<'request'>>[1][];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count <= max) {
      // A connection that was refused once stays refused: its count no longer falls below the bound.
      response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
      for (const listener of listeners) listener.call(server, request, response);
    } else if (count === max + 1) {
      refuseWith(response, tooManyAhead());
      socket.pause();
      unanswered.set(socket, 2 * max + 1);
    } else if (count >= cutFrom) {
      socket.destroy();
    }
  });
}

function tooManyAhead(): Refusal {
  return new Refusal('rate_limited', 'Read the answers on this connection before you send more requests.', {
    headers: { 'retry-after': '1' },
  });
}
