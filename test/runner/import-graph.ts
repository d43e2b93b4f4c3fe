import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';

const TYPE_IMPORT = /^import type [^;]*;/gm;
/** A quoted path or glob, relative to the file or the root. */
const QUOTED = /'((?=[^']*\w)(?=[^']*[./*])[\w.*{][\w.@/*{},-]*)'/g;
/** Each imports every file of the service or every route, so reaching a file through them means nothing. */
const WHOLE_SERVICE = ['test/harness.ts', 'src/app/wiring/service.ts', 'src/app/wiring/routes.ts'];

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

/**
 * Tests affected by a change: they import, start, read or list a changed file, or start the service and are in a room
 * of `src/` that contains or directly imports one.
 */
export function testsOfChange(root: string, changed: readonly string[]): string[] {
  // Imports do not reveal a changed package version.
  if (changed.includes('package-lock.json')) return findTests(root);
  const names = ownNames(root);
  const isChanged = (path: string) =>
    changed.some((file) => file === path || file.startsWith(`${path}/`) || matchesGlob(file, path));
  const concerned = testsReaching(
    root,
    (file, text) => changed.includes(file) || quotedPaths(file, text, names).some(isChanged),
    WHOLE_SERVICE,
  );
  const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  // A package is imported by its entry only.
  const entries = [...names.values()].filter((entry) => changed.some((file) => file.startsWith(packageOf(entry))));
  const importsChanged = (file: string) =>
    quotedPaths(file, readFileSync(join(root, file), 'utf8'), names).some((path) =>
      [...changed, ...entries].includes(path),
    );
  const rooms = new Set(sources.filter((file) => changed.includes(file) || importsChanged(file)).map(roomOf));
  const inRooms = testsOfService(root).filter((test) => rooms.has(roomOf(test)));
  return [...new Set([...concerned, ...inRooms])].sort();
}

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

/** The folder of an entry in `packages/`. */
const packageOf = (entry: string): string => /^packages\/[^/]+\//.exec(entry)?.[0] ?? entry;

function quotedPaths(file: string, text: string, names: ReadonlyMap<string, string>): string[] {
  return [...text.matchAll(QUOTED)]
    .flatMap(([, quoted = '']) => names.get(quoted) ?? [join(dirname(file), quoted), normalize(quoted)])
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => !/^(\.\.?|\/)/.test(path));
}

const roomOf = (file: string): string =>
  dirname(file)
    .split('/')
    .slice(0, file.startsWith('src/') ? 3 : 2)
    .join('/');
