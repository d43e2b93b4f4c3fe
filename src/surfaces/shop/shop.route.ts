import { join } from 'node:path';
import { parseCookie } from 'cookie';
import { present } from 'doorstep/collections';
import { html, toMarkup } from 'doorstep/html';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import type { Shop } from '../../access/accounts/shops.db.ts';
import { readCookie } from '../../access/customers/browser.ts';
import { findSessionCustomer } from '../../access/customers/customers.db.ts';
import { findMapFiles } from '../../fulfillment/deliveries/street-map.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import { contentAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { SHOWN_ANYWHERE } from '../../platform/http/security-headers.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { LANGUAGES, type Language, parseLanguage } from '../../platform/languages/language.ts';
import { LANG, pageLanguage } from '../../platform/languages/page-language.ts';
import { bundleOnce, importOnce } from '../../platform/lib/bundle-once.cache.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { qrCodeSvg } from '../../platform/lib/qr-code.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Geocoding } from '../../supply/addresses/geocoding.cache.ts';
import { listSavedAddresses } from '../../supply/addresses/saved-addresses.db.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { brandOf, DEFAULT_BRAND } from '../tracking/brand.ts';
import { signInSiteAt } from '../tracking/own-host.hook.ts';
import { siteFrame, basePathOf as sitePathOf, siteUrlOf } from '../tracking/site-frame.flow.ts';
import { refusalPageOf } from '../tracking/site-page.hook.ts';
import { basePathOf, findAtOwnHost, findAtService, type HostedShop, type HostedShopDeps } from './hosted-shop.flow.ts';
import { SHOP_HEADERS, shopPage, shopSecurity } from './shop.page.ts';
import { listShopStores } from './shop-stores.db.ts';
import { type PageRequest, PLACE_COOKIE, type ShopRenderer } from './shop-visit.ts';

/**
 * The shop (docs/storefront.md): pages of a list of stores, of a store and of this device's orders. An account's own
 * host has its shop at `/`. The service's host has the default one at `/shop`, and others at `/shops/ACCOUNT_ID`. The
 * first view is rendered by the components that the browser hydrates, from the API's answers to the visitor: with the
 * shop's key and within the same limits.
 */

const FOLDER = join(import.meta.dirname, '../../../web/shop');
const SOURCES = { script: 'page.tsx', style: 'page.css', icon: '../tracking/icon.svg' };
const shopFiles = bundleOnce(FOLDER, SOURCES, LANGUAGES);

const rendererIn = (language: Language) => importOnce<ShopRenderer>(join(FOLDER, 'server.tsx'), language);
const RENDERERS = { en: rendererIn('en'), fr: rendererIn('fr'), es: rendererIn('es') };

/** Maximum characters of cached pages. */
const MAX_MARKUP = 8 * 1024 * 1024;
const markups = new LRUCache<string, string>({ maxSize: MAX_MARKUP, sizeCalculation: ({ length }) => length });

function renderOnce(data: string, render: () => string): string {
  const key = sha256(data).toString('base64');
  const markup = markups.get(key) ?? render();
  markups.set(key, markup);
  return markup;
}

export type ShopDeps = HostedShopDeps & { config: Config; clock: Clock; geocoding: Pick<Geocoding, 'find'> };

