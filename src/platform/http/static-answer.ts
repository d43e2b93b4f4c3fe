import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lazyAsync } from '../lib/lazy-async.ts';
import { type EncodedBytes, encode } from '../lib/web-files.ts';
import { etagMatches } from './json-pieces.ts';
import { encodedFor } from './send-web-file.ts';

/** Compresses 4 MB in half a second of one thread; the highest levels take ten seconds. */
const BROTLI_QUALITY = 6;
const ETAG_LENGTH = 27;

/** Images whose format is already compressed. */
const COMPRESSED_IMAGES = /^image\/(?!svg)/;

type Content = string | Buffer;
type EncodedContent = { tag: string; content: Buffer | EncodedBytes };

/**
 * Sends content that never changes during the process, or 304 if the client has it. Resolves to `never`, so that
 * it fits any route's answer type.
 */
export type StaticAnswer = (request: FastifyRequest, reply: FastifyReply) => Promise<never>;

/**
 * Compresses large content once, at first use, because compressing per request would let any client keep the process
 * busy. Clients cache and revalidate it: its URL stays the same when the content changes.
 */
export function staticAnswer(type: string, read: () => Content | Promise<Content>): StaticAnswer {
  const keepOnce = lazyAsync(async () => {
    const content = await read();
    return keep(typeof content === 'string' ? Buffer.from(content) : content, !COMPRESSED_IMAGES.test(type));
  });
  const send = async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const kept = await keepOnce();
    const { content } = kept;
    const accepted = headers['accept-encoding'];
    const { encoding, bytes } = Buffer.isBuffer(content) ? { bytes: content } : encodedFor(accepted, content);
    // A weak tag identifies the content in any encoding (RFC 9110, section 8.8.1).
    const etag = `W/"${kept.tag}"`;
    reply.headers({ etag, vary: 'accept-encoding' }).allowCaching('public, no-cache');
    if (etagMatches(headers['if-none-match'], `"${kept.tag}"`)) return reply.code(304).send();
    if (encoding) reply.header('content-encoding', encoding);
    return reply.type(type).send(bytes);
  };
  return send as StaticAnswer;
}

async function keep(bytes: Buffer, isCompressed: boolean): Promise<EncodedContent> {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_LENGTH);
  return { tag, content: isCompressed ? await encode(bytes, BROTLI_QUALITY) : bytes };
}
