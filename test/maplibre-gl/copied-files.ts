import { join } from 'node:path';
import { installApart } from '../apart-packages.ts';

const PACKAGE = join(installApart(join(import.meta.dirname, './package')), 'node_modules/maplibre-gl');

/**
 * MapLibre's files for the tracking page, copied into the tree: under 2 MB, where the package with source maps and
 * style specification takes 46 MB.
 */
export const COPIED_FILES = new Map(
  ['dist/maplibre-gl.mjs', 'dist/maplibre-gl-worker.mjs', 'dist/maplibre-gl.css', 'LICENSE.txt'].map((path) => {
    const name = path.replace('dist/', '');
    return [`web/tracking/maplibre-gl/${name}`, join(PACKAGE, path)];
  }),
);
