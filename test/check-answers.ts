import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Http } from '../src/platform/http/http.ts';
import { type ApiDocument, assertDescribed, assertRefusedAnywhere, operationNameOf } from './api-document.ts';
import { assertCaching } from './assert-caching.ts';

const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

/** API descriptions by routes: processes with the same routes differ only in their server. */
const documents = new Map<string, ApiDocument>();

/**
 * Checks every in-process answer against the service's API description: an undescribed status, content type, body or
 * header fails the running test, and so does one that a cache could give to someone else.
 */
export function checkAnswers(http: Http): void {
  const inject = http.inject.bind(http);
  let document: ApiDocument | undefined;
  Object.assign(http, {
    inject: async (request: InjectOptions | string) => {
      const reply = await inject(request);
      document ??= documentOf(http);
      checkAnswer(document, reply);
      return reply;
    },
  });
}

/** Generating a description takes as long as starting the service, so it is done once per process. */
function documentOf(http: Http): ApiDocument {
  const routes = http.printRoutes();
  const document = documents.get(routes) ?? (http.swagger() as unknown as ApiDocument);
  documents.set(routes, document);
  return document;
}

function checkAnswer(document: ApiDocument, reply: LightMyRequestResponse): void {
  const { method = '', url = '', headers } = reply.raw.req;
  // A preflight is the browser's, and no operation of the description.
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) return;
  // What a plug-in answers below its name is its own.
  if (url.startsWith('/plugins/')) return;
  const given = method === 'HEAD' ? headOf(reply) : wholeOf(reply);
  // A browser gets a page at an address that does not exist.
  const isPage = given.status === 404 && /^text\/html/.test(String(given.headers['content-type']));
  if (isPage && String(headers.accept).includes('text/html') && given.text.includes('Page not found')) return;
  // On an account's own host, other paths are not described.
  const isAway = given.status === 404 && given.text.includes('This host serves only tracking pages.');
  const name = isAway ? undefined : operationNameOf(document, { method, url }, given);
  assertCaching(name ?? `${method} ${url.split('?')[0]}`, textsOf(headers), given);
  if (name === undefined) assertRefusedAnywhere(document, `${method} ${url}`, given);
  else assertDescribed(document, name, given);
}

function wholeOf({ statusCode, headers, rawPayload }: LightMyRequestResponse) {
  const unpack = UNPACK[String(headers['content-encoding'])];
  const text = (unpack ? unpack(rawPayload) : rawPayload).toString();
  const isJson = /json/.test(String(headers['content-type']));
  return { status: statusCode, headers: textsOf(headers), text, body: isJson ? JSON.parse(text) : undefined };
}

/** HEAD has the headers of GET and no body. */
const headOf = ({ statusCode, headers, payload }: LightMyRequestResponse) => ({
  status: statusCode,
  headers: textsOf(headers),
  text: payload,
  body: undefined,
});

function textsOf(headers: LightMyRequestResponse['headers']): Record<string, string | string[] | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
}
