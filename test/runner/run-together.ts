import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { errorCode } from '../../src/platform/lib/error-code.ts';
import { holdEnd, releaseEnd } from './end-after-failure.ts';
import { followTests, unfollowTests } from './follow-tests.ts';

/**
 * Runs test files in this process, which loads the service once. Each file is a suite, because `--test-isolation=none`
 * would share its hooks, and loads after the previous one ends.
 */
export async function runTogether(root: string, files: Iterable<string>): Promise<void> {
  holdEnd();
  const { random } = Math;
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
    // Trace IDs and waits of the files after it would be the same.
    if (Math.random !== random) throw new Error(`${relative(root, file)} leaves Math.random replaced`);
  }
  releaseEnd();
}

/**
 * The files that no other process of the run has taken, each taken right before it runs. `folder` has a mark of each,
 * which is empty until the file has ended.
 */
export function* takeFiles(folder: string, files: readonly string[]): Generator<string> {
  for (const [nth, file] of files.entries()) {
    const mark = join(folder, String(nth));
    if (!marksFirst(mark)) continue;
    yield file;
    writeFileSync(mark, 'ended');
  }
}

/** The files that no process took, or whose process ended before them. */
export function notEnded(folder: string, files: readonly string[]): string[] {
  return files.filter((_, nth) => {
    const mark = join(folder, String(nth));
    return !existsSync(mark) || readFileSync(mark, 'utf8') === '';
  });
}

function marksFirst(mark: string): boolean {
  try {
    writeFileSync(mark, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
