import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import type { Http } from './http.ts';
import { takesRawBody } from './raw-body.ts';
import { badEncoding } from './request-schema.ts';

/** Accepts bodies of a content type; `parseRequest` parses them later, in a time slice of the request's owner. */
export function parseLater(
  http: Pick<Http, 'addContentTypeParser'>,
  type: string,
  read: (bytes: Buffer, request: FastifyRequest) => unknown,
): void {
  http.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, bytes, done) =>
    done(null, takesRawBody(request) ? bytes : () => read(bytes, request)),
  );
}

/** Parses the query and the body, once the body has arrived; returns the error of a malformed one. */
export function parseRequest(request: FastifyRequest): Error | undefined {
  const fault = badEncoding(request.originalUrl);
  if (fault) return fault;
  request.query = queryOf(request.url, 0);
  if (typeof request.body !== 'function') return undefined;
  try {
    request.body = request.body();
  } catch (error) {
    return error as Error;
  }
  return undefined;
}

/** Maximum parameters read of a request that is refused before its turn. */
const MAX_REFUSED_PARAMETERS = 64;

/** Parses the first parameters of a request refused before its turn, for the error's page and its log line. */
export function parseRefusedQuery(request: FastifyRequest): void {
  const { query } = request;
  const isParsed = typeof query === 'object' && query !== null && Object.keys(query).length > 0;
  if (!isParsed) request.query = queryOf(request.url, MAX_REFUSED_PARAMETERS);
}

/** Parses the query of a URL; reads all parameters if `maxParameters` is 0. */
function queryOf(url: string, maxParameters: number): Record<string, unknown> {
  const start = url.indexOf('?');
  return start < 0 ? {} : parse(url.slice(start + 1), '&', '=', { maxKeys: maxParameters });
}
