import type { IncomingMessage } from 'node:http';

/** A client that takes nothing of its answer for this long is gone, or means ill. */
const UNREAD_MS = 60_000;

/**
 * Until its answer is out, a connection on which nothing moves for a minute is closed: what is not read stays in memory.
 * Node.js ends it by itself, and sets the time-out anew between two requests.
 */
export function limitReading({ socket }: IncomingMessage): void {
  // A request that was injected has no connection.
  if ('setTimeout' in socket) socket.setTimeout(UNREAD_MS);
}
