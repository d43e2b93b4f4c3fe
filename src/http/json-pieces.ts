import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../lib/sha256.ts';
import { sendJsonBytes } from './send-bytes.ts';

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
  const parts = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes));
  return sendJsonBytes(request, reply, parts);
}
