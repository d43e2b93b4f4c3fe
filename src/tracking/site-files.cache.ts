import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledOnce } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/tracking');
const SITE_SOURCES = { script: 'page.ts', style: 'page.css', icon: 'icon.svg' };
/** The map library runs its own file as a worker: no page needs to allow workers of `blob:`. */
const MAP_WORKER = relative(FOLDER, fileURLToPath(import.meta.resolve('maplibre-gl/dist/maplibre-gl-worker.mjs')));
const MAP_SOURCES = { script: 'map.ts', style: 'map.css', worker: MAP_WORKER };

/** The site's own files, bundled once in a process (some hundred milliseconds). */
export const siteFiles = bundledOnce(FOLDER, SITE_SOURCES);

/** The files of the map with streets, bundled once in a process. Only a service with tiles needs them. */
export const mapFiles = bundledOnce(FOLDER, MAP_SOURCES);
