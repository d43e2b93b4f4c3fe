import type { Server } from 'node:http';

const SWEEP_MS = 50;
/** A running request gets this long at the end; so does a connection without a request. */
const GRACE_MS = 8000;

/**
 * Closes an HTTP server by `close`, which stops accepting at once and resolves when the last connection has ended. A
 * connection kept alive is ended as soon as its request is answered: by itself it would stay for a minute.
 */
export async function closeHttp(server: Server, close: () => Promise<unknown>): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  try {
    await close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
