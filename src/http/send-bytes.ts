import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSendingBody } from './drain-body.ts';
import { limitReading } from './limit-reading.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers a read with prepared JSON. Where no hook would change the payload (no compression is requested, no body is
 * still arriving), the parts go to the socket as they are: joining them would copy a whole menu for each request, and
 * the payload hooks cost more than a small answer.
 */
export function sendJsonBytes(request: FastifyRequest, reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  const { headers, method } = request.raw;
  const isAsIs = headers['accept-encoding'] === undefined && method === 'GET' && !isSendingBody(request.raw);
  if (!isAsIs) return reply.header('content-type', JSON_TYPE).send(Buffer.concat(parts));
  let length = 0;
  for (const part of parts) length += part.length;
  const head = reply.getHeaders() as OutgoingHttpHeaders;
  head['content-type'] = JSON_TYPE;
  head['content-length'] = length;
  reply.hijack();
  reply.raw.writeHead(200, head);
  const last = parts.length - 1;
  for (let index = 0; index < last; index += 1) reply.raw.write(parts[index]);
  reply.raw.end(parts[last]);
  // Most answers are in the kernel's buffer by now; only a waiting answer needs the limit.
  if (reply.raw.socket?.writableLength !== 0) limitReading(request.raw);
  return reply;
}
