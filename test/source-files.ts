import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Every file of src/ that is no test. */
export const SOURCES = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort();

export const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[^'";=(]*?\sfrom\s+)?'([^']+)'|^\s*declare module '(\.[^']+)'|\bimport\('([^']+)'\)/gm;

export type Import = {
  /** A path from the root of the repository, or the name of a package. */
  target: string;
  /** `import type`, which is gone at run time, and costs and touches nothing then. */
  isType: boolean;
  /** `import()`, which loads its target when the program reaches it. */
  isDynamic: boolean;
};

/** The imports of one source file, dynamic ones and module augmentations included. */
export function importsOf(file: string): Import[] {
  return [...textOf(file).matchAll(IMPORT)].map(([, type, fixed, augmented, dynamic]) => {
    const target = fixed ?? augmented ?? dynamic ?? '';
    return {
      target: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
      isType: type !== undefined || augmented !== undefined,
      isDynamic: dynamic !== undefined,
    };
  });
}

/** Targets of the imports that stay at run time. */
export const runtimeImportsOf = (file: string): string[] =>
  importsOf(file).flatMap(({ target, isType }) => (isType ? [] : [target]));
