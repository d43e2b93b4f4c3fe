import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from './sha256.ts';

/** A part of a JSON text: written for this answer, or kept as bytes with their hash from an earlier one. */
export type JsonPiece = string | KeptJson;
export type KeptJson = { bytes: Buffer; hash: string };

const ETAG_LENGTH = 27;

export function keepJson(text: string): KeptJson {
  return { bytes: Buffer.from(text), hash: sha256(text).toString('base64url') };
}

/** A strong entity tag: equal for equal texts of equally kept parts, and no others. */
function etagOf(pieces: readonly JsonPiece[]): string {
  const words = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.hash));
  return `"${sha256(words.join('\n')).toString('base64url').slice(0, ETAG_LENGTH)}"`;
}

/** Whether an `If-None-Match` header names this tag (RFC 9110, section 13.1.2: the weak comparison). */
function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** Answers with the pieces as one JSON text, or with 304 where the client has it already. */
export function sendPieces(request: FastifyRequest, reply: FastifyReply, pieces: readonly JsonPiece[]): FastifyReply {
  const etag = etagOf(pieces);
  // A client may keep the answer and must ask whether it still holds; nobody between us may keep it.
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const buffers = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes));
  reply.type('application/json; charset=utf-8');
  const asIs = request.headers['accept-encoding'] === undefined && request.method === 'GET';
  return asIs ? writeBuffers(reply, buffers) : reply.send(Buffer.concat(buffers));
}

/**
 * Writes kept bytes as they are: joining them first would copy a whole menu for each request, which costs more than
 * everything else about it. Hooks that change a payload are passed over; compression, the only one, was not asked for.
 */
function writeBuffers(reply: FastifyReply, buffers: readonly Buffer[]): FastifyReply {
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  reply.hijack();
  reply.raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-length': length });
  for (const buffer of buffers) reply.raw.write(buffer);
  reply.raw.end();
  return reply;
}
