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
import { html, htmlDocument } from '../../../platform/lib/html.ts';
import { docsFiles, docsSite } from './docs-site.cache.ts';
import { documentPath, FRONT } from './site-links.ts';

const HTML = 'text/html; charset=utf-8';
const LOCATION = { Location: { type: 'string', description: 'Where the page is, relative to the address asked for.' } };
const PAGE = { 200: contentAnswer('The page.', ['text/html']) };
const MISSING = {
  404: contentAnswer('There is no such page: a page for browsers, a problem where `Accept` does not name HTML.', [
    'text/html',
  ]),
};
const MOVED = { 301: emptyAnswer('The page has another address.', LOCATION) };
const PAGE_NAME = Type.String({ description: 'The name of a document, such as `orders`.' });

const frontSchema = describe(
  'readDocsFront',
  'The front page of the documentation',
  'Leads to every document of the version that answers.',
  { ...PAGE, ...MOVED },
);
const pageSchema = {
  ...describe('readDocsPage', 'A page of the documentation', 'A document of the version that answers.', {
    ...PAGE,
    ...MOVED,
    ...MISSING,
  }),
  example: { path: { page: 'architecture' } },
  params: Type.Object({ page: PAGE_NAME }),
};
const decisionSchema = {
  ...describe(
    'readDocsDecision',
    'A decision on the architecture, as a page',
    'What was decided, why, and what was measured.',
    { ...PAGE, ...MOVED, ...MISSING },
  ),
  example: { path: { page: '0013-nine-floors' } },
  params: Type.Object({ page: PAGE_NAME }),
};
const imageSchema = {
  ...describe('readDocsImage', 'An image of the documentation', 'Pages show it beside their text.', {
    200: contentAnswer('The image.', ['image/png', 'image/svg+xml']),
  }),
  params: Type.Object({ name: Type.String({ description: 'As the page names it.' }) }),
};
const searchSchema = describe(
  'readDocsWords',
  'The words of all pages, for the search in the browser',
  'The page reads it with the first search.',
  { 200: Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Pages with their sections.' }) },
);

function describe<Answers extends Record<number, object>>(
  operationId: string,
  summary: string,
  description: string,
  response: Answers,
) {
  return { operationId, tags: ['Operations'], summary, description, response };
}

type PlacedPage = { folder: '' | 'adr/'; page: string };

/** This version's documentation, beside the reference. No key needed. */
export function docsRoutes(http: Http, { config: { baseUrl } }: { config: Config }): void {
  const security = pageSecurity(baseUrl);
  const answers = createAnswers();
  const config = { public: true, conditional: true, refuses: ['route_not_found'] } as const;
  const ofFront = { public: true, conditional: true } as const;
  /** Embedded parts of a page are not rate limited, because images would use up the reader's limit. */
  const ofPage = { ...config, uncounted: true } as const;
  http.get('/docs', { config: ofFront, schema: frontSchema, security }, async (request, reply) => {
    // The page's links are relative to a path with a trailing slash.
    if (!endsWithSlash(request.url)) return reply.redirect('docs/', 301);
    const answer = await answers.page(FRONT);
    if (!answer) throw noSuchPage();
    return answer(request, reply);
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, { folder, page }: PlacedPage) => {
    const moved = canonicalPath(request.url, { folder, page });
    if (moved !== undefined) return reply.redirect(moved, 301);
    const answer = await answers.page(`${folder}${page}`);
    if (answer) return answer(request, reply);
    const { accept = '' } = request.headers;
    if (!accept.includes('text/html') || prefersJson(accept)) throw noSuchPage();
    reply.code(404).headers({ vary: 'accept', 'cache-control': 'no-store' }).type(HTML);
    return missingPage(folder) as never;
  };
  http.get('/docs/:page', { config, schema: pageSchema, security }, (request, reply) =>
    sendPage(request, reply, { folder: '', page: request.params.page }),
  );
  http.get('/docs/adr/:page', { config, schema: decisionSchema, security }, (request, reply) =>
    sendPage(request, reply, { folder: 'adr/', page: request.params.page }),
  );
  http.get('/docs/images/:name', { config: ofPage, schema: imageSchema, security }, async (request, reply) => {
    const answer = await answers.image(`images/${request.params.name}`);
    return answer(request, reply);
  });
  const sendWords = staticAnswer('application/json; charset=utf-8', async () => (await docsSite()).searchIndex());
  http.get('/docs/search/words.json', { config: ofPage, schema: searchSchema, security }, sendWords);
  const site = { folder: '/docs/assets', operationId: 'readDocsFile', tag: 'Operations', page: 'the documentation' };
  serveWebFiles(http, { ...site, bundles: [docsFiles], security });
}

const noSuchPage = () => new Refusal('route_not_found', 'There is no such page.');

/** The page for an unknown URL. */
function missingPage(folder: PlacedPage['folder']): string {
  const front = folder === '' ? './' : '../';
  return htmlDocument({
    title: 'Page not found · Doorstep',
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main><h1>There is no such page</h1><p><a href="${front}">All documents</a></p></main>`,
  });
}

const endsWithSlash = (url: string) => /^[^?]*\/(\?|$)/.test(url);

/**
 * Redirect target for a page that was requested with a trailing slash, which breaks its links, or with a file ending.
 */
function canonicalPath(url: string, { folder, page }: PlacedPage): string | undefined {
  if (endsWithSlash(url)) return `../${encodeURIComponent(page)}`;
  const name = documentPath(`${folder}${page}`);
  if (name === `${folder}${page}`) return undefined;
  // A folder's README is one level above the folder.
  if (!name.startsWith(folder)) return `../${name}`;
  return name === FRONT ? './' : encodeURIComponent(name.slice(folder.length));
}

/** Caches answers by page and image, of which the site has a fixed number. */
function createAnswers() {
  const kept = new Map<string, StaticAnswer>();
  const answer = (path: string, type: string, read: () => string | Buffer): StaticAnswer => {
    const found = kept.get(path) ?? staticAnswer(type, read);
    kept.set(path, found);
    return found;
  };
  return {
    page: async (path: string): Promise<StaticAnswer | undefined> => {
      const write = (await docsSite()).pages.get(path);
      return write && answer(path, HTML, write);
    },
    image: async (path: string): Promise<StaticAnswer> => {
      const image = (await docsSite()).images.get(path);
      if (!image) throw new Refusal('route_not_found', 'There is no such image.');
      return answer(path, image.type, () => image.bytes);
    },
  };
}
