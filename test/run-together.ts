import { relative } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Runs test files in this process, one after the other. Each is a suite of its own: its hooks are for its tests alone. */
export function runTogether(root: string, files: readonly string[]): void {
  for (const file of files) {
    suite(relative(root, file), async () => {
      try {
        await import(pathToFileURL(file).href);
      } catch (error) {
        // The runner counts failed tests: a suite that fails without one would leave the count at 0.
        test('the file is loaded', () => {
          throw error;
        });
      }
    });
  }
}
