import { join } from 'node:path';
import { bundleWebFile, type WebFile } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/tracking');
const SOURCES = { script: 'page.ts', style: 'page.css', mapScript: 'map.ts', mapStyle: 'map.css', icon: 'icon.svg' };

/** The site's own files, bundled. */
export type SiteFiles = Readonly<Record<keyof typeof SOURCES, WebFile>> & { byName: ReadonlyMap<string, WebFile> };

let bundled: Promise<SiteFiles> | undefined;

/** Bundles the site's files once in a process, at the first call (some hundred milliseconds). A failed bundle is tried again. */
export function siteFiles(): Promise<SiteFiles> {
  bundled ??= bundle().catch((error) => {
    bundled = undefined;
    throw error;
  });
  return bundled;
}

async function bundle(): Promise<SiteFiles> {
  const named = await Promise.all(
    Object.entries(SOURCES).map(async ([key, file]) => [key, await bundleWebFile(join(FOLDER, file))] as const),
  );
  const files = Object.fromEntries(named) as Record<keyof typeof SOURCES, WebFile>;
  return { ...files, byName: new Map(named.map(([, file]) => [file.name, file])) };
}
