import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorCode } from '../../lib/error-code.ts';

/**
 * What the service imports of packages that are hundreds of small modules and read no file of their own, and every other
 * name of these packages that shares state with a name here. A module takes as long to find and open as to run.
 */
export const JOINED: Readonly<Record<string, readonly string[]>> = {
  kysely: [''],
  'libphonenumber-js': ['/max', '/min', '/min/metadata'],
  typebox: ['', '/compile', '/error', '/format', '/guard', '/schema', '/system', '/type', '/value'],
};
/** Lists the files of a folder: names of packages, and what these share. */
const FILES = 'files.txt';
const NAMES = Object.entries(JOINED).flatMap(([name, paths]) => paths.map((path) => name + path));

/**
 * Makes this process load a few files in the place of the modules of these packages (docs/adr/0055-joined-packages.md).
 * The first process of an installation makes the files below `cache`. A folder that cannot be written is no fault:
 * modules are then loaded as they are. A module that is loaded already stays, so that this call comes before the imports.
 */
export async function loadJoinedPackages(packages: string, cache: string): Promise<void> {
  try {
    const folder = join(cache, `joined-${digestOf(packages)}`);
    if (!existsSync(folder)) await write(cache, folder);
    load(folder);
  } catch {
    // Without the files a start takes longer, and nothing else differs.
  }
}

/** Other versions of the packages or of the bundler have files of their own. */
function digestOf(packages: string): string {
  const versions = [...Object.keys(JOINED), 'esbuild'].map((name) => {
    const { version } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
  return createHash('sha256')
    .update([...versions, ...NAMES, FILES].join(' '))
    .digest('hex')
    .slice(0, 16);
}

/** Of two processes that write at one time, the later finds the folder of the earlier, which is the same. */
async function write(cache: string, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'joining-'));
  try {
    const { build } = await import('esbuild');
    const { outputFiles } = await build({
      entryPoints: NAMES.map((name) => ({ in: fileOf(name), out: outOf(name) })),
      outdir: draft,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What two names share is a file of its own, and one module for both.
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: `node${process.versions.node}`,
      logLevel: 'silent',
      write: false,
    });
    // On disk before the folder has its name: a machine that loses power leaves no folder of empty files.
    for (const { path, contents } of outputFiles) writeFileSync(path, contents, { flush: true });
    const files = outputFiles.map(({ path }) => basename(path));
    writeFileSync(join(draft, FILES), files.join('\n'), { flush: true });
    // A folder of `mkdtemp` is for its maker alone; commands of other users read the files.
    chmodSync(draft, 0o755);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

/**
 * A name is resolved as ever; only the file that Node.js finds at the top of the packages has another in its place. Throws
 * where a file is missing or this user may not read the files.
 */
function load(folder: string): void {
  for (const file of readFileSync(join(folder, FILES), 'utf8').split('\n'))
    accessSync(join(folder, file), constants.R_OK);
  const joined = new Map(
    NAMES.map((name) => {
      const file = join(folder, `${outOf(name)}.mjs`);
      return [import.meta.resolve(name), pathToFileURL(file).href];
    }),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const url = joined.get(found.url);
      return url === undefined ? found : { ...found, url };
    },
  });
}

const fileOf = (name: string): string => fileURLToPath(import.meta.resolve(name));
const outOf = (name: string): string => name.replaceAll('/', '_');
