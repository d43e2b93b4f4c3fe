import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Code that reads the machine's clock (test/architecture.test.ts: never as Date); a browser is a process that does. */
const READS_THE_CLOCK = /\bTemporal\.Now\b|\bsystemClock\b|'playwright-core'/;
const TYPE_IMPORT = /^import type [^;]*;/gm;
/** The harness gives the service a clock of the test's own. */
const HAS_ITS_OWN_CLOCK = 'test/harness.ts';

export function findTests(root: string): string[] {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'demo/**/*.test.ts'], { cwd: root }).sort();
}

/** The tests whose outcome the machine's clock can change, by what they import, load later or start as a process. */
export function findRealClockTests(root: string): string[] {
  return findTestsThatReach(root, (file, text) => file !== HAS_ITS_OWN_CLOCK && READS_THE_CLOCK.test(text), [
    HAS_ITS_OWN_CLOCK,
  ]);
}

/** The tests that start the service in their process. */
export function findServiceTests(root: string): string[] {
  return findTestsThatReach(root, (file) => file === HAS_ITS_OWN_CLOCK);
}

/** The tests that are such a file or lead to one; what a file of `ends` leads to does not count. */
function findTestsThatReach(
  root: string,
  isSuch: (file: string, text: string) => boolean,
  ends: readonly string[] = [],
): string[] {
  const tests = findTests(root);
  const names = new Map<string, string[]>();
  const reached = new Set<string>();
  const waiting = [...tests];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (names.has(file)) continue;
    const text = readFileSync(join(root, file), 'utf8').replace(TYPE_IMPORT, '');
    const named = ends.includes(file) ? [] : filesNamedIn(root, file, text);
    names.set(file, named);
    if (isSuch(file, text)) reached.add(file);
    waiting.push(...named);
  }
  for (let count = -1; count < reached.size; ) {
    count = reached.size;
    for (const [file, named] of names) if (named.some((each) => reached.has(each))) reached.add(file);
  }
  return tests.filter((test) => reached.has(test));
}

/** Modules and programs: what stands in quotes and is a file, seen from this file or from the root. */
function filesNamedIn(root: string, file: string, text: string): string[] {
  return [...text.matchAll(/'([\w./-]*(?:\.ts|bin\/[\w-]+))'/g)]
    .flatMap(([, name = '']) => [join(dirname(file), name), normalize(name)])
    .filter((path) => !path.startsWith('..') && existsSync(join(root, path)));
}
