import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 20_000;
/** A client that sends nothing for this long is waiting for the answer. */
const IDLE_MS = 1000;

/** Whether the client is still sending a body that no parser reads. */
export function isSendingBody({ complete, headers }: IncomingMessage): boolean {
  if (complete !== false) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads and drops the rest of a body, within limits; resolves with whether the body came to its end. Most clients lose
 * an answer that overtakes their body: they see the closed connection instead of the answer.
 */
export async function drainBody(request: IncomingMessage): Promise<boolean> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return false;
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  const idle = setTimeout(resolve, IDLE_MS);
  const cut = setTimeout(resolve, MAX_MS);
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    idle.refresh();
    if (bytes > MAX_BYTES) resolve();
  };
  request.on('data', count).once('end', resolve).once('close', resolve);
  request.resume();
  await promise;
  clearTimeout(idle);
  clearTimeout(cut);
  request.off('data', count).off('end', resolve).off('close', resolve);
  return request.complete;
}
