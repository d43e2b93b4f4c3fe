import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Target } from './attack.ts';

const ADDRESSES = 4;

/** One Agent per address, so that connections are reused and the attacker's own cost stays small. */
const agents = Array.from({ length: ADDRESSES }, (_, n) => {
  return new Agent({ keepAlive: true, localAddress: `127.0.0.${2 + n}` });
});

export type KeylessRequest = { path: string; body?: string | Buffer; headers?: Record<string, string> };

/** Sends a request without a key from one of four addresses, and returns the response's status. */
export async function sendKeyless(
  { url, signal }: Target,
  connection: number,
  { path, body, headers = {} }: KeylessRequest,
): Promise<number> {
  const agent = agents[connection % ADDRESSES] as Agent;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(`${url}${path}`, { method, agent, signal, headers: { ...headers, ...length } });
  sent.on('error', () => {});
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.on('error', () => {}).resume();
  await once(answer, 'close');
  return answer.statusCode;
}

/** `count` distinct names in form encoding, four bytes each. */
export function formOf(count: number): string {
  return Array.from({ length: count }, (_, n) => `${n.toString(36).padStart(3, '_')}=`)
    .join('&')
    .slice(0, 16 * 1024);
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
