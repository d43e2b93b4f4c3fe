import { execFileSync } from 'node:child_process';
import { findTests, reachOf, testsOfService } from './import-graph.ts';
import type { TestFile } from './run-files.ts';

/** Which tests run: the fast ones, those of a landing (`change`), or all. */
export type Extent = 'fast' | 'change' | 'all';

/** Tests that start browsers or processes, or compute for more than a few seconds. */
export const SLOW_TEST = /\.(slow|nightly)\.test\.ts$/;
/** Tests of what surrounds the code: proxies, images, releases, outside data, the tests themselves. */
const NIGHTLY_TEST = /\.nightly\.test\.ts$/;

/**
 * The tests of a run in their order: the fast ones; before a landing (`change`) also the slow ones that the change
 * reaches within two imports, in their module or by `covers`, and the nightly ones that cover it or are changed;
 * properties take all repetitions in the tests that import a changed file. `isOnlyChanged` leaves out fast tests that
 * do not.
 */
export function chooseTests(
  root: string,
  extent: Extent,
  changed: readonly string[] = [],
  isOnlyChanged = false,
): TestFile[] {
  const { directly, closely, beside, covering } = reachOf(root, changed);
  const isChosen = (file: string) => {
    if (extent === 'all') return true;
    if (!SLOW_TEST.test(file)) return !isOnlyChanged || directly.has(file) || covering.has(file);
    if (extent === 'fast') return false;
    if (NIGHTLY_TEST.test(file)) return covering.has(file) || changed.includes(file);
    return [directly, closely, beside, covering].some((tests) => tests.has(file));
  };
  const takesAll = (file: string) => extent === 'all' || (extent === 'change' && directly.has(file));
  const ofService = new Set(testsOfService(root));
  // Garbage collection takes three times as long in a process that has loaded the service. Short files come late, so
  // that the processes end together; tests of surroundings last, because proxies and probes have time-outs of their
  // own.
  const rank = (file: string) => {
    if (NIGHTLY_TEST.test(file)) return 4;
    return SLOW_TEST.test(file) ? 1 : ofService.has(file) ? 2 + Number(file.startsWith('src/')) : 0;
  };
  return findTests(root)
    .filter(isChosen)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((file) => ({ file, takesAll: takesAll(file) }));
}

/**
 * Files that differ from what was checked last, including uncommitted and untracked ones: from `CHECKS_BASE`, otherwise
 * from the main branch, else, on that branch, from the commit before. Where Git knows none of these, nothing is
 * changed.
 */
export function changedFiles(root: string, base = process.env.CHECKS_BASE): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  try {
    const mains = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main');
    const [head, before] = git('rev-list', '-2', '--first-parent', 'HEAD');
    const bases = [base, ...mains.flatMap((main) => git('merge-base', main, 'HEAD')), before].filter(Boolean);
    const from = bases.find((commit) => commit !== head);
    if (from === undefined) return [];
    return [...git('diff', '--name-only', from), ...git('ls-files', '--others', '--exclude-standard')];
  } catch {
    return [];
  }
}
