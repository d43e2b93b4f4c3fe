import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, parse, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { type DirectoryLock, tryLock } from 'doorstep/embedded-database';
import { makeFolder } from 'doorstep/files';
import type { Plugin } from 'esbuild';
import { PACKAGES } from './compile-cache.ts';
import { type Bundle, encode, ROOT, type WebFile } from './web-files.ts';

/*
 * Bundles of a clone and of plug-ins, made once for all processes and kept alongside the packages with the digests of
 * their sources. The bundler is a process of over 100 MB: it runs until the last bundle is made.
 */

const CACHE = join(PACKAGES, '.cache', 'doorstep-pages');

type Kept = { file: WebFile; digests: ReadonlyMap<string, string> };

/** Returns the bundle as its sources are now. Rejects if they do not bundle. */
export async function bundleWebFile(id: string, bundle: Bundle): Promise<WebFile> {
  return (await readKept(id)) ?? withBundler(async () => (await readKept(id)) ?? keep(id, await make(bundle)));
}

async function readKept(id: string): Promise<WebFile | undefined> {
  const kept = await readFile(join(CACHE, id)).then(
    (bytes): Kept => deserialize(bytes),
    () => undefined,
  );
  if (!kept) return undefined;
  const isSame = await Promise.all([...kept.digests].map(async ([path, digest]) => (await digestOf(path)) === digest));
  return isSame.every(Boolean) ? kept.file : undefined;
}

/** Writes a new file in place of the old one, which others may read; where nothing can be written, none is kept. */
async function keep(id: string, made: Kept): Promise<WebFile> {
  const written = join(CACHE, `${id}.${process.pid}`);
  await writeFile(written, serialize(made))
    .then(() => rename(written, join(CACHE, id)))
    .catch(() => {});
  return made.file;
}

const digests = new Map<string, Promise<string | undefined>>();

/** The digest of a file, relative to ROOT; undefined if it is gone. */
function digestOf(path: string): Promise<string | undefined> {
  const read = digests.get(path) ?? readFile(resolve(ROOT, path)).then(digest, () => undefined);
  digests.set(path, read);
  return read;
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

/** Loaded when it is needed: it does not load in a deleted folder, where commands may run. */
let bundler: Promise<typeof import('esbuild')> | undefined;
let users = 0;
let turn: Promise<DirectoryLock | undefined> | undefined;

/** Runs `work` while no other process bundles. The last user in this process stops the bundler. */
async function withBundler<Result>(work: () => Promise<Result>): Promise<Result> {
  users += 1;
  turn ??= takeTurn();
  const taken = turn;
  try {
    await taken;
    return await work();
  } finally {
    users -= 1;
    if (users === 0) {
      turn = undefined;
      await (await bundler)?.stop();
      (await taken)?.release();
    }
  }
}

const RETRY_MS = 50;

async function takeTurn(): Promise<DirectoryLock | undefined> {
  try {
    await makeFolder(CACHE);
    for (;;) {
      const lock = tryLock(join(CACHE, 'lock'), 'exclusive');
      if (lock) return lock;
      await pause(RETRY_MS);
    }
  } catch {
    // Nothing can be written here: each process bundles for itself.
    return undefined;
  }
}

/** Oldest supported browsers; older ones get the page without its script. */
const TARGET = ['es2022', 'chrome100', 'firefox100', 'safari15.4'];
/** Inputs of a bundle besides its sources. */
const BUNDLER = [import.meta.filename, join(PACKAGES, 'esbuild/package.json')];

/** Bundles a script or style sheet and its imports; small images are inlined. */
async function make({ path, language, parts, platform }: Bundle): Promise<Kept> {
  bundler ??= import('esbuild');
  const { outputFiles, metafile } = await (await bundler).build({
    absWorkingDir: ROOT,
    entryPoints: [path],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
    platform,
    target: platform === 'browser' ? TARGET : 'node26',
    legalComments: 'none',
    plugins: [textsIn(language, parts)],
    // Required by esbuild; nothing is written there.
    outdir: '/',
    loader: { '.png': 'dataurl', '.svg': path.endsWith('.svg') ? 'copy' : 'dataurl', '.woff2': 'copy' },
  });
  const output = outputFiles.find((file) => /\.(js|css|svg|woff2)$/.test(file.path));
  if (!output) throw new Error(`${path} bundles to nothing.`);
  const sources = [...Object.keys(metafile.inputs), ...BUNDLER.map((file) => relative(ROOT, file))];
  const digested = await Promise.all(sources.map(async (file) => [file, (await digestOf(file)) ?? ''] as const));
  return { file: await webFile(path, Buffer.from(output.contents)), digests: new Map(digested) };
}

/** Redirects imports of `texts/en/` to `texts/{language}/`. */
const textsIn = (language: string, parts: Bundle['parts']): Plugin => ({
  name: 'texts',
  setup({ onResolve }) {
    onResolve({ filter: /\/texts\/en\// }, ({ path, resolveDir }) => {
      const { dir, base } = parse(path);
      return { path: join(resolveDir, dir, '..', language, parts[base] ?? base) };
    });
  },
});

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
const LARGE_BYTES = 256 * 1024;

async function webFile(path: string, bytes: Buffer): Promise<WebFile> {
  const [, stem = 'file', ending = 'js'] = /(?<![\w-])([\w-]+)\.(\w+)$/.exec(path) ?? [];
  const kind = /^(tsx?|mjs)$/.test(ending) ? 'js' : ending;
  return {
    name: `${stem}-${digest(bytes).slice(0, 12)}.${kind}`,
    type: TYPES[kind] ?? 'application/octet-stream',
    // The highest quality of Brotli takes two seconds per megabyte and saves 2 %.
    ...(await encode(bytes, bytes.length > LARGE_BYTES ? 10 : 11)),
  };
}
