import type { ContentPolicy } from '../../platform/http/content-policy.ts';
import type { MapTiles } from '../../platform/lib/parse-setting.ts';

/*
 * The street map of the tracking page, of the driver's page and of the shop's list: its files, its data, and the content policy that its
 * tiles need.
 */

/** A position on the browser's map, as latitude and longitude. */
export type MapPoint = readonly [number, number];

/** The positions on the map; `course` is the driver's course in degrees from north. */
export type MapView = {
  store: MapPoint;
  door: MapPoint | null;
  driver: MapPoint;
  course: number | null;
  /** The route from the driver to the next stop: the store before pick-up, the address after. */
  way: readonly MapPoint[];
};

/** A store on the map of a shop: its pin is a link to its page. */
export type StorePin = { at: MapPoint; name: string; path: string };

/** Paths of the scripts, styles and tiles of the street map. */
export type MapFiles = { script: string; style: string; worker: string; tiles: string };

/** Returns the content policy of a page with the map, which may load tiles from their own host. */
export function mapPolicy(mapTiles: MapTiles | undefined): ContentPolicy {
  const tiles = tileSource(mapTiles);
  return { 'img-src': ["'self'", 'data:'], 'connect-src': ["'self'", ...(tiles ? [tiles] : [])] };
}

/** Returns a URL's origin, empty for hosts with `;` or quotes: the URL standard allows them; they inject directives. */
export function originOf(url: string | undefined): string {
  const origin = (url && URL.parse(url)?.origin) || '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : '';
}

/** Returns the source of tiles. `{s}` is one of several servers, so any label is allowed there. */
function tileSource(tiles: MapTiles | undefined): string {
  if (!tiles || 'file' in tiles) return '';
  const origin = originOf(tiles.url.replace(/^(https?:\/\/[^/]*)\{s\}/, '$1any-label').replaceAll(/[{}]/g, ''));
  return origin.replace(/\bany-label/, '*');
}
