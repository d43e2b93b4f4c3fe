import { fileURLToPath } from 'node:url';

/**
 * MapLibre's files for the tracking page, copied into the tree: under 2 MB, where the package with source maps and
 * style specification takes 46 MB.
 */
export const COPIED_FILES = new Map(
  ['dist/maplibre-gl.mjs', 'dist/maplibre-gl-worker.mjs', 'dist/maplibre-gl.css', 'LICENSE.txt'].map((path) => {
    const name = path.replace('dist/', '');
    return [`web/tracking/maplibre-gl/${name}`, fileOfPackage(path)];
  }),
);

/** The package does not export its license. */
function fileOfPackage(path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve('maplibre-gl/package.json')));
}
