import { basename, relative } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { writeCost } from './count-costs.ts';
import { beginGroup, endGroup } from './end-of-group.ts';
import { followTests, unfollowTests } from './follow-tests.ts';

/**
 * Runs test files in this process. Each is a suite with hooks for its own tests alone, and is loaded when the file before
 * it has ended: no two of them have a service open at one time.
 */
export async function runTogether(root: string, files: readonly string[]): Promise<void> {
  beginGroup();
  writeCost(`start of ${basename(process.argv[1] ?? '')}`);
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
    writeCost(relative(root, file));
  }
  await endGroup();
}
