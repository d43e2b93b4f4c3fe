import { execFileSync } from 'node:child_process';
import { findTests, testsOfChange, testsOfService } from './import-graph.ts';

/**
 * The suffix of tests that start browsers or processes, install tools, or compute for more than a few seconds: only
 * `npm run test:all` runs them, each in its own process.
 */
const SLOW_TEST = '.slow.test.ts';

export const isSlow = (file: string): boolean => file.endsWith(SLOW_TEST);

/** A run's tests: all or the fast ones, optionally limited to those that changed files affect. */
export function chooseTests(root: string, { all, changed }: { all: boolean; changed?: readonly string[] }): string[] {
  const tests = changed ? testsOfChange(root, changed) : findTests(root);
  return all ? tests : tests.filter((file) => !isSlow(file));
}

/** Files that differ from the main branch, including uncommitted and untracked ones. */
export function changedFiles(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const [main = 'HEAD'] = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main');
  const [base = 'HEAD'] = git('merge-base', main, 'HEAD');
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/**
 * The sequence in which the processes of a run take fast tests. Those that start no service come first, because garbage
 * collection takes three times as long in a process that has loaded the service. Those of several rooms take the longest and
 * come before those of one (`src/`), so that the processes end together.
 */
export function inSequence(root: string, files: readonly string[]): string[] {
  const ofService = new Set(testsOfService(root));
  const rank = (file: string) => (ofService.has(file) ? 1 + Number(file.startsWith('src/')) : 0);
  return files.toSorted((a, b) => rank(a) - rank(b));
}
