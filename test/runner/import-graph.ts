import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';

const TYPE_IMPORT = /^import type [^;]*;/gm;
/** A quoted path or glob, relative to the file or the root. */
const QUOTED = /'((?=[^']*\w)(?=[^']*[./*])[\w.*{][\w.@/*{},-]*)'/g;
export function findTests(root: string): string[] {
  return globSync('{src,packages,plugins,web,test,demo,examples}/**/*.test.ts', { cwd: root }).sort();
}

export function testsOfService(root: string): string[] {
  return testsReaching(root, (file) => file === 'test/harness.ts');
}

/**
 * Tests with a path to a file that `isTarget`, through imports (not types) and quoted program names. Paths stop at
 * `ends`.
 */
export function testsReaching(
  root: string,
  isTarget: (file: string, text: string) => boolean,
  ends: readonly string[] = [],
): string[] {
  const tests = findTests(root);
  const names = ownNames(root);
  const importers = new Map<string, string[]>();
  const reaching = new Set<string>();
  const seen = new Set(tests);
  for (const file of seen) {
    const text = readFileSync(join(root, file), 'utf8').replace(TYPE_IMPORT, '');
    if (isTarget(file, text)) reaching.add(file);
    if (ends.includes(file)) continue;
    for (const target of quotedPaths(file, text, names).filter((path) => isProgram(root, path))) {
      seen.add(target);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  for (const file of reaching) for (const importer of importers.get(file) ?? []) reaching.add(importer);
  return tests.filter((test) => reaching.has(test));
}

/** Imports every module, so reaching a file through it means nothing. */
const HARNESS = 'test/harness.ts';
/** A list of a whole tree: its tests would be reached by every change. */
const WHOLE_TREE = /^[\w{},-]+(\/\*.*)?$/;
/** `// covers: GLOB, …` in a test names files that it tests without importing them. */
const COVERS = /^\/\/ covers: (.+)$/gm;

/**
 * What a change reaches: the tests that import, start, read or list a changed file `directly`, with those that are
 * changed; those that do so through one other file (`closely`); those alongside a changed file of their module; and
 * those that name one in `covers`.
 */
export type Reach = Record<'directly' | 'closely' | 'beside' | 'covering', ReadonlySet<string>>;

export function reachOf(root: string, changed: readonly string[]): Reach {
  const names = ownNames(root);
  const tests = findTests(root);
  const isChanged = (path: string) =>
    changed.some((file) => file === path || file.startsWith(`${path}/`) || matchesGlob(file, path));
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8').replace(TYPE_IMPORT, '');
    texts.set(file, text);
    return text;
  };
  const nextTo = (file: string) => quotedPaths(file, textOf(file), names);
  const programs = (file: string) => nextTo(file).filter((path) => path !== HARNESS && isProgram(root, path));
  const uses = (file: string) => nextTo(file).some((path) => !WHOLE_TREE.test(path) && isChanged(path));
  const modules = new Set(changed.filter((file) => !tests.includes(file)).map(moduleOf));
  return {
    directly: new Set(tests.filter((test) => changed.includes(test) || uses(test))),
    closely: new Set(tests.filter((test) => programs(test).some(uses))),
    beside: new Set(tests.filter((test) => modules.has(moduleOf(test)))),
    covering: new Set(tests.filter((test) => coveredBy(textOf(test)).some(isChanged))),
  };
}

/** The globs of a test's `covers`. */
export const coveredBy = (text: string): string[] =>
  [...text.matchAll(COVERS)].flatMap(([, globs = '']) => globs.split(', '));

function isProgram(root: string, path: string): boolean {
  return /\.tsx?$|^bin\//.test(path) && existsSync(join(root, path));
}

/** The modules that this repository imports by name (`doorstep/…`): `exports` of its manifest. */
export function ownNames(root: string): ReadonlyMap<string, string> {
  const file = join(root, 'package.json');
  const manifest: { name?: string; exports?: Record<string, string> } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  const named = Object.entries(manifest.exports ?? {});
  return new Map(named.map(([name, path]) => [`${manifest.name}${name.slice(1)}`, normalize(path)]));
}

function quotedPaths(file: string, text: string, names: ReadonlyMap<string, string>): string[] {
  return [...text.matchAll(QUOTED)]
    .flatMap(([, quoted = '']) => names.get(quoted) ?? [join(dirname(file), quoted), normalize(quoted)])
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => !/^(\.\.?|\/)/.test(path));
}

/** A module of `src/`, a package, a plug-in or a folder of tests. */
const moduleOf = (file: string): string =>
  dirname(file)
    .split('/')
    .slice(0, file.startsWith('src/') ? 3 : 2)
    .join('/');
