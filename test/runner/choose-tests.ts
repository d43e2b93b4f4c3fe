import { execFileSync } from 'node:child_process';
import { findTests, testsOfChange, testsOfService } from './import-graph.ts';
import type { TestFile } from './run-files.ts';

/** Which tests run: the fast ones, those of a landing (`change`), or all. */
export type Extent = 'fast' | 'change' | 'all';

/** Tests that start browsers or processes, or compute for more than a few seconds. */
const SLOW_TEST = /\.(slow|nightly)\.test\.ts$/;
/** Tests of what surrounds the code: proxies, images, releases, outside data, the tests themselves. */
const NIGHTLY_TEST = /\.nightly\.test\.ts$/;

/**
 * The tests of a run in their sequence. Where `changed` files are given, properties take all repetitions in the tests
 * that these reach, and nightly tests run if reached; `isOnlyChanged` leaves out all tests that are not reached.
 */
export function chooseTests(
  root: string,
  extent: Extent,
  changed: readonly string[] | null = null,
  isOnlyChanged = false,
): TestFile[] {
  const reached = new Set(changed === null ? [] : testsOfChange(root, changed));
  const isChosen = (file: string) => {
    if (isOnlyChanged && !reached.has(file)) return false;
    if (extent === 'fast') return !SLOW_TEST.test(file);
    return extent === 'all' || !NIGHTLY_TEST.test(file) || reached.has(file);
  };
  const takesAll = (file: string) => extent === 'all' || (extent === 'change' && reached.has(file));
  const ofService = new Set(testsOfService(root));
  // Garbage collection takes three times as long in a process that has loaded the service. Short files come late, so
  // that the processes end together; tests of surroundings last, because proxies and probes have time-outs of their own.
  const rank = (file: string) => {
    if (NIGHTLY_TEST.test(file)) return 4;
    return SLOW_TEST.test(file) ? 1 : ofService.has(file) ? 2 + Number(file.startsWith('src/')) : 0;
  };
  return findTests(root)
    .filter(isChosen)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((file) => ({ file, takesAll: takesAll(file) }));
}

/** A changed package version is not seen in imports, so that every test is reached. */
const EVERYTHING = ['package-lock.json'];

/**
 * Files that differ from what was checked last, including uncommitted and untracked ones: from `CHECKS_BASE`, else from
 * the main branch, else, on that branch, from the commit before. Where Git knows none of these, everything is changed.
 */
export function changedFiles(root: string, base = process.env.CHECKS_BASE): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  try {
    const mains = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main');
    const [head, before] = git('rev-list', '-2', '--first-parent', 'HEAD');
    const bases = [base, ...mains.flatMap((main) => git('merge-base', main, 'HEAD')), before].filter(Boolean);
    const from = bases.find((commit) => commit !== head);
    if (from === undefined) return EVERYTHING;
    return [...git('diff', '--name-only', from), ...git('ls-files', '--others', '--exclude-standard')];
  } catch {
    return EVERYTHING;
  }
}
