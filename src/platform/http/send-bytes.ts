import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, type TUnsafe, Type } from 'typebox';
import { isSendingBody } from './raw-body.ts';

/** Minimum size of counted answers; smaller ones fit into kernel buffers. */
export const MIN_COUNTED_BYTES = 16 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The response of an operation that writes its own JSON, because it's long or computed often. */
export class JsonBytes {
  readonly parts: readonly Buffer[];
  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
  }
}
export const jsonBytes = (...texts: readonly string[]) => new JsonBytes(texts.map((text) => Buffer.from(text)));

/** Documents a response that `run` returns as bytes. */
export const bytesAnswer = (schema: TSchema): TUnsafe<JsonBytes> => Type.Unsafe<JsonBytes>(schema);

/**
 * Sends prepared JSON. If no hook changes the payload, its parts go to the socket directly, because joining would copy
 * a whole menu per request and hooks cost more than a small answer.
 */
export function sendJsonBytes(request: FastifyRequest, reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  const { headers, method } = request.raw;
  const isAsIs = headers['accept-encoding'] === undefined && method === 'GET' && !isSendingBody(request.raw);
  if (!isAsIs) return reply.header('content-type', JSON_TYPE).send(Buffer.concat(parts));
  let length = 0;
  for (const part of parts) length += part.length;
  const { unreadAnswers } = request.server;
  const refusal = length < MIN_COUNTED_BYTES ? undefined : unreadAnswers.refusalOf(request.holder, length);
  if (refusal) throw refusal;
  request.server.countAnswer(request, length);
  const head = reply.getHeaders() as OutgoingHttpHeaders;
  head['content-type'] = JSON_TYPE;
  head['content-length'] = length;
  reply.hijack();
  reply.raw.writeHead(200, head);
  writeParts(reply, parts);
  // Most answers are in the kernel's buffer by now. Only those still waiting are bounded.
  if (reply.raw.socket?.writableLength !== 0) unreadAnswers.hold(request.holder, length, reply.raw);
  return reply;
}

/** Sends the last part with the end of the response: a separate `end` would pass through Node's streams once more. */
function writeParts({ raw }: FastifyReply, parts: readonly Buffer[]): void {
  const last = parts.length - 1;
  for (let nth = 0; nth < last; nth += 1) raw.write(parts[nth]);
  raw.end(parts[last]);
}
