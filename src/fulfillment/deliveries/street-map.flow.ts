import { join } from 'node:path';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import type { MapTiles } from '../../platform/lib/parse-setting.ts';
import type { MapFiles } from './street-map.ts';

/**
 * Files of the street map, bundled once per process; only a service with tiles needs them. The map library's worker is
 * served as a file, so no page needs to allow `blob:` workers.
 */
export const mapFiles = bundleOnce(join(import.meta.dirname, '../../../web/tracking'), {
  script: 'map.ts',
  style: 'map.css',
  worker: 'maplibre-gl/maplibre-gl-worker.mjs',
});

/** Returns the paths of the map's files below a site's path prefix; undefined for a service without tiles. */
export async function findMapFiles(tiles: MapTiles | undefined, base: string): Promise<MapFiles | undefined> {
  if (!tiles) return undefined;
  const { script, style, worker } = await mapFiles();
  const pathOf = (file: { name: string }) => `${base}/tracking/assets/${file.name}`;
  return {
    script: pathOf(script),
    style: pathOf(style),
    worker: pathOf(worker),
    tiles: 'url' in tiles ? tiles.url : `${base}/tracking/tiles.pmtiles`,
  };
}