/** Shows a shop's page. `http` answers the API's requests for its first view. */
export async function sendShop(
  http: Http,
  deps: ShopDeps,
  { shop, branding, isOwnHost }: HostedShop,
  requested: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config, clock } = deps;
  const { lang } = request.query as { lang?: unknown };
  const chosen = typeof lang === 'string' ? parseLanguage(lang) : undefined;
  const language = pageLanguage([chosen], request.headers['accept-language'], branding.language);
  const visit = { orderId: undefined, branding, isOwnHost, lang: chosen, locale: localeOf(language, 'US') };
  const files = (await shopFiles()).inLanguage(language);
  const frame = siteFrame(config, visit, 'shop', files);
  const service = new URL(config.baseUrl);
  const site = siteOf(config, { shop, branding, isOwnHost });
  const brand = brandOf(branding);
  const { name, logoUrl, coverUrl, welcome } = brand;
  const customer = await findCustomer(deps, request);
  const map = await findMapFiles(config.mapTiles, sitePathOf(config, { isOwnHost }));
  const { renderShop } = await RENDERERS[language]();
  const rendered = await renderShop(
    {
      requested,
      near: requested.kind === 'list' ? await findNear(deps, shop) : null,
      storeIds: shop.storeIds,
      knowsPlace: parseCookie(request.headers.cookie ?? '')[PLACE_COOKIE] === '1',
      ...site,
      apiBase: isOwnHost ? config.baseUrl : service.pathname,
      publishableKey: shop.key,
      language,
      ...(chosen && { lang: chosen }),
      isSandbox: shop.mode === 'sandbox',
      brand: { name, ...present({ logoUrl, coverUrl, welcome: welcome ?? undefined }) },
      // To the minute, so that visitors within a minute share the rendered page.
      nowEpochS: Math.floor(epochSeconds(clock.now()) / 60) * 60,
      // Pages with a customer's saved data aren't cached.
      renderOnce: customer ? (_data, render) => render() : renderOnce,
      ...(customer !== undefined && { customer }),
      ...(requested.kind === 'list' && shop.storeIds && map && { map }),
    },
    sendWithin(http, request, service.host),
  ).catch((error: unknown) => {
    // The client says that it got no response, because of the error.
    throw error instanceof Error && error.cause instanceof Refusal ? error.cause : error;
  });
  reply.setSecurity(shopSecurity(site.siteUrl, config, brand));
  const page = shopPage({ ...frame, branding, isSandbox: shop.mode === 'sandbox' }, rendered);
  if (rendered.status === 200 && !customer) reply.allowCaching('private, no-cache');
  return reply
    .code(rendered.status)
    .headers({ ...SHOP_HEADERS, 'content-language': language })
    .type('text/html; charset=utf-8')
    .send(page);
}

/** The customer of a browser's session; null for a visitor, undefined where no one can sign in. */
async function findCustomer({ db, clock, config, trackingSites }: ShopDeps, { headers }: FastifyRequest) {
  const site = signInSiteAt(trackingSites, config, headers.host);
  if (!site) return undefined;
  const session = readCookie(headers.cookie, 'session', site.issuer);
  const customer = await findSessionCustomer(db, session, site, clock.now());
  return customer ? { addresses: await listSavedAddresses(db, customer) } : null;
}

/**
 * A `fetch` that the service answers itself, for a page that reads the API while it is rendered. The requests are the
 * visitor's: they count for the same address, so a page costs no one more than the requests that it stands for. A
 * error that passes is the page's own, and a shop whose key is revoked is none.
 */
function sendWithin(http: Http, { headers, socket }: FastifyRequest, host: string): typeof fetch {
  const forwarded = headers['x-forwarded-for'];
  return async (input, init = {}) => {
    const url = new URL(String(input));
    const reply = await http.inject({
      method: (init.method ?? 'GET') as HTTPMethods,
      url: url.pathname + url.search,
      headers: {
        ...(init.headers as Record<string, string>),
        host,
        ...(forwarded && { 'x-forwarded-for': forwarded }),
      },
      remoteAddress: socket.remoteAddress ?? '',
    });
    const { statusCode: status } = reply;
    if (status === 429)
      throw new Refusal('rate_limited', 'Too many requests from this address.', {
        headers: { 'retry-after': String(reply.headers['retry-after'] ?? 1) },
      });
    if (status === 400) throw new Refusal('invalid_request', "This page's address can't be read.");
    if (status === 401) throw noShop();
    if (status === 503) throw new Refusal('not_ready', 'The service is busy.', retryAfter(1));
    return new Response(reply.rawPayload, {
      status,
      headers: { 'content-type': String(reply.headers['content-type']) },
    });
  };
}

/** Where a visitor without an address is shown stores; null where nothing is set, found or answered. Counts for the account. */
async function findNear({ geocoding }: ShopDeps, { accountId, mode, keyId, near }: Shop) {
  if (near === null) return null;
  try {
    const [found] = await geocoding.find({ accountId, mode, keyId }, near, { in: 'query', name: 'address' });
    return found ? { address: near, latitude: found.latitude, longitude: found.longitude } : null;
  } catch (error) {
    if (error instanceof Refusal || error instanceof OutsideError) return null;
    throw error;
  }
}

