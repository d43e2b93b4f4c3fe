import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { contentAnswer, emptyAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { staticAnswer } from '../http/static-answer.ts';
import { referencePages } from './reference-pages.cache.ts';

const LOCATION = { Location: { type: 'string', description: 'Where the reference is.' } };
const INLINE_SCRIPT = /<script(?:\s+type="text\/javascript")?>([\s\S]*?)<\/script>/g;

const TAGS = ['Operations'];
const wayThere = {
  operationId: 'findReference',
  tags: TAGS,
  summary: 'The way to the reference',
  response: { 302: emptyAnswer('To `/reference`.', LOCATION) },
};
const pageSchema = {
  operationId: 'readReference',
  tags: TAGS,
  summary: 'This description, for people',
  response: {
    200: contentAnswer('The page, at the path with a slash at its end.', ['text/html']),
    301: emptyAnswer('To `/reference/`.', LOCATION),
  },
};
const scriptSchema = {
  operationId: 'readReferenceScript',
  tags: TAGS,
  summary: 'The script of the reference',
  response: { 200: contentAnswer('The script.', ['application/javascript']) },
};

/** GET /openapi.json: the API's description, for programs. No key needed. */
export function openApiRoute(http: Http, describe: () => object): void {
  const send = staticAnswer('application/json; charset=utf-8', () => JSON.stringify(describe()));
  const schema = {
    operationId: 'readOpenApi',
    tags: TAGS,
    summary: 'This description, for programs',
    response: { 200: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document.' }) },
  };
  http.get('/openapi.json', { config: { public: true, conditional: true }, schema }, (request, reply) =>
    send(request, reply),
  );
}

/** The API's description, for people. No key needed. */
export function referenceRoutes(http: Http): void {
  http.get('/', { config: { public: true }, schema: wayThere }, async (request, reply) => {
    // The router matches the path `*` with this route.
    if (!request.url.startsWith('/')) return reply.callNotFound();
    return reply.redirect('/reference', 302);
  });
  http.get('/reference', { config: { public: true }, schema: pageSchema }, async (request, reply) => {
    // The page names its script beside itself.
    if (!/^[^?]*\/(\?|$)/.test(request.url)) return reply.redirect('/reference/', 301);
    const { page } = await referencePages();
    reply.helmet({ contentSecurityPolicy: policyFor(page) });
    return reply.type('text/html; charset=utf-8').send(page);
  });
  const sendScript = staticAnswer('application/javascript; charset=utf-8', async () => (await referencePages()).script);
  const config = { public: true, conditional: true } as const;
  http.get('/reference/js/scalar.js', { config, schema: scriptSchema }, async (request, reply) => {
    return (await sendScript(request, reply)) as never;
  });
}

/** Permits the page's own scripts by their digest; the reference writes its styles as it runs. */
function policyFor(page: string) {
  const digests = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'", ...digests],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  };
}
