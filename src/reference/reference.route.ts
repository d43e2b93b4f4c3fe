import { createHash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { RouteOptions } from 'fastify';
import { Type } from 'typebox';
import { emptyAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { type StaticAnswer, staticAnswer } from '../http/static-answer.ts';

/** The page loads everything from this service: no telemetry, no proxy, no agents, no foreign fonts. */
const CONFIGURATION = {
  pageTitle: 'Doorstep API reference',
  title: 'Doorstep API reference',
  url: '../openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
};

const LOCATION = { Location: { type: 'string', description: 'Where the reference is.' } };
const INLINE_SCRIPT = /<script(?:\s+type="text\/javascript")?>([\s\S]*?)<\/script>/g;

const TAGS = ['Operations'];

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
  const schema = {
    operationId: 'findReference',
    tags: TAGS,
    summary: 'The way to the reference',
    response: { 302: emptyAnswer('To `/reference`.', LOCATION) },
  };
  http.get('/', { config: { public: true }, schema }, async (request, reply) => {
    // The router matches the path `*` with this route.
    if (!request.url.startsWith('/')) return reply.callNotFound();
    return reply.redirect('/reference', 302);
  });
  http.register(async (scope) => {
    let script: StaticAnswer | undefined;
    // GET and HEAD have a route each.
    scope.addHook('onRoute', (route) => {
      if (!route.url.endsWith('.js')) return;
      script ??= keepScript(route.handler);
      route.config = { ...route.config, conditional: true };
      route.handler = script;
    });
    scope.addHook('onSend', async (_request, reply, payload) => {
      reply.helmet({ contentSecurityPolicy: policyFor(typeof payload === 'string' ? payload : '') });
    });
    await scope.register(scalar, { routePrefix: '/reference', configuration: CONFIGURATION });
  });
}

/** The script has 4 MB: the answer of the library's handler is read once, and its compressed bytes are kept. */
function keepScript(handler: RouteOptions['handler']): StaticAnswer {
  return staticAnswer('application/javascript; charset=utf-8', () => {
    let script = '';
    const reply = {
      header: () => reply,
      send: (content: string) => {
        script = content;
      },
    };
    (handler as unknown as (request: undefined, to: typeof reply) => void)(undefined, reply);
    return script;
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
