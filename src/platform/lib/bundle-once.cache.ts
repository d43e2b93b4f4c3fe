import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { deserialize } from 'node:v8';
import { lazyAsync } from './lazy-async.ts';
import { type Bundle, type Parts, ROOT, type WebFile, type WebFiles } from './web-files.ts';

/** The folder that a package has its bundles in, by their IDs. */
export const PACKED = 'bundles';
const ENGLISH = 'en';

/** The bundles of the loaded modules by ID; `npm pack` writes all of them. */
export const bundles = new Map<string, () => Promise<WebFile>>();

/**
 * Returns the files of a page, with `languages` once per language. They are read, or bundled where no one has bundled
 * them yet, once per process. Rejects if a file does not bundle.
 */
export function bundleOnce<Key extends string>(
  folder: string,
  sources: Readonly<Record<Key, string>>,
  languages: readonly string[] = [ENGLISH],
  parts: Parts = {},
): () => Promise<WebFiles<Key>> {
  const keys = Object.keys(sources) as Key[];
  const read = [...new Set([ENGLISH, ...languages])].map((language) => {
    const files = keys.map((key) => {
      const path = join(folder, sources[key]);
      const isScript = /\.(tsx?|m?js)$/.test(path);
      return [key, addBundle({ path, language: isScript ? language : ENGLISH, parts, platform: 'browser' })] as const;
    });
    return [language, files] as const;
  });
  return lazyAsync(async () => {
    const inLanguages = new Map(
      await Promise.all(
        read.map(async ([language, files]) => {
          const named = await Promise.all(files.map(async ([key, file]) => [key, await file()] as const));
          return [language, Object.fromEntries(named) as Record<Key, WebFile>] as const;
        }),
      ),
    );
    const english = inLanguages.get(ENGLISH) as Record<Key, WebFile>;
    const all = [...inLanguages.values()].flatMap((files) => Object.values<WebFile>(files));
    return {
      ...english,
      byName: new Map(all.map((file) => [file.name, file])),
      inLanguage: (language) => inLanguages.get(language) ?? english,
    };
  });
}

/**
 * Returns a module bundled for the server with the texts of a language: the components of a page render its first view
 * there.
 */
export function importOnce<Exports>(path: string, language: string): () => Promise<Exports> {
  const file = addBundle({ path, language, parts: {}, platform: 'node' });
  return lazyAsync(async () => import(`data:text/javascript;base64,${(await file()).bytes.toString('base64')}`));
}

function addBundle(bundle: Bundle): () => Promise<WebFile> {
  const { path, ...rest } = bundle;
  // A package has its own scripts as JavaScript.
  const place = relative(ROOT, path).replace(/\.ts$/, '.js');
  const id = createHash('sha256')
    .update(JSON.stringify({ place, ...rest }))
    .digest('base64url')
    .slice(0, 16);
  const known = bundles.get(id) ?? lazyAsync(() => readBundle(id, bundle));
  bundles.set(id, known);
  return known;
}

/** Reads a bundle of the package. In a clone, and for modules of plug-ins, `bundle-web-file.cache.ts` has it. */
async function readBundle(id: string, bundle: Bundle): Promise<WebFile> {
  const packed = await readFile(join(ROOT, PACKED, id)).catch(() => undefined);
  if (packed) return deserialize(packed).file;
  return (await import('./bundle-web-file.cache.ts')).bundleWebFile(id, bundle);
}
