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

/** Maximum files per process: fewer load the service too often, more leave a processor idle at the end of a run. */
const MAX_FILES_TOGETHER = 12;

/**
 * Groups fast tests by process. Tests that start no service are kept apart, because garbage collection takes three
 * times as long in a process that has loaded the service.
 */
export function groupTests(root: string, files: readonly string[]): string[][] {
  const ofService = new Set(testsOfService(root));
  const { service = [], pure = [] } = Object.groupBy(files, (file) => (ofService.has(file) ? 'service' : 'pure'));
  return [...inGroups(service, MAX_FILES_TOGETHER), ...inGroups(pure, 2 * MAX_FILES_TOGETHER)];
}

function inGroups(files: readonly string[], maxFiles: number): string[][] {
  const count = Math.ceil(files.length / maxFiles);
  const at = (n: number) => Math.floor((n * files.length) / count);
  return Array.from({ length: count }, (_, n) => files.slice(at(n), at(n + 1)));
}
