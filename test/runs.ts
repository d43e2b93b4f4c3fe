/**
 * The one setting for how much a test tries: `TEST_RUNS=all`, which `npm run test:all` sets. Without it a property test
 * takes a fifth of its runs, and slow tests are left out.
 */
export const TAKES_ALL_RUNS = process.env.TEST_RUNS === 'all';

/** How often a test repeats: `all` of its runs in CI, a fifth of them or `local` while developing. */
export function runs(all: number, local = Math.ceil(all / 5)): number {
  return TAKES_ALL_RUNS ? all : local;
}

/** A test's cases: all in CI, every fifth during development. */
export function some<T>(all: readonly T[]): readonly T[] {
  return TAKES_ALL_RUNS ? all : all.filter((_, n) => n % 5 === 0);
}
