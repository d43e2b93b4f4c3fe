import { copyFileSync, cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/**
 * `npm pack` runs this before and after packing. Node.js strips no types below `node_modules`, so the package ships
 * JavaScript in `dist/`; afterwards the working folder is restored.
 */
const DIST = 'dist';
const MANIFEST = 'package.json';
/** npm never packs this file extension. */
const KEPT_MANIFEST = 'package.json.orig';
/** Pages stay TypeScript: esbuild bundles them in the running service. */
const STRIPPED = '{src,demo,clients}/**/*.ts';
const PAGES = 'web/**/*.{ts,tsx}';
const TEXT_OF_PATH = /(['"])([\w@./-]+)\.ts\1/g;

type Manifest = Record<string, unknown> & { name: string; version: string; files: string[] };

function prepare(): void {
  restore();
  const { scripts, devDependencies, allowScripts, files, ...kept }: Manifest = JSON.parse(
    readFileSync(MANIFEST, 'utf8'),
  );
  const isPacked = (path: string) => !path.endsWith('.test.ts');
  for (const path of files.filter((each) => !each.startsWith('!')))
    cpSync(path, join(DIST, path), { recursive: true, filter: isPacked });
  copyFileSync(MANIFEST, KEPT_MANIFEST);
  writeFileSync(join(DIST, MANIFEST), JSON.stringify({ name: kept.name, version: kept.version, type: 'module' }));
  stripTypes();
  // npm resolves a local package from its user's folder, so the package lists the programs of `runtime/` itself.
  const { optionalDependencies } = JSON.parse(readFileSync('runtime/package.json', 'utf8'));
  const manifest = { ...kept, bin: { doorstep: `${DIST}/bin/doorstep` }, files: [DIST], optionalDependencies };
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

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

function restore(): void {
  if (existsSync(KEPT_MANIFEST)) renameSync(KEPT_MANIFEST, MANIFEST);
  rmSync(DIST, { recursive: true, force: true });
}

if (process.argv.includes('--restore')) restore();
else prepare();
