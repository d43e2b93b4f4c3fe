import { Agent, type IncomingMessage, request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { ApiDocument } from '../../api-document.ts';
import { faultOfDescription, type HostileAnswer, type Send } from './judge-answer.ts';
import type { HostileRequest } from './resolve-plan.ts';

/** Ends an unanswered request; not an assertion of speed. */
const TIMEOUT_MS = 60_000;
const CONNECTIONS = 64;
const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

/**
 * Sends requests over keep-alive connections and checks each response against the OpenAPI document; streams are closed
 * after their head.
 */
export function sendOverHttp(url: string, document: ApiDocument): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return async (request) => {
    try {
      const answer = await exchange(url, agent, request);
      const fault = faultOfDescription(document, request, answer);
      return fault === undefined ? { answer } : { fault };
    } catch (error) {
      return { fault: `no answer: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

async function exchange(
  base: string,
  agent: Agent,
  { method, url, headers, body }: HostileRequest,
): Promise<HostileAnswer> {
  const { hostname, port } = new URL(base);
  const { promise, resolve, reject } = Promise.withResolvers<HostileAnswer>();
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const options = { hostname, port, method, path: url, headers: { ...headers, ...length }, agent };
  const sent = send({ ...options, timeout: TIMEOUT_MS }, (reply) => readAnswer(reply, method).then(resolve, reject));
  sent.on('timeout', () => sent.destroy(new Error(`none within ${TIMEOUT_MS} ms`)));
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

async function readAnswer(reply: IncomingMessage, method: string): Promise<HostileAnswer> {
  const { statusCode: status = 0, headers } = reply;
  if (String(headers['content-type']).startsWith('text/event-stream')) {
    reply.destroy();
    return { status, headers, body: undefined, text: '' };
  }
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const unpack = UNPACK[String(headers['content-encoding'])];
  const text = (unpack && bytes.length > 0 ? unpack(bytes) : bytes).toString();
  const isJson = /json/.test(String(headers['content-type'])) && method !== 'HEAD';
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}
