import { fileURLToPath } from 'node:url';

/**
 * The files of MapLibre that the tracking page needs are kept in the tree: the package, with its source maps and its style
 * specification, takes 46 MB of an installation, and these files take under 2.
 */
export const COPIED_FILES = new Map(
  ['dist/maplibre-gl.mjs', 'dist/maplibre-gl-worker.mjs', 'dist/maplibre-gl.css', 'LICENSE.txt'].map((path) => {
    const name = path.replace('dist/', '');
    return [`web/tracking/maplibre-gl/${name}`, fileOfPackage(path)];
  }),
);

/** The license is no export of the package. */
function fileOfPackage(path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve('maplibre-gl/package.json')));
}
