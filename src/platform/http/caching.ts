import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Http } from './http.ts';

/** The default of every response, errors and probes included: no browser, proxy or CDN may store it. */
export const UNCACHED = 'private, no-store';
/** For a response with an ETag that only its client may keep, and revalidates before each use. */
const REVALIDATED = 'private, no-cache';
/** Headers that choose a response to a request with a key. */
const KEY_HEADERS = 'id-token, authorization, accept-encoding';

declare module 'fastify' {
  interface FastifyReply {
    /** Lets caches store a response that is the same for everyone. Responses to requests with a key stay uncached. */
    allowCaching(cacheControl: string): FastifyReply;
    /** Lets the client revalidate a response that depends on its key. */
    allowRevalidation(): FastifyReply;
  }
}

/** Sets `Cache-Control` on responses. Routes opt out by these reply methods and never set the header themselves. */
export function sendCaching(http: Http): void {
  http.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', UNCACHED);
    done();
  });
  http.decorateReply('allowCaching', function (this: FastifyReply, cacheControl: string) {
    return hasKey(this.request) ? this : this.header('cache-control', cacheControl);
  });
  http.decorateReply('allowRevalidation', function (this: FastifyReply) {
    const vary = this.getHeader('vary');
    this.header('vary', vary === undefined ? KEY_HEADERS : `${KEY_HEADERS}, ${vary}`);
    return this.header('cache-control', REVALIDATED);
  });
}

const hasKey = ({ headers }: FastifyRequest) =>
  headers['id-token'] !== undefined || headers.authorization !== undefined;
