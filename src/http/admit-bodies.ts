import type { FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import { NO_PEERS, type PeerNumbers } from '../lib/peer-numbers.ts';
import { isSendingBody } from './answer-early.ts';
import { createBodyBytes, type HeldBody } from './body-bytes.ts';
import type { Http } from './http.ts';
import { foreignEncoding } from './json-body.ts';

/** A body of a stranger is parsed before anything is known of its sender, so the body is small. */
const MAX_PUBLIC_BODY_BYTES = 64 * 1024;

/**
 * Looks at the headers of each body before a byte of the body is read, and counts the bytes as they arrive. Endpoints
 * that need no key take small bodies, but for signed bodies, whose bytes are checked before they are parsed.
 */
export function admitBodies(http: Http, peers: PeerNumbers = NO_PEERS): void {
  const bodies = createBodyBytes({ peers });
  const admit: preParsingHookHandler = (request, reply, _payload, done) => {
    const { raw, headers, routeOptions } = request;
    const refusal = headers['content-type'] === undefined ? undefined : foreignEncoding(headers);
    const isTooLarge = Number(headers['content-length'] ?? 0) > routeOptions.bodyLimit;
    // The framework refuses a body by its announced length, after it has looked at the type of the body.
    if (refusal || isTooLarge || !isSendingBody(raw)) return void done(refusal);
    // A client that waits for a word before its body gets the word now, and gets a refusal without it.
    if (headers.expect !== undefined) reply.raw.writeContinue();
    countBytes(bodies.hold(request.holder), request, reply);
    done();
  };
  http.addHook('onRoute', (route: RouteOptions) => {
    if (['GET', 'HEAD'].includes(String(route.method))) return;
    const isStrangers = route.config?.public === true && route.config.rawBody !== true;
    if (isStrangers) route.bodyLimit ??= MAX_PUBLIC_BODY_BYTES;
    route.preParsing = admit;
  });
}

/** The framework reads the body in the same turn, so the listener here misses no byte and delays none. */
function countBytes(body: HeldBody, { raw: payload }: FastifyRequest, reply: FastifyReply): void {
  const count = (chunk: Buffer) => {
    const refusal = body.add(chunk.length);
    if (!refusal) return;
    payload.off('data', count);
    // The framework answers with the error, as it does where a body is cut off.
    payload.emit('error', refusal);
  };
  payload.on('data', count);
  reply.raw.once('close', () => {
    payload.off('data', count);
    body.release();
  });
}
