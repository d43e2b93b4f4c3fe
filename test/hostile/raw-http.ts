import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { nextTurn } from '../until.ts';

export type RawAnswer = { status: number; headers: Record<string, string>; text: string };

/** `ends` closes this side after the last byte. */
type ExchangeOptions = { answers?: number; toHead?: boolean; ends?: boolean };

/** Ends a hanging test, not an assertion of speed. Shorter than the service's own request timeout. */
const TIMEOUT_MS = 50_000;

/**
 * Writes raw bytes to a port and reads until the peer closes or `answers` have arrived. Each of the `parts` is sent in
 * its own turn of the event loop, so that they arrive separately.
 */
export async function exchange(
  port: number,
  parts: string | Buffer | readonly (string | Buffer)[],
  { answers = Number.POSITIVE_INFINITY, toHead = false, ends = false }: ExchangeOptions = {},
): Promise<RawAnswer[]> {
  const received: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.setTimeout(TIMEOUT_MS, () => reject(new Error(`No end within ${TIMEOUT_MS} ms: ${Buffer.concat(received)}`)));
  socket.on('data', (bytes: Buffer) => {
    received.push(bytes);
    if (parseAnswers(Buffer.concat(received), toHead).length >= answers) resolve();
  });
  socket.on('close', () => resolve());
  // Some servers reset the connection after the response; received bytes count.
  socket.on('error', () => resolve());
  for (const part of typeof parts === 'string' || Buffer.isBuffer(parts) ? [parts] : parts) {
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    await nextTurn();
  }
  if (ends) socket.end();
  try {
    await promise;
  } finally {
    socket.destroy();
  }
  return parseAnswers(Buffer.concat(received), toHead);
}

/** Complete answers in these bytes; a truncated one is dropped. HEAD answers contain no body. */
function parseAnswers(bytes: Buffer, toHead: boolean): RawAnswer[] {
  const found: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return found;
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => splitAtColon(line)));
    const status = Number(statusLine.split(' ')[1]);
    const body = rest.subarray(end + 4);
    const read = status < 200 || toHead ? { text: '', length: 0 } : readBody(body, headers);
    if (!read) return found;
    if (status >= 200) found.push({ status, headers, text: read.text });
    rest = body.subarray(read.length);
  }
}

function splitAtColon(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function readBody(body: Buffer, headers: Record<string, string>): { text: string; length: number } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(body);
  const length = Number(headers['content-length'] ?? 0);
  return body.length < length ? undefined : { text: body.toString('utf8', 0, length), length };
}

function readChunks(body: Buffer): { text: string; length: number } | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    const start = lineEnd + 2;
    if (body.length < start + size + 2) return undefined;
    parts.push(body.subarray(start, start + size));
    at = start + size + 2;
    if (size === 0) return { text: Buffer.concat(parts).toString(), length: at };
  }
}

/** A connection to a listening server, with both its ends; closed after the test. */
export async function givenConnection(t: TestContext, server: Server): Promise<{ client: Socket; served: Socket }> {
  const connected = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  t.after(() => client.destroy());
  return { client, served: (await connected)[0] };
}
