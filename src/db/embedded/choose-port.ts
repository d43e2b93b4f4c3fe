import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range from which systems draw the ports of outgoing connections (Linux 32768, macOS 49152), so that
// the port of a stopped database is still free at its next start.
const LOWEST = 20_000;
const BEYOND = 32_000;
const ATTEMPTS = 50;

/** Whether a server could listen on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}

/** A free port of 127.0.0.1, drawn at random so that several databases on a machine rarely meet. */
export async function choosePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, BEYOND);
    if (await isPortFree(port)) return port;
  }
  return randomInt(LOWEST, BEYOND);
}
