import { join } from 'node:path';
import { type ApiDocument, referencePage, referenceParts } from 'doorstep/api-reference';
import { Type } from 'typebox';
import { optionalText } from '../../platform/http/api-components.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { pageSecurity } from '../../platform/http/security-headers.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { staticAnswer } from '../../platform/http/static-answer.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import { lazyAsync } from '../../platform/lib/lazy-async.ts';
import type { WebFile } from '../../platform/lib/web-files.ts';

/** `describe` returns the document; `baseUrl` decides whether https is used. */
type ReferenceOptions = { describe: () => object; baseUrl: string; canTry: boolean };

/**
 * Tags with operations for apps, including events, which are calls to an app. All other tags are collapsed at first.
 */
const APP_TAGS = new Set(
  'Stores,Places,Products,Inventory,Payment methods,Orders,Account,Webhooks,Events,Sandbox,Agents'.split(','),
);

const LOCATION = { Location: { type: 'string', description: "The reference's address." } };

const TAGS = ['Operations'];
const pageSchema = {
  operationId: 'readReference',
  tags: TAGS,
  summary: 'Open the API reference',
  description:
    'Shows every endpoint, webhook and schema, with a page of fields and responses for each tag. The pages work without scripts. With scripts, each endpoint has a form for sending requests.',
  querystring: Type.Object({
    tag: optionalText(
      50,
      'A tag with `-` for spaces, `Events` or `Schemas` opens its page. Any other value opens the first page.',
    ),
  }),
  response: {
    200: contentAnswer('Redirects to the page, at the path with a trailing slash.', ['text/html']),
    301: emptyAnswer('To `/reference/`.', LOCATION),
  },
};
/** GET /openapi.json returns the API description. No key needed. */
export function openApiRoute(http: Http, describe: () => object): void {
  const send = staticAnswer('application/json; charset=utf-8', () => JSON.stringify(describe()));
  const schema = {
    operationId: 'readOpenApi',
    tags: TAGS,
    summary: 'Get this OpenAPI description',
    description: 'Returns the OpenAPI document for generators, validators and test tools.',
    response: { 200: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document.' }) },
  };
  http.get('/openapi.json', { config: { public: true, conditional: true }, schema }, (request, reply) =>
    send(request, reply),
  );
}

/**
 * Registers the reference page, which needs no key. With `canTry`, its forms send requests to the host that serves the
 * page, which the operators' listener does not answer.
 */
export function referenceRoutes(http: Http, { describe, baseUrl, canTry }: ReferenceOptions): void {
  const security = pageSecurity(baseUrl);
  const senders = lazyAsync(async () => {
    const { script, style, icon } = await referenceFiles();
    const named = ({ name }: WebFile) => `assets/${name}`;
    const paths = { script: named(script), style: named(style), icon: named(icon) };
    const document = describe() as ApiDocument;
    const send = (part?: string) =>
      staticAnswer('text/html; charset=utf-8', () =>
        referencePage(document, { paths, canTry, openTags: APP_TAGS }, part),
      );
    return { first: send(), parts: new Map(referenceParts(document).map((part) => [part, send(part)])) };
  });
  const config = { public: true, conditional: true } as const;
  http.get('/reference', { config, schema: pageSchema, security }, async (request, reply) => {
    // The page's files are relative to it.
    if (!/^[^?]*\/(\?|$)/.test(request.url)) return reply.redirect('/reference/', 301);
    const { first, parts } = await senders();
    return (parts.get(request.query.tag ?? '') ?? first)(request, reply);
  });
  const page = { folder: '/reference/assets', operationId: 'readReferenceFile', page: 'the reference' };
  serveWebFiles(http, { ...page, bundles: [referenceFiles], security });
}

const FOLDER = join(import.meta.dirname, '../../../web/reference');

/** The reference's files, bundled once per process. */
export const referenceFiles = bundleOnce(FOLDER, { script: 'page.ts', style: 'page.css', icon: 'icon.svg' });