/** The list, or the store of a shop that has one. */
function frontOf({ shop }: HostedShop, request: FastifyRequest): PageRequest {
  const [storeId, ...others] = shop.storeIds ?? [];
  if (storeId !== undefined && others.length === 0) return { kind: 'store', storeId };
  return { kind: 'list', search: request.url.split('?')[1] ?? '' };
}

/** Gives `/` and `/robots.txt` of an account's own host to its shop. */
export function answerShopHosts(http: Http, deps: ShopDeps): void {
  http.addHook('onRoute', (route) => {
    if (route.url !== '/' && route.url !== '/robots.txt') return;
    const { handler, url } = route;
    if (url === '/') route.config = { ...route.config, refusalPage: refusalPageOf(deps) };
    route.handler = async function (request, reply) {
      const hosted = await findAtOwnHost(deps, request.headers.host);
      if (!hosted) return handler.call(this, request, reply);
      if (url === '/') return sendShop(http, deps, hosted, frontOf(hosted, request), request, reply);
      return reply.type('text/plain; charset=utf-8').send(robotsText(hosted, siteOf(deps.config, hosted)));
    };
  });
}

/** The site of a shop, and the path of the shop on it. */
function siteOf(config: Config, { shop, branding, isOwnHost }: HostedShop): { siteUrl: string; base: string } {
  const service = new URL(config.baseUrl);
  const base = basePathOf({ shop, isOwnHost });
  if (!isOwnHost) return { siteUrl: service.origin, base: service.pathname.replace(/\/$/, '') + base };
  return { siteUrl: siteUrlOf(config, { branding, isOwnHost }), base };
}

/** Search engines read a live shop, and none of its orders. */
function robotsText({ shop }: HostedShop, { siteUrl }: { siteUrl: string }): string {
  if (shop.mode === 'sandbox') return 'User-agent: *\nDisallow: /\n';
  const hidden = ['/orders', '/tracking', '/checkout'].map((path) => `Disallow: ${path}\n`);
  return `User-agent: *\n${hidden.join('')}Sitemap: ${siteUrl}/sitemap.xml\n`;
}

/** Maximum stores of a sitemap. A shop with more has one for each first digit of their IDs, which are hashes. */
const MAX_LISTED = 10_000;
/** Maximum URLs of a sitemap by its protocol. */
const MAX_PART = 50_000;
const DIGITS = [...'0123456789abcdef'];

/** A shop's pages, for search engines (sitemaps.org); with a digit, a part of them. */
async function sitemapText({ db, config }: ShopDeps, hosted: HostedShop, digit?: string): Promise<string> {
  const { siteUrl, base } = siteOf(config, hosted);
  const { storePath } = await RENDERERS.en();
  const stores = await listShopStores(db, hosted.shop, { limit: digit ? MAX_PART : MAX_LISTED + 1, digit });
  if (!digit && stores.length > MAX_LISTED) {
    return sitemapOf(
      'sitemapindex',
      'sitemap',
      DIGITS.map((part) => `${siteUrl}/sitemap.xml?part=${part}`),
    );
  }
  const paths = stores.map(({ storeId, name }) => storePath(base, storeId, name));
  return sitemapOf(
    'urlset',
    'url',
    [...(digit ? [] : [`${base}/`]), ...paths].map((path) => siteUrl + path),
  );
}

function sitemapOf(name: string, entry: string, urls: readonly string[]): string {
  return toMarkup(html`<?xml version="1.0" encoding="UTF-8"?>
<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map((url) => html`<${entry}><loc>${url}</loc></${entry}>\n`)}</${name}>
`);
}

/** A store of the demo, as the paths of pages name one. */
const EXAMPLE = { path: { store: `store-${EXAMPLE_STORE_ID}` } };
const STORE = { store: Type.String({ description: "Any words, a hyphen and the store's `_id`.", maxLength: 200 }) };
/** Where shops are: at accounts' own hosts, and at the service's. */
const SITES = [
  { prefix: '', suffix: '', where: "Available at an account's custom domain if its shop is on.", of: {} },
  { prefix: '/shop', suffix: 'OfDemo', where: "The demo's shop.", of: {} },
  {
    prefix: '/shops/:account_id',
    suffix: 'OfAccount',
    where: 'The shop of an account with an enabled shop and no verified custom domain.',
    of: { account_id: Type.String({ description: 'The account.', maxLength: 64 }) },
  },
] as const;
const QUERY = Type.Object({ ...LANG });
const answers = {
  200: contentAnswer('The page.', ['text/html']),
  404: pageOrProblem('There is no such store, or no shop at this host'),
};

