import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { MapTiles } from '../../platform/lib/parse-setting.ts';
import { bundledOnce } from '../../platform/lib/web-files.ts';
import { brandOf, DEFAULT_BRAND } from './brand.ts';
import type { Visit } from './find-tracked.flow.ts';
import type { MapFiles } from './map-view.ts';
import { visitQuery } from './tracked-order.ts';
import type { Frame } from './tracking.page.ts';

const FOLDER = join(import.meta.dirname, '../../../web/tracking');
const SITE_SOURCES = { script: 'page.ts', style: 'page.css', icon: 'icon.svg' };
/** The map library runs its own file as a worker, so no page needs to allow `blob:` workers. */
const MAP_SOURCES = { script: 'map.ts', style: 'map.css', worker: 'maplibre-gl/maplibre-gl-worker.mjs' };

/** The site's own files, its script in each language, bundled once in a process (some hundred milliseconds). */
export const siteFiles = bundledOnce(FOLDER, SITE_SOURCES, LANGUAGES);

/** The files of the map with streets, bundled once in a process. Only a service with tiles needs them. */
export const mapFiles = bundledOnce(FOLDER, MAP_SOURCES);

/** Paths begin with the path of TRACKING_URL; on an account's own host, which serves the site alone, at its root. */
export async function frameOf(config: Config, visit: Visit): Promise<Frame> {
  const { branding, isOwnHost, tracked, locale } = visit;
  const files = (await siteFiles()).inLanguage(locale.language);
  const base = isOwnHost ? '' : new URL(config.trackingUrl).pathname.replace(/\/$/, '');
  const assetPath = (file: { name: string }) => `${base}/tracking/assets/${file.name}`;
  const favicon = tracked
    ? `${base}/tracking/favicon?tracking_id=${tracked.order.orderId}`
    : `${base}/tracking/favicon`;
  const brand = branding ? brandOf(branding) : DEFAULT_BRAND;
  return {
    brand,
    locale,
    pagePath: `${base}/tracking`,
    linkQuery: tracked ? visitQuery(tracked.order.orderId, visit) : '',
    languageQuery: tracked ? `${visitQuery(tracked.order.orderId, { ...visit, lang: undefined })}&` : '',
    colorPath: brand.color && `${base}/tracking/colors/${brand.color.slice(1)}.css`,
    iconPath: branding?.favicon ? favicon : assetPath(files.icon),
    scriptPath: assetPath(files.script),
    stylePath: assetPath(files.style),
    eventsPath: `${base}/tracking/events`,
    mapFiles: config.mapTiles && (await mapFilesOf(config.mapTiles, base)),
  };
}

async function mapFilesOf(tiles: MapTiles, base: string): Promise<MapFiles> {
  const { script, style, worker } = await mapFiles();
  const pathOf = (file: { name: string }) => `${base}/tracking/assets/${file.name}`;
  return {
    script: pathOf(script),
    style: pathOf(style),
    worker: pathOf(worker),
    tiles: 'url' in tiles ? tiles.url : `${base}/tracking/tiles.pmtiles`,
  };
}
