import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebFile } from '../lib/web-files.ts';
import { contentAnswer } from './content-answers.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

export const WEB_FILE_ANSWER = contentAnswer('The file.', ['text/javascript', 'text/css', 'image/svg+xml']);

/** Sends a file of a page, which browsers keep for good: its name changes with its content. */
export function sendWebFile({ headers }: FastifyRequest, reply: FastifyReply, file: WebFile) {
  const { encoding, bytes } = encodedFor(headers['accept-encoding'], file);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.headers({ 'cache-control': FOR_EVER, vary: 'accept-encoding' }).type(file.type).send(bytes);
}

/** The bytes of the encoding that a client takes, brotli first. */
export function encodedFor(
  accepted: string | string[] | undefined,
  file: Pick<WebFile, 'bytes' | 'gzip' | 'brotli'>,
): { encoding?: string; bytes: Buffer } {
  const takes = (encoding: string) =>
    new RegExp(`(^|[\\s,])${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(String(accepted));
  if (takes('br')) return { encoding: 'br', bytes: file.brotli };
  return takes('gzip') ? { encoding: 'gzip', bytes: file.gzip } : { bytes: file.bytes };
}
