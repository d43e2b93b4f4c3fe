import { join } from 'node:path';
import { bundleWebFiles, type WebFiles } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/tracking');
const SOURCES = { script: 'page.ts', style: 'page.css', mapScript: 'map.ts', mapStyle: 'map.css', icon: 'icon.svg' };

/** The site's own files, bundled. */
export type SiteFiles = WebFiles<keyof typeof SOURCES>;

let bundled: Promise<SiteFiles> | undefined;

/** Bundles the site's files once in a process, at the first call (some hundred milliseconds). A failed bundle is tried again. */
export function siteFiles(): Promise<SiteFiles> {
  bundled ??= bundleWebFiles(FOLDER, SOURCES).catch((error) => {
    bundled = undefined;
    throw error;
  });
  return bundled;
}
