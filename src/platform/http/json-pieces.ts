import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../lib/sha256.ts';
import { sendJsonBytes } from './send-bytes.ts';

/** A piece of a JSON answer: text written for this response, or cached bytes with their hash. */
export type JsonPiece = string | KeptJson;
export type KeptJson = { bytes: Buffer; hash: string };

const ETAG_LENGTH = 27;

export function keepJson(text: string | Buffer): KeptJson {
  return { bytes: typeof text === 'string' ? Buffer.from(text) : text, hash: sha256(text).toString('base64url') };
}

/** Returns a strong entity tag, computed from the hashes of the pieces. */
function etagOf(pieces: readonly JsonPiece[]): string {
  const words = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.hash));
  return `"${sha256(words.join('\n')).toString('base64url').slice(0, ETAG_LENGTH)}"`;
}

/** Whether `If-None-Match` matches the tag (RFC 9110, section 13.1.2: weak comparison). */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** Sends the pieces as one JSON text, or 304 if the client already has it. */
export function sendPieces(request: FastifyRequest, reply: FastifyReply, pieces: readonly JsonPiece[]): FastifyReply {
  const etag = etagOf(pieces);
  reply.header('etag', etag).allowRevalidation();
  if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const parts = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes));
  return sendJsonBytes(request, reply, parts);
}
