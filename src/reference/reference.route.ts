import { createHash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import { Type } from 'typebox';
import { emptyAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';

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

/** The API's description, for programs and for people. No key needed. */
export function referenceRoutes(http: Http): void {
  const config = { public: true } as const;
  const tags = ['Operations'];
  http.get(
    '/openapi.json',
    {
      config,
      schema: {
        operationId: 'readOpenApi',
        tags,
        summary: 'This description, for programs',
        response: { 200: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document.' }) },
      },
    },
    async () => http.swagger() as object,
  );
  http.get(
    '/',
    {
      config,
      schema: {
        operationId: 'findReference',
        tags,
        summary: 'The way to the reference',
        response: { 302: emptyAnswer('To `/reference`.', LOCATION) },
      },
    },
    async (request, reply) => {
      // The router matches the path `*` with this route.
      if (!request.url.startsWith('/')) return reply.callNotFound();
      return reply.redirect('/reference', 302);
    },
  );
  http.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      reply.helmet({ contentSecurityPolicy: policyFor(typeof payload === 'string' ? payload : '') });
    });
    await scope.register(scalar, { routePrefix: '/reference', configuration: CONFIGURATION });
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
