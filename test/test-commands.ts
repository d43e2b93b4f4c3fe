import { findTests } from './real-clock-tests.ts';

/** The commands of package.json that run tests; each file is a test of one of them. */
export const TEST_COMMANDS = ['test', 'test:processes'] as const;
export type TestCommand = (typeof TEST_COMMANDS)[number];

/**
 * The ending of a test that kills, starves, restarts, upgrades or packages whole processes: it waits for them for most of
 * its time, and has a command of its own (docs/adr/0072-tests-of-processes-are-a-command.md).
 */
export const PROCESS_TEST = '.process.test.ts';

export const commandOf = (file: string): TestCommand => (file.endsWith(PROCESS_TEST) ? 'test:processes' : 'test');

export function testsOf(root: string, command: TestCommand): string[] {
  return findTests(root).filter((file) => commandOf(file) === command);
}
