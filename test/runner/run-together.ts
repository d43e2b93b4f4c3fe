import { relative } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { followTests, unfollowTests } from './follow-tests.ts';

/**
 * Runs test files in this process, which loads the service once. Each file is a suite, because `--test-isolation=none`
 * would share its hooks, and loads after the previous one ends.
 */
export async function runTogether(root: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    followTests();
    await suite(relative(root, file), async () => {
      try {
        await import(pathToFileURL(file).href);
      } catch (error) {
        // The runner counts failed tests: a suite that fails without one would leave the count at 0.
        test('the file is loaded', () => {
          throw error;
        });
      } finally {
        unfollowTests();
      }
    });
  }
}
