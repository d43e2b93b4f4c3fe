import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import type { Exchange, WireAnswer } from './example-client.ts';

/** Sends requests over HTTP unchanged; follows no redirect, and closes a stream after its head. */
export function exchangeWith(base: string): Exchange {
  return async ({ method, path, headers, body }) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = send(new URL(path, base), { method, headers: { ...headers, ...length } }).end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return readAnswer(reply);
  };
}

async function readAnswer(reply: IncomingMessage): Promise<WireAnswer> {
  const { statusCode: status = 0, headers } = reply;
  if (String(headers['content-type']).startsWith('text/event-stream')) {
    reply.destroy();
    return { status, headers, text: '', body: undefined };
  }
  const text = Buffer.concat(await reply.toArray()).toString();
  const isJson = /json/.test(String(headers['content-type']));
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}
