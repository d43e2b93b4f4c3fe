/**
 * What properties and tests with draws of their own draw from: one seed, so that a commit which passes once passes
 * again; `npm run nightly` draws a new one. `PROPERTY_SEED=7 npm test -- FILE` names another.
 */
export const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_126);

/**
 * How often properties repeat. `TEST_RUNS=all` takes every repetition; the runner takes them for files that a change
 * reaches, too.
 */
let takesAll = process.env.TEST_RUNS === 'all';

/** For the runner, right before it loads a test file. */
export function setTakesAllRuns(all: boolean): void {
  takesAll = all;
}

export const takesAllRuns = (): boolean => takesAll;

/** Repetitions of a test: `all`, or otherwise a tenth or `local`. */
export const runs = (all: number, local = Math.ceil(all / 10)): number => (takesAll ? all : local);

/** Cases of a test: all, or otherwise every fifth. */
export const some = <T>(all: readonly T[]): readonly T[] => (takesAll ? all : all.filter((_, n) => n % 5 === 0));
