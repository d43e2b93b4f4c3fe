import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lazyAsync } from '../lib/lazy-async.ts';
import { etagMatches } from './json-pieces.ts';
import { encodedFor } from './send-web-file.ts';

/** Takes half a second of one thread for 4 MB; the highest levels take ten. */
const BROTLI_QUALITY = 6;
const ETAG_LENGTH = 27;

/** Images whose format compresses them. */
const SMALL_ALREADY = /^image\/(?!svg)/;

type Content = string | Buffer;
type EncodedContent = { tag: string; bytes: Buffer; gzip?: Buffer; brotli?: Buffer };

/**
 * Sends one content that never changes while the process lives; 304 where the client has the content. `never`: it has sent
 * the answer, whatever the type of the route's answers is.
 */
export type StaticAnswer = (request: FastifyRequest, reply: FastifyReply) => Promise<never>;

/**
 * Compresses a large content once, at its first use: compressing it for each request would let any client keep the
 * process busy. Clients keep the content and ask whether it still holds, because its address does not change with it.
 */
export function staticAnswer(type: string, read: () => Content | Promise<Content>): StaticAnswer {
  const keepOnce = lazyAsync(async () => {
    const content = await read();
    return keep(typeof content === 'string' ? Buffer.from(content) : content, !SMALL_ALREADY.test(type));
  });
  const send = async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const kept = await keepOnce();
    const { encoding, bytes } = encodedOf(headers['accept-encoding'], kept);
    // A weak tag names the content, whatever its encoding (RFC 9110, section 8.8.1).
    const etag = `W/"${kept.tag}"`;
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'public, no-cache' });
    if (etagMatches(headers['if-none-match'], `"${kept.tag}"`)) return reply.code(304).send();
    if (encoding) reply.header('content-encoding', encoding);
    return reply.type(type).send(bytes);
  };
  return send as StaticAnswer;
}

function encodedOf(accepted: string | string[] | undefined, { bytes, gzip, brotli }: EncodedContent) {
  return gzip && brotli ? encodedFor(accepted, { bytes, gzip, brotli }) : { bytes };
}

async function keep(bytes: Buffer, isCompressed: boolean): Promise<EncodedContent> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_LENGTH);
  if (!isCompressed) return { tag, bytes };
  return { tag, bytes, gzip: await promisify(gzip)(bytes), brotli: await promisify(brotliCompress)(bytes, { params }) };
}
