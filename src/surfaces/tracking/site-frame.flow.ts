import { join } from 'node:path';
import { FONT_FILES } from '../../access/accounts/brand-look.ts';
import { hostSiteUrl } from '../../access/accounts/tracking-site.ts';
import { findMapFiles } from '../../fulfillment/deliveries/street-map.flow.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { Config } from '../../platform/config/config.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import { brandOf, DEFAULT_BRAND } from './brand.ts';
import type { SiteVisit, Visit } from './find-tracked.flow.ts';
import type { SiteFrame } from './site.page.ts';
import { visitQuery } from './tracked-order.ts';
import type { Frame } from './tracking.page.ts';

const FOLDER = join(import.meta.dirname, '../../../web/tracking');
const SITE_SOURCES = { script: 'page.ts', style: 'page.css', icon: 'icon.svg' };

/** The site's own files, with the script in each language. Bundled once per process in a few hundred milliseconds. */
export const siteFiles = bundleOnce(FOLDER, SITE_SOURCES, LANGUAGES);

/** The fonts of brands, by file. */
export const fontFiles = bundleOnce(
  join(FOLDER, '../fonts'),
  Object.fromEntries(FONT_FILES.map((file) => [file, `${file}.woff2`])),
);

type BundledFile = { name: string };

/** Returns a site's path prefix: TRACKING_URL's; empty at an account's own host, which serves only the site. */
export const basePathOf = (config: Config, { isOwnHost }: Pick<SiteVisit, 'isOwnHost'>): string =>
  isOwnHost ? '' : new URL(config.trackingUrl).pathname.replace(/\/$/, '');

/**
 * Returns the URL of a visit's site: an account's own host, or the service's tracking site. Forms are sent to it and
 * links refer to it.
 */
export function siteUrlOf({ trackingUrl }: Config, { branding, isOwnHost }: Pick<SiteVisit, 'branding' | 'isOwnHost'>) {
  return isOwnHost && branding?.trackingHost ? hostSiteUrl(branding.trackingHost, trackingUrl) : trackingUrl;
}

/** Returns the frame of a page under `folder`, without the query of its language links. */
export function siteFrame(
  config: Config,
  visit: SiteVisit,
  folder: 'tracking' | 'checkout' | 'shop',
  files: { script: BundledFile; style: BundledFile; icon: BundledFile },
): Omit<SiteFrame, 'languageQuery'> {
  const { branding, orderId, locale } = visit;
  const base = basePathOf(config, visit);
  const brand = branding ? brandOf(branding) : DEFAULT_BRAND;
  const assetPath = (file: BundledFile) => `${base}/${folder}/assets/${file.name}`;
  return {
    brand,
    locale,
    lookPath: brand.look && `${base}/tracking/colors/${brand.look}.css`,
    iconPath: branding?.favicon
      ? `${base}/tracking/favicon${orderId ? `?tracking_id=${orderId}` : ''}`
      : assetPath(files.icon),
    scriptPath: assetPath(files.script),
    stylePath: assetPath(files.style),
  };
}

/** The page an order began on, without its query; otherwise a custom domain's front page. */
export function homeUrlOf({ isOwnHost }: Pick<SiteVisit, 'isOwnHost'>, order: Order | undefined): string | undefined {
  const begun = order?.request.checkoutReturnUrl;
  if (begun === undefined) return isOwnHost ? '/' : undefined;
  const { origin, pathname } = new URL(begun);
  return origin + pathname;
}

export async function readFrame(config: Config, visit: Visit): Promise<Frame> {
  const { tracked, locale } = visit;
  const base = basePathOf(config, visit);
  const files = (await siteFiles()).inLanguage(locale.language);
  return {
    ...siteFrame(config, visit, 'tracking', files),
    homeUrl: homeUrlOf(visit, tracked?.order),
    pagePath: `${base}/tracking`,
    siteUrl: siteUrlOf(config, visit),
    linkQuery: tracked ? visitQuery(tracked.order.orderId, visit) : '',
    languageQuery: tracked ? `${visitQuery(tracked.order.orderId, { ...visit, lang: undefined })}&` : '',
    eventsPath: `${base}/tracking/events`,
    mapFiles: await findMapFiles(config.mapTiles, base),
  };
}
