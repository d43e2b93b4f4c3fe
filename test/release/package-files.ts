import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { serialize } from 'node:v8';
import { readCommit } from '../../src/platform/lib/build-info.ts';
import { bundleOnce, bundles, PACKED } from '../../src/platform/lib/bundle-once.cache.ts';

/**
 * `npm pack` runs this before and after packing. Node.js strips no types below `node_modules`, so the package ships
 * JavaScript in `dist/`; afterwards the working folder is restored.
 */
const DIST = 'dist';
const MANIFEST = 'package.json';
/** npm never packs this file extension. */
const KEPT_MANIFEST = 'package.json.orig';
/** Sources of pages stay TypeScript, for `doorstep shop eject`. */
const STRIPPED = '{src,packages,plugins,demo,clients,test}/**/*.ts';
const PAGES = 'web/**/*.{ts,tsx}';
const TEXT_OF_PATH = /(['"])([\w@./-]+)\.ts\1/g;

/** Where the unpacked tarball is the project, `npm ci` verifies every package by this lock file. */
const SHRINKWRAP = 'npm-shrinkwrap.json';
/** Their programs differ by platform: npm picks them at the installation. */
const NOT_BUNDLED = ['esbuild', 'sharp'];

type Manifest = Record<string, unknown> & {
  name: string;
  version: string;
  files: string[];
  exports: Record<string, string>;
  dependencies: Record<string, string>;
};
type Locked = { link?: boolean; dev?: boolean; engines?: object };

async function prepare(): Promise<void> {
  restore();
  const { scripts, devDependencies, files, ...kept }: Manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const isPacked = (path: string) => !path.endsWith('.test.ts');
  for (const path of globSync(files.filter((each) => !each.startsWith('!'))))
    cpSync(path, join(DIST, path), { recursive: true, filter: isPacked });
  copyFileSync(MANIFEST, KEPT_MANIFEST);
  writeFileSync(
    join(DIST, MANIFEST),
    JSON.stringify({
      name: kept.name,
      version: kept.version,
      commit: readCommit('.'),
      type: 'module',
      // The packages of this repository import each other by these names.
      exports: exportsIn('.', kept.exports),
    }),
  );
  stripTypes();
  writePluginTypes();
  await writeBundles();
  // npm resolves a local package from its user's folder, so the package lists the programs of `runtime/` itself.
  const { optionalDependencies, engines } = JSON.parse(readFileSync('runtime/package.json', 'utf8'));
  const manifest = {
    ...kept,
    bin: { doorstep: `${DIST}/bin/doorstep` },
    exports: exportsIn(DIST, kept.exports),
    files: [DIST, SHRINKWRAP],
    optionalDependencies,
    // npm reads no lock file of a tarball that it installs from disk: these packages are as locked because they are in it.
    bundleDependencies: Object.keys(kept.dependencies).filter((name) => !NOT_BUNDLED.includes(name)),
  };
  writeFileSync(MANIFEST, toJson(manifest));
  writeFileSync(SHRINKWRAP, toJson(shrinkwrap(manifest, Object.keys(optionalDependencies), engines)));
}

/**
 * The lock file without development packages. Only the programs of Node.js keep `engines`: others would make npm warn of
 * a Node.js that the service does not run on.
 */
function shrinkwrap(manifest: Pick<Manifest, 'name' | 'version'>, programs: readonly string[], engines: object) {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const locked = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { engines: _, ...kept }]): [string, Locked] => {
      const isProgram = programs.some((name) => path === `node_modules/${name}`);
      return [path, isProgram ? { ...kept, engines } : kept];
    });
  const { name, version } = manifest;
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries(locked) },
  };
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Replaces types with blanks, which preserves lines and columns. */
function stripTypes(): void {
  const sources = globSync(STRIPPED, { cwd: DIST });
  const stripped = new Set(sources.map((file) => resolve(DIST, file)));
  const write = (file: string, text: string, name = file) => {
    const folder = dirname(resolve(DIST, file));
    const renamed = text.replace(TEXT_OF_PATH, (whole, quote, path) =>
      stripped.has(resolve(folder, `${path}.ts`)) ? `${quote}${path}.js${quote}` : whole,
    );
    writeFileSync(join(DIST, name), renamed);
  };
  const read = (file: string) => readFileSync(join(DIST, file), 'utf8');
  for (const file of sources) {
    write(file, stripTypeScriptTypes(read(file)), file.replace(/\.ts$/, '.js'));
    rmSync(join(DIST, file));
  }
  for (const file of [...globSync(PAGES, { cwd: DIST }), 'bin/doorstep']) write(file, read(file));
}

const TYPES = `${DIST}/types`;

/** The types of `doorstep/plugin` and `doorstep/plugin-testing`, as TypeScript 5.2 and later read them. */
function writePluginTypes(): void {
  execFileSync('node_modules/.bin/tsc', ['-p', 'test/release/plugin-types.json', '--outDir', TYPES], {
    stdio: 'inherit',
  });
  copyFileSync('test/release/temporal.d.ts', join(TYPES, 'temporal.d.ts'));
  for (const file of globSync(`${TYPES}/**/*.d.ts`)) {
    const text = readFileSync(file, 'utf8').replace(/(from '\.[^']+)\.ts'/g, "$1.js'");
    const temporal = relative(dirname(file), join(TYPES, 'temporal.d.ts'));
    writeFileSync(file, /\bTemporal\./.test(text) ? `/// <reference path="${temporal}" />\n${text}` : text);
  }
}

/** The scripts and styles of all pages, those of our plug-ins included: a node that runs from a package bundles none. */
async function writeBundles(): Promise<void> {
  await import('../../src/app/wiring/routes.ts');
  for (const script of globSync('plugins/*/browser/*.ts'))
    bundleOnce(dirname(resolve(script)), { script: basename(script) });
  mkdirSync(join(DIST, PACKED));
  for (const [id, read] of bundles) writeFileSync(join(DIST, PACKED, id), serialize({ file: await read() }));
}

/** The modules that are imported by name, with their types, as seen from the folder that has `dist` or is it. */
function exportsIn(folder: string, exports: Manifest['exports']) {
  const at = (path: string, ending: string) => `./${join(folder, path.replace(/\.ts$/, ending))}`;
  const both = (path: string) => ({ types: at(join('types', path), '.d.ts'), default: at(path, '.js') });
  const named = Object.entries(exports).map(([name, path]) => [name, path.endsWith('.ts') ? both(path) : path]);
  return Object.fromEntries(named);
}

function restore(): void {
  if (existsSync(KEPT_MANIFEST)) renameSync(KEPT_MANIFEST, MANIFEST);
  for (const path of [DIST, SHRINKWRAP]) rmSync(path, { recursive: true, force: true });
}

if (process.argv.includes('--restore')) restore();
else await prepare();
