/**
 * `TEST_RUNS=all`, set by `npm run test:all`. Without it property tests take a fifth of their runs, and slow tests are
 * skipped.
 */
export const TAKES_ALL_RUNS = process.env.TEST_RUNS === 'all';

/** Repetitions of a test: `all` in CI, otherwise a fifth or `local`. */
export function runs(all: number, local = Math.ceil(all / 5)): number {
  return TAKES_ALL_RUNS ? all : local;
}

/** Cases of a test: all in CI, otherwise every fifth. */
export function some<T>(all: readonly T[]): readonly T[] {
  return TAKES_ALL_RUNS ? all : all.filter((_, n) => n % 5 === 0);
}
