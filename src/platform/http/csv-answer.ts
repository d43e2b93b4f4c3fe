import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Sends a CSV file part by part as the client reads it, so that memory holds one part. */
export function sendCsv(reply: FastifyReply, name: string, parts: AsyncIterable<string>): never {
  reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .type('text/csv; charset=utf-8');
  // A route's type is its answer's text; Fastify sends a stream as well.
  return Readable.from(parts) as never;
}
