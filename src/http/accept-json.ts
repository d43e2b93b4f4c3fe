import type { Http } from './http.ts';
import { parseJsonBody } from './json-body.ts';
import { takesRawBody } from './raw-body.ts';

/** Reads bodies as JSON, and no other content type; a route with `rawBody` gets the bytes of the JSON. */
export function acceptJson(http: Pick<Http, 'addContentTypeParser' | 'removeAllContentTypeParsers'>): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (takesRawBody(request)) return done(null, body);
      done(null, parseJsonBody(body as Buffer, { exactIntegers: request.routeOptions.config.carriesCard === true }));
    } catch (error) {
      done(error as Error);
    }
  });
}
