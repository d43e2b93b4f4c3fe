import type { IncomingMessage } from 'node:http';

/** A client that reads nothing of its answer for this long is gone or hostile. */
const UNREAD_MS = 60_000;

/**
 * Closes a connection on which no byte moves for a minute while an answer is being sent: an unread answer stays in
 * memory. Node.js closes the socket by itself, and resets the time-out between two requests.
 */
export function limitReading({ socket }: IncomingMessage): void {
  // An injected request (in tests) has no socket.
  if ('setTimeout' in socket) socket.setTimeout(UNREAD_MS);
}
