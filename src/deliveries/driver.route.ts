import { join } from 'node:path';
import { contentAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { prefersJson } from '../http/prefers-json.ts';
import { serveWebFiles } from '../http/send-web-file.ts';
import { bundledOnce } from '../lib/web-files.ts';
import { type DriverFrame, driverPage, missingDriverPage } from './driver.page.ts';
import { findDelivery, linkNotFound } from './driver-delivery.flow.ts';
import { CALLS_PER_MINUTE, limitLink } from './driver-link.ts';
import { type DriverDeps, DriverStateSchema, driverSecurity, LinkParams } from './driver-schema.ts';
import { driverState, mapAppOf } from './driver-view.ts';

const FOLDER = join(import.meta.dirname, '../../web/driver');

/** The files of the driver's page, bundled once in a process. */
export const driverFiles = bundledOnce(FOLDER, { script: 'page.ts', style: 'page.css', icon: 'icon.svg' });

/** The page asks for the position of the phone and for no other sensor; the photo is taken by the phone's own camera app. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'permissions-policy': 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept',
};

const pageSchema = {
  operationId: 'readDriverPage',
  tags: ['Drivers'],
  summary: "The page of a delivery's driver; the link is the permission",
  description: 'A page for the browser of a phone: where to go, what to hand over, and the steps of the delivery.',
  params: LinkParams,
  response: {
    200: contentAnswer('The page of the delivery.', ['text/html']),
    404: contentAnswer(
      'The link does not work, or not any more: a page says so, or a problem where `Accept` puts JSON above HTML.',
      ['text/html'],
    ),
  },
};

const stateSchema = {
  operationId: 'readDriverState',
  tags: ['Drivers'],
  summary: "What the driver's page shows now",
  description: 'The page reads it again while the delivery is under way.',
  params: LinkParams,
  response: { 200: DriverStateSchema },
};

/** GET /driver/{token}, the page; GET /driver/{token}/state, its parts for its script. */
export function driverRoutes(http: Http, deps: DriverDeps): void {
  const helmet = driverSecurity(deps.config);
  const count = limitLink(CALLS_PER_MINUTE, deps.clock);
  const config = { public: true, refuses: ['order_not_found', 'rate_limited', 'not_ready'] } as const;
  http.get('/driver/:token', { schema: pageSchema, config, helmet }, async ({ params, headers }, reply) => {
    count(params.token);
    const delivery = await findDelivery(deps, params.token);
    reply.headers(PAGE_HEADERS);
    if (!delivery && prefersJson(headers.accept)) throw linkNotFound();
    const frame = await frameOf(deps);
    reply.statusCode = delivery ? 200 : 404;
    const page = delivery ? driverPage(frame, delivery, mapAppOf(headers['user-agent'])) : missingDriverPage(frame);
    return reply.type('text/html; charset=utf-8').send(page);
  });
  http.get('/driver/:token/state', { schema: stateSchema, config, helmet }, async ({ params, headers }, reply) => {
    count(params.token);
    const delivery = await findDelivery(deps, params.token);
    if (!delivery) throw linkNotFound();
    reply.header('cache-control', 'no-store');
    return driverState(delivery, mapAppOf(headers['user-agent']));
  });
}

/** Paths begin with the path of BASE_URL. */
async function frameOf({ config }: Pick<DriverDeps, 'config'>): Promise<DriverFrame> {
  const files = await driverFiles();
  const base = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const pathOf = ({ name }: { name: string }) => `${base}/driver/assets/${name}`;
  return { iconPath: pathOf(files.icon), scriptPath: pathOf(files.script), stylePath: pathOf(files.style) };
}

/** GET /driver/assets/{name}. */
export function driverFilesRoute(http: Http, { config }: Pick<DriverDeps, 'config'>): void {
  const page = { path: '/driver', operationId: 'readDriverFile', tag: 'Drivers', page: "the driver's page" };
  serveWebFiles(http, { ...page, bundles: [driverFiles], helmet: driverSecurity(config) });
}
