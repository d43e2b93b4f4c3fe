import { html, htmlDocument } from 'doorstep/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../../../platform/config/config.ts';
import { contentAnswer, emptyAnswer } from '../../../platform/http/content-answers.ts';
import type { Http } from '../../../platform/http/http.ts';
import { prefersJson } from '../../../platform/http/prefers-json.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { pageSecurity } from '../../../platform/http/security-headers.ts';
import { serveWebFiles } from '../../../platform/http/send-web-file.ts';
import { type StaticAnswer, staticAnswer } from '../../../platform/http/static-answer.ts';
import { documentPath, FRONT, pathFrom } from './docs.page.ts';
import { docsFiles, docsSite, MOVED_PAGES } from './docs-site.cache.ts';

/* Serves the documentation: its pages, the index of its search, and its files. */

const HTML = 'text/html; charset=utf-8';
const LOCATION = {
  Location: { type: 'string', description: "The page's address, relative to the requested address." },
};
const PAGE = {
  200: contentAnswer('The page.', ['text/html']),
  301: emptyAnswer('The page moved to another address.', LOCATION),
};
const PAGE_OR_NONE = {
  ...PAGE,
  404: contentAnswer(
    "There is no such page. Returns a page for browsers, or a problem if `Accept` doesn't include HTML.",
    ['text/html'],
  ),
};
const describe = (operationId: string, summary: string, description: string) => ({
  operationId,
  summary,
  description,
});
const params = Type.Object({ page: Type.String({ description: "A document's name, such as `orders`." }) });
const frontSchema = {
  ...describe(
    'readDocsFront',
    'The front page of the documentation',
    'Links to every document of the running version.',
  ),
  response: PAGE,
};
const pageSchema = {
  ...describe('readDocsPage', 'A page of the documentation', 'A document of the running version.'),
  example: { path: { page: 'architecture' } },
  params,
  response: PAGE_OR_NONE,
};
const decisionSchema = {
  ...describe(
    'readDocsDecision',
    'A decision on the architecture, as a page',
    'A decision, its reasons and the measurements behind it.',
  ),
  example: { path: { page: '0013-floors' } },
  params,
  response: PAGE_OR_NONE,
};
const imageSchema = {
  ...describe('readDocsImage', 'An image of the documentation', 'Used by the documentation pages.'),
  params: Type.Object({ name: Type.String({ description: 'The file name in the page.' }) }),
  response: { 200: contentAnswer('The image.', ['image/png', 'image/svg+xml']) },
};
const searchSchema = {
  ...describe(
    'readDocsWords',
    'The words of all pages, for the search in the browser',
    'The page requests it with the first search.',
  ),
  response: {
    200: Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'The pages with their sections.' }),
  },
};

/** This version's documentation, alongside the reference. No key needed. */
export function docsRoutes(http: Http, { config: { baseUrl } }: { config: Config }): void {
  const security = pageSecurity(baseUrl);
  const ofFront = { public: true, conditional: true } as const;
  const config = { ...ofFront, refuses: ['route_not_found'] } as const;
  /** Embedded parts of a page are not rate limited, because images would use up the reader's limit. */
  const ofPart = { ...config, uncounted: true } as const;
  /** Answers by path; the site has a fixed number of paths. */
  const answers = new Map<string, StaticAnswer>();
  const answerOf = (path: string, type: string, read: (() => string | Buffer) | undefined) => {
    const answer = answers.get(path) ?? (read && staticAnswer(type, read));
    if (answer) answers.set(path, answer);
    return answer;
  };
  /** `path` comes from the URL. A slash or a file extension at its end, or an earlier name, redirects to the page. */
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const named = documentPath(path);
    const page = MOVED_PAGES.get(named) ?? named;
    const answer = answerOf(page, HTML, (await docsSite()).pages.get(page));
    if (!answer) return sendMissing(request, reply, path);
    const hasSlash = /^[^?]*\/(\?|$)/.test(request.url);
    if (path === page && hasSlash === (page === FRONT)) return answer(request, reply);
    const requestedPath = hasSlash ? `${path}/` : path;
    return reply.redirect(requestedPath === FRONT ? 'docs/' : pathFrom(requestedPath, page), 301);
  };
  http.get('/docs', { config: ofFront, schema: frontSchema, security }, (request, reply) =>
    sendPage(request, reply, FRONT),
  );
  http.get('/docs/:page', { config, schema: pageSchema, security }, (request, reply) =>
    sendPage(request, reply, request.params.page),
  );
  http.get('/docs/adr/:page', { config, schema: decisionSchema, security }, (request, reply) =>
    sendPage(request, reply, `adr/${request.params.page}`),
  );
  http.get('/docs/images/:name', { config: ofPart, schema: imageSchema, security }, async (request, reply) => {
    const path = `images/${request.params.name}`;
    const image = (await docsSite()).images.get(path);
    const answer = answerOf(path, path.endsWith('.svg') ? 'image/svg+xml' : 'image/png', image && (() => image));
    if (!answer) throw new Refusal('route_not_found', 'There is no such image.');
    return answer(request, reply);
  });
  const sendWords = staticAnswer('application/json; charset=utf-8', async () =>
    JSON.stringify((await docsSite()).searchIndex()),
  );
  http.get('/docs/search/words.json', { config: ofPart, schema: searchSchema, security }, sendWords);
  const site = { folder: '/docs/assets', operationId: 'readDocsFile', page: 'the documentation' };
  serveWebFiles(http, { ...site, bundles: [docsFiles], security });
}

/** Sends a page to browsers and a problem to every other client. */
function sendMissing({ headers: { accept = '' } }: FastifyRequest, reply: FastifyReply, path: string): never {
  if (!accept.includes('text/html') || prefersJson(accept))
    throw new Refusal('route_not_found', 'There is no such page.');
  reply.code(404).header('vary', 'accept').type(HTML);
  return htmlDocument({
    title: 'Page not found · Doorstep',
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main><h1>There is no such page</h1><p><a href="${pathFrom(path, FRONT)}">All documents</a></p></main>`,
  }) as never;
}