/** The shop's pages at an account's own host, and of the demo's at the service's. */
export function shopRoutes(http: Http, deps: ShopDeps): void {
  const { config } = deps;
  const security = shopSecurity(config.baseUrl, config, DEFAULT_BRAND);
  const filed = { public: true, refuses: ['route_not_found', 'not_ready'] } as const;
  const options = { config: { ...filed, refusalPage: refusalPageOf(deps) }, security };
  for (const { prefix, suffix, where, of } of SITES) {
    const describe = (operationId: string, summary: string, params = {}) => ({
      operationId: `${operationId}${suffix}`,
      summary,
      description: `Shows a page for browsers. ${where}`,
      params: Type.Object({ ...of, ...params }),
      querystring: QUERY,
      response: answers,
    });
    const find = async ({ headers, params: named }: FastifyRequest) => {
      const { account_id } = named as { account_id?: string };
      const hosted = await (prefix === '' ? findAtOwnHost(deps, headers.host) : findAtService(deps, account_id));
      if (!hosted || (account_id && hosted.branding.trackingHostVerifiedAt !== null)) throw noShop();
      return hosted;
    };
    const answer =
      (pageRequestOf: (hosted: HostedShop, request: FastifyRequest) => PageRequest) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        const hosted = await find(request);
        return sendShop(http, deps, hosted, pageRequestOf(hosted, request), request, reply);
      };
    if (prefix !== '') http.get(prefix, { schema: describe('readShop', 'The stores'), ...options }, answer(frontOf));
    const store = { ...describe('readShopStore', 'A store and its menu', STORE), example: EXAMPLE };
    http.get(
      `${prefix}/s/:store`,
      { schema: store, ...options },
      answer((_hosted, request) => ({ kind: 'store', storeId: storeIdIn(request) })),
    );
    const code = {
      ...describe('readShopCode', "A QR code of a store's page, to print", STORE),
      example: EXAMPLE,
      response: { 200: contentAnswer('The code.', ['image/svg+xml']) },
    };
    const codeOptions = { schema: code, config: filed, security: SHOWN_ANYWHERE };
    http.get(`${prefix}/s/:store/code.svg`, codeOptions, async (request, reply) => {
      const hosted = await find(request);
      const storeId = storeIdIn(request);
      if (!STORE_ID.test(storeId)) throw noShop();
      const { siteUrl, base } = siteOf(config, hosted);
      reply.allowCaching('public, max-age=3600').type('image/svg+xml');
      return reply.send(qrCodeSvg(`${siteUrl}${base}/s/${storeId}`));
    });
    const orders = describe('readShopOrders', 'The orders of this device');
    http.get(
      `${prefix}/orders`,
      { schema: orders, ...options },
      answer(() => ({ kind: 'orders' })),
    );
  }
  const sitemap = {
    operationId: 'readShopSitemap',
    summary: "Get the shop's sitemap",
    description: "Available at an account's custom domain if its shop is on and live.",
    querystring: Type.Object({
      part: Type.Optional(
        Type.String({ pattern: '^[0-9a-f]$', description: 'A part of a large shop, named in the sitemap index.' }),
      ),
    }),
    response: { 200: contentAnswer('A sitemap (sitemaps.org), or an index of its parts.', ['application/xml']) },
  };
  http.get('/sitemap.xml', { schema: sitemap, config: filed }, async ({ headers, query }, reply) => {
    const hosted = await findAtOwnHost(deps, headers.host);
    if (hosted?.shop.mode !== 'live') throw noShop();
    return reply
      .allowCaching('public, max-age=3600')
      .type('application/xml')
      .send(await sitemapText(deps, hosted, query.part));
  });
  const page = { folder: '/shop/assets', operationId: 'readShopFile', page: 'the shop' };
  serveWebFiles(http, { ...page, bundles: [shopFiles], modules: Object.values(RENDERERS), security });
}

const STORE_ID = /^[0-9a-f]{24}$/;

function storeIdIn({ params }: FastifyRequest): string {
  const { store } = params as { store: string };
  return store.slice(store.lastIndexOf('-') + 1);
}

const noShop = () => new Refusal('route_not_found', 'This host has no shop.');
