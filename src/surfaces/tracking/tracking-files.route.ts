import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { lookStyle, parseLookName } from '../../access/accounts/brand-look.ts';
import { mapFiles } from '../../fulfillment/deliveries/street-map.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { etagMatches } from '../../platform/http/json-pieces.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { DEFAULT_BRAND, siteSecurity } from './brand.ts';
import { findTracked } from './find-tracked.flow.ts';
import { fontFiles, siteFiles } from './site-frame.flow.ts';

const ONE_HOUR_CACHING = 'public, max-age=3600';

const ICON_TYPES = ['image/png', 'image/svg+xml'];

const colorSchema = {
  operationId: 'readTrackingColors',
  summary: "Get the styles for a brand's color, corners and fonts",
  description: 'Used by pages of an account with its own theme.',
  example: { path: { name: '0b6b4a.css' } },
  params: Type.Object({
    name: Type.String({
      description:
        'The file name in the page: color, corners and fonts, such as `0b6b4a.css` or `0b6b4a-round-classic.css`.',
    }),
  }),
  response: { 200: contentAnswer('The styles.', ['text/css']) },
};

const faviconSchema = {
  operationId: 'readTrackingIcon',
  summary: "Get the icon of the order's brand",
  description: 'Without `tracking_id`, returns the icon of the account whose custom domain is requested.',
  example: { query: { tracking_id: '{order_id}' } },
  querystring: Type.Object({ tracking_id: Type.Optional(Type.String({ description: 'An order_id.' })) }),
  response: {
    200: contentAnswer("The brand's PNG, or Doorstep's SVG.", ICON_TYPES),
    304: emptyAnswer('The icon in `If-None-Match` is current.'),
  },
};

/** Registers the routes of the tracking site's files: its script and styles, and the brand's icon. */
export function trackingFilesRoutes(http: Http, deps: { config: Config; db: Db; tokens: TokenSealer }): void {
  const config = { public: true } as const;
  const security = siteSecurity(deps.config, DEFAULT_BRAND);
  const fileConfig = { ...config, uncounted: true, refuses: ['route_not_found'] } as const;
  const bundles = [siteFiles, fontFiles, ...(deps.config.mapTiles ? [mapFiles] : [])];
  const page = { folder: '/tracking/assets', operationId: 'readTrackingFile', page: 'the tracking site' };
  serveWebFiles(http, { ...page, bundles, security, more: ['font/woff2'] });
  http.get(
    '/tracking/colors/:name',
    { config: fileConfig, schema: colorSchema, security },
    async ({ params }, reply) => {
      const look = params.name.endsWith('.css') ? parseLookName(params.name.slice(0, -4)) : undefined;
      if (!look) throw new Refusal('route_not_found', 'There is no such file.');
      const fonts = await fontFiles();
      return reply
        .allowCaching(ONE_HOUR_CACHING)
        .type('text/css; charset=utf-8')
        .send(lookStyle(look, (file) => `../assets/${fonts[file]?.name}`));
    },
  );
  const iconConfig = { ...config, conditional: true, refuses: ['not_ready'] } as const;
  http.get('/tracking/favicon', { config: iconConfig, schema: faviconSchema, security }, async (request, reply) => {
    const { branding } = await findTracked(deps, request.headers, request.query);
    const icon = branding?.favicon ?? (await siteFiles()).icon;
    const etag = `"${createHash('sha256').update(icon.bytes).digest('base64url').slice(0, 16)}"`;
    reply.header('etag', etag).allowCaching(ONE_HOUR_CACHING);
    if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined);
    return reply.type(icon.type).send(icon.bytes);
  });
}
