import type { FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import type { Http } from '../http/http.ts';
import { refusalOfEncoding } from '../http/json-body.ts';
import { isSendingBody } from '../http/raw-body.ts';
import { Refusal, retryAfter } from '../http/refusal.ts';
import { BytesInFlight } from './bytes-in-flight.ts';
import { NO_PEERS, type SharedCounters } from './shared-counters.ts';

const MIB = 1024 * 1024;
/** Limits of the bytes of bodies, from arrival to the end of their responses. A holder may have eight large bodies. */
const BOUNDS = { of: 'bodies', maxBytes: 64 * MIB, maxBytesOfHolder: 8 * MIB };
/** The same for uploaded files of up to 10 MiB each: a holder may send two, which do not count as other bodies. */
const BOUNDS_OF_FILES = { of: 'files', maxBytes: 64 * MIB, maxBytesOfHolder: 20 * MIB };
/** Maximum bytes of a body without a key, as of a form: parsing it takes less than a slice of the event loop. */
const MAX_PUBLIC_BODY_BYTES = 16 * 1024;
const RETRY_SOON = retryAfter(1);

/**
 * Checks body headers before reading and counts bytes as they arrive, so that a body that is only announced uses up no
 * limit. Endpoints without keys take small bodies, except signed ones, which are verified before parsing.
 */
export function boundBodies(http: Http, peers: SharedCounters = NO_PEERS): void {
  const ofBodies = new BytesInFlight({ ...BOUNDS, peers });
  const ofFiles = new BytesInFlight({ ...BOUNDS_OF_FILES, peers });
  const admit: preParsingHookHandler = (request, reply, _payload, done) => {
    const { raw, headers, routeOptions } = request;
    const refusal = headers['content-type'] === undefined ? undefined : refusalOfEncoding(headers);
    const isTooLarge = Number(headers['content-length'] ?? 0) > routeOptions.bodyLimit;
    // The framework refuses an announced length that is too large, after it has checked the content type.
    if (refusal || isTooLarge || !isSendingBody(raw)) return void done(refusal);
    // `100 Continue` is sent only once the body is admitted.
    if (headers.expect !== undefined) reply.raw.writeContinue();
    countBytes(routeOptions.config.largeBody ? ofFiles : ofBodies, request, reply);
    done();
  };
  http.addHook('onRoute', (route: RouteOptions) => {
    if (['GET', 'HEAD'].includes(String(route.method))) return;
    const isStrangers = route.config?.public === true && route.config.rawBody !== true;
    if (isStrangers) route.bodyLimit ??= MAX_PUBLIC_BODY_BYTES;
    route.preParsing = admit;
  });
}

/** Counts a body's bytes. The framework reads it in the same turn of the event loop, so the listener misses no byte. */
function countBytes(bytes: BytesInFlight, { raw: payload, holder }: FastifyRequest, reply: FastifyReply): void {
  let held = 0;
  const count = ({ length }: Buffer) => {
    // The reader has refused the body and dropped its listeners. An error without a listener would end the process.
    if (payload.listenerCount('error') === 0) return void payload.off('data', count);
    const exceeded = bytes.exceeded(holder, length);
    if (exceeded) {
      payload.off('data', count);
      // The framework answers with this error, as for a body that is cut off.
      payload.emit('error', bytesRefusal(exceeded));
      return;
    }
    held += length;
    bytes.add(holder, length);
  };
  payload.on('data', count);
  reply.raw.once('close', () => {
    payload.off('data', count);
    bytes.add(holder, -held);
    held = 0;
  });
}

function bytesRefusal(exceeded: 'holder' | 'all'): Refusal {
  return exceeded === 'holder'
    ? new Refusal('rate_limited', 'Too many large bodies at once. Send one at a time.', RETRY_SOON)
    : new Refusal('not_ready', 'Too many large bodies are in progress. Nothing was done.', RETRY_SOON);
}
