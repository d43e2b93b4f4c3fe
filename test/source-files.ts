import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ownNames } from './runner/import-graph.ts';

export const ROOT = join(import.meta.dirname, '..');

export const SOURCES = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort();

/** The libraries of this repository, without tests: each is a folder with one `main.ts`. */
export const PACKAGES = globSync('packages/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.test\.ts$|\/browser\//.test(file))
  .sort();

/** Our own plug-ins, without tests, and the list of them. */
export const PLUGINS = globSync('plugins/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort();

const NAMES = ownNames(ROOT);

export const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[^'";=(]*?\sfrom\s+)?'([^']+)'|^\s*declare module '(\.[^']+)'|\bimport\('([^']+)'\)/gm;

export type Import = {
  /** A path from the repository's root, or a package name. */
  target: string;
  /** `import type`, which is erased at run time. */
  isType: boolean;
  /** `import()`, which loads its target on demand. */
  isDynamic: boolean;
};

/** Imports of a source file, including dynamic ones and module augmentations. */
export function importsOf(file: string): Import[] {
  return [...textOf(file).matchAll(IMPORT)].map(([, type, fixed, augmented, dynamic]) => {
    const target = fixed ?? augmented ?? dynamic ?? '';
    return {
      target: target.startsWith('.') ? normalize(join(dirname(file), target)) : (NAMES.get(target) ?? target),
      isType: type !== undefined || augmented !== undefined,
      isDynamic: dynamic !== undefined,
    };
  });
}

/** Imports that remain at run time. */
export const runtimeImportsOf = (file: string): string[] =>
  importsOf(file).flatMap(({ target, isType }) => (isType ? [] : [target]));
