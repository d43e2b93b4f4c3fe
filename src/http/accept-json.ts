import type { FastifyRequest } from 'fastify';
import type { Http } from './http.ts';
import { parseJsonBody } from './json-body.ts';
import { takesRawBody } from './raw-body.ts';

/** Calls the step when the request's work may go on, or with an error where the work is refused. */
type InTurn = (request: FastifyRequest, step: (refusal?: Error) => void) => void;

/**
 * Reads bodies as JSON, and no other content type; a route with `rawBody` gets the bytes of the JSON. A body is parsed,
 * and checked, in the turn of its request: a large body takes tens of milliseconds.
 */
export function acceptJson(
  http: Pick<Http, 'addContentTypeParser' | 'removeAllContentTypeParsers'>,
  inTurn: InTurn,
): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    inTurn(request, (refusal) => {
      if (refusal) return done(refusal);
      let parsed: unknown;
      try {
        const exactIntegers = request.routeOptions.config.carriesCard === true;
        parsed = takesRawBody(request) ? body : parseJsonBody(body as Buffer, { exactIntegers });
      } catch (error) {
        return done(error as Error);
      }
      done(null, parsed);
    });
  });
}
