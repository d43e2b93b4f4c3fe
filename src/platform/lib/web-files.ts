import { createHash } from 'node:crypto';
import { join, parse } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { lazyAsync } from './lazy-async.ts';

/** A file for browsers. Its name includes a hash of its content, so the content under a name never changes. */
export type WebFile = EncodedBytes & { name: string; type: string };

/** A page's files by key and by file name. */
export type WebFiles<Key extends string> = Readonly<Record<Key, WebFile>> & {
  byName: ReadonlyMap<string, WebFile>;
  /** Returns the files with the texts of a language; English if the page has no bundle for it. */
  inLanguage(language: string): Readonly<Record<Key, WebFile>>;
};

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
const LARGE_BYTES = 256 * 1024;
/** Oldest supported browsers; older ones get the page without its script. */
const TARGET = ['es2022', 'chrome100', 'firefox100', 'safari15.4'];

/**
 * Bundles a page's files once per process, or with `languages` once per language: the bundler replaces imported English
 * texts by the language's own, and a part of them by another part in `parts`. Throws if a file does not bundle.
 */
export function bundleOnce<Key extends string>(
  folder: string,
  sources: Readonly<Record<Key, string>>,
  languages: readonly string[] = [ENGLISH],
  parts: Parts = {},
): () => Promise<WebFiles<Key>> {
  return lazyAsync(() => bundleWebFiles(folder, sources, languages, parts));
}

const ENGLISH = 'en';

/** Parts of the texts that others replace in a page's bundle, such as `shop.ts` by `counter.ts`. */
type Parts = Readonly<Record<string, string>>;

async function bundleWebFiles<Key extends string>(
  folder: string,
  sources: Readonly<Record<Key, string>>,
  languages: readonly string[],
  parts: Parts,
): Promise<WebFiles<Key>> {
  const bundles = new Map(
    await Promise.all(
      [...new Set([ENGLISH, ...languages])].map(
        async (language) => [language, await bundleIn(textsIn(language, parts), folder, sources)] as const,
      ),
    ),
  );
  const english = bundles.get(ENGLISH) as Record<Key, WebFile>;
  const files = [...bundles.values()].flatMap((bundle) => Object.values<WebFile>(bundle));
  return {
    ...english,
    byName: new Map(files.map((file) => [file.name, file])),
    inLanguage: (language) => bundles.get(language) ?? english,
  };
}

async function bundleIn<Key extends string>(texts: Plugin, folder: string, sources: Readonly<Record<Key, string>>) {
  const keys = Object.keys(sources) as Key[];
  const named = await Promise.all(
    keys.map(async (key) => [key, await bundleWebFile(join(folder, sources[key]), texts)] as const),
  );
  return Object.fromEntries(named) as Record<Key, WebFile>;
}

/** Redirects imports of `texts/en/` to `texts/{language}/`. */
const textsIn = (language: string, parts: Parts = {}): Plugin => ({
  name: 'texts',
  setup({ onResolve }) {
    onResolve({ filter: /\/texts\/en\// }, ({ path, resolveDir }) => {
      const { dir, base } = parse(path);
      return { path: join(resolveDir, dir, '..', language, parts[base] ?? base) };
    });
  },
});

const BUNDLED = {
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'silent',
} as const;

/** Commands load modules that bundle pages, and may run in a folder that is gone, in which the bundler does not load. */
const loadBundler = () => import('esbuild');

/**
 * Bundles a script or style sheet and its imports in memory. `path` is the entry file; small images are inlined. Throws
 * if the sources do not bundle.
 */
async function bundleWebFile(path: string, texts: Plugin): Promise<WebFile> {
  const { outputFiles } = await (await loadBundler()).build({
    entryPoints: [path],
    ...BUNDLED,
    target: TARGET,
    legalComments: 'none',
    plugins: [texts],
    // Required by esbuild; nothing is written there.
    outdir: '/',
    loader: { '.png': 'dataurl', '.svg': path.endsWith('.svg') ? 'copy' : 'dataurl', '.woff2': 'copy' },
  });
  const output = outputFiles.find((file) => /\.(js|css|svg|woff2)$/.test(file.path));
  if (!output) throw new Error(`${path} bundles to nothing.`);
  return webFile(path, Buffer.from(output.contents));
}

/**
 * Bundles a module for the server and imports it, with the texts of a language: the components of a page render its
 * first view there.
 */
export async function importBundle<Exports>(path: string, language: string): Promise<Exports> {
  const { outputFiles } = await (await loadBundler()).build({
    entryPoints: [path],
    ...BUNDLED,
    platform: 'node',
    plugins: [textsIn(language)],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
}

async function webFile(path: string, bytes: Buffer): Promise<WebFile> {
  const [, stem = 'file', ending = 'js'] = /(?<![\w-])([\w-]+)\.(\w+)$/.exec(path) ?? [];
  const kind = /^(tsx?|mjs)$/.test(ending) ? 'js' : ending;
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return {
    name: `${stem}-${digest}.${kind}`,
    type: TYPES[kind] ?? 'application/octet-stream',
    // The highest quality of Brotli takes two seconds per megabyte and saves 2 %.
    ...(await encode(bytes, bytes.length > LARGE_BYTES ? 10 : 11)),
  };
}

/** Bytes in the encodings that browsers accept. */
export type EncodedBytes = { bytes: Buffer; gzip: Buffer; brotli: Buffer };

export async function encode(bytes: Buffer, brotliQuality: number): Promise<EncodedBytes> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [small, smallest] = await Promise.all([promisify(gzip)(bytes), promisify(brotliCompress)(bytes, { params })]);
  return { bytes, gzip: small, brotli: smallest };
}
