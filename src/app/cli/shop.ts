import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { Command } from 'commander';
import { makeFolder } from 'doorstep/files';
import manifest from '../../../package.json' with { type: 'json' };
import { LANGUAGES } from '../../platform/languages/language.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';

/** `doorstep shop eject DIR`: the shop as a project of its own, to be changed without limits. */
export function shopCommand(): Command {
  const command = new Command('shop');
  command
    .command('eject <folder>')
    .description('Write the shop as your own project: its pages, the typed client, Vite, and one settings file.')
    .option('--json', 'print one JSON document: { folder, files }')
    .action(async (folder: string, options: OutputOptions) => {
      const files = await ejectShop(folder);
      const next = `cd ${folder} && npm install && npm run dev`;
      answer(options, { folder, files }, `Wrote ${files} files. Set settings.ts, then:\n\n  ${next}`);
    });
  return command;
}

const ROOT = join(import.meta.dirname, '../../..');
/** The project's top-level entries; imports lead out of this folder to the other sources. */
const TOP = 'web/shop/eject';
const VITE = '8.3.8';

/** Writes the project into an empty folder and returns the number of its files. */
async function ejectShop(folder: string): Promise<number> {
  await makeFolder(folder);
  if ((await readdir(folder)).length > 0) throw new CommandFailure(`${folder} is not empty.`);
  const sources: Sources = { files: new Map(), packages: new Set() };
  for (const name of await readdir(join(ROOT, TOP))) await follow(posix.join(TOP, name), sources);
  await follow('web/shop/page.css', sources);
  const files = new Map([...sources.files].map(([path, text]) => [placeOf(path), textAt(path, text)]));
  files.set('package.json', jsonText(packageOf(sources.packages)));
  files.set('tsconfig.json', jsonText(TSCONFIG));
  for (const [path, text] of files) {
    await makeFolder(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
  return files.size;
}

type Sources = { files: Map<string, string>; packages: Set<string> };

/** The quoted module after `from`, `import` and `@import`, and whether it imports only types. */
const IMPORTS =
  /(?:^|[\s;}])(?:import\s(type\s)?[^'";]*?from|export\s(type\s)?[^'";]*?from|@?import)\s*\(?['"]([^'"]+)['"]/g;

/** Adds a file with everything that it imports, types too, and texts in every language. */
async function follow(path: string, sources: Sources): Promise<void> {
  if (sources.files.has(path)) return;
  const text = await readFile(join(ROOT, path), 'utf8');
  sources.files.set(path, text);
  if (!/\.([jt]sx?|mjs|css)$/.test(path)) return;
  for (const [, type, exported, specifier = ''] of text.matchAll(IMPORTS)) {
    const isFile = specifier.startsWith('.') || path.endsWith('.css');
    if (isFile) await follow(posix.join(posix.dirname(path), specifier), sources);
    else if (!type && !exported) sources.packages.add(packageName(specifier));
  }
  if (!path.includes('/texts/en/')) return;
  for (const language of LANGUAGES) await follow(path.replace('/texts/en/', `/texts/${language}/`), sources);
}

const packageName = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

const placeOf = (path: string) => (path.startsWith(TOP) ? posix.relative(TOP, path) : path);

/** The text of a file of the new project. A file that moves to the top folder imports from `./` instead of `../`. */
function textAt(path: string, text: string): string {
  if (placeOf(path) === path) return text;
  return text.replaceAll(/'(\.\.\/[^']+)'/g, (_, up: string) => `'./${posix.join(TOP, up)}'`);
}

function packageOf(packages: ReadonlySet<string>) {
  const versions: Readonly<Record<string, string>> = manifest.dependencies;
  return {
    name: 'shop',
    private: true,
    type: 'module',
    scripts: { dev: 'vite', build: 'vite build', preview: 'vite preview' },
    dependencies: Object.fromEntries([...packages].sort().map((name) => [name, versions[name]])),
    devDependencies: { vite: VITE },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ESNext', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
  },
};

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
