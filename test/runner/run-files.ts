import { AsyncResource } from 'node:async_hooks';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { errorCode } from 'doorstep/files';
import { setTakesAllRuns } from '../runs.ts';
import { openFor, takeLeftOpen } from './open-handles.ts';
import { measure } from './times.ts';

/** A test file, relative to the root, and whether its properties take all their repetitions. */
export type TestFile = { file: string; takesAll: boolean };

/** Ends a file that waits for what never comes, so that it is named and the others run. */
const WAITS_FOREVER_MS = 25 * 60_000;

/** Files that replace the timers or the clock of their process: loops of a shared service would stall or spin. */
const REPLACES_TIMERS = /\bmock\.timers\b|\b(?:open-simulator|simulated-machine)\.ts'/;

const shared = new Map<string, { value: Promise<unknown>; close(): Promise<void> }>();
let isRunning = false;

/**
 * What the files of this process share under a name, opened by the first that asks for it. It is closed after the last
 * file, before one that replaces timers, and after its file if that runs alone.
 */
export function share<Value>(name: string, open: () => Promise<Value>, close: (value: Value) => Promise<void>) {
  const known = shared.get(name);
  if (known) return known.value as Promise<Value>;
  const value = open();
  shared.set(name, { value, close: () => value.then(close, () => {}) });
  endAlone();
  return value;
}

const ends = new Set<() => Promise<void>>();

/** Runs `end` once, when the test file that runs now has ended. */
export function atFileEnd(end: () => Promise<void>): void {
  endAlone();
  ends.add(end);
}

/** Node.js ends a hook that another hook adds together with that one: the file adds its end itself. */
const aloneFile = new AsyncResource('a file that runs alone');
let hasEnd = false;

function endAlone(): void {
  if (isRunning || hasEnd) return;
  hasEnd = true;
  aloneFile.runInAsyncScope(() => after(() => endFile().then(closeShared)));
}

async function endFile(): Promise<void> {
  for (const end of ends) await end();
  ends.clear();
}

async function closeShared(): Promise<void> {
  const open = [...shared.values()];
  shared.clear();
  for (const { close } of open) await close();
}

/**
 * Runs test files in this process, one after another, which loads the service once; writes the times of each to
 * `times`. Each file is a suite, because `--test-isolation=none` would share its hooks.
 */
export async function runFiles(
  root: string,
  files: Iterable<TestFile>,
  times: string,
  { longestMs = WAITS_FOREVER_MS } = {},
): Promise<void> {
  isRunning = true;
  const { random } = Math;
  for (const { file, takesAll } of files) {
    setTakesAllRuns(takesAll);
    openFor(file);
    await measure(times, file, () =>
      suite(file, { timeout: longestMs }, async () => {
        try {
          if (REPLACES_TIMERS.test(readFileSync(join(root, file), 'utf8'))) await closeShared();
          await import(pathToFileURL(join(root, file)).href);
        } catch (error) {
          // The runner counts failed tests: a suite that fails without one would leave the count at 0.
          test('the file is loaded', () => {
            throw error;
          });
        }
      }),
    );
    await endFile();
    // Trace IDs and waits of the files after it would be the same.
    if (Math.random !== random) throw new Error(`${file} leaves Math.random replaced`);
  }
  await closeShared();
  for (const [file, stacks] of await takeLeftOpen())
    await suite(file, () =>
      test('closes what it opens', () => {
        throw new AggregateError(stacks, stacks.map(({ stack }) => stack).join('\n'));
      }),
    );
  // What is left is being closed, or has failed a test. The last test is reported in the turn after it, and reports wait
  // in a full pipe while the run is too busy to read them.
  do {
    await setImmediate();
    await new Promise((written) => process.stdout.write('', written));
    await setImmediate();
  } while (process.stdout.writableLength > 0);
  process.exit();
}

/** The files that no other process of the run has taken, each taken right before it runs by a mark in `folder`. */
export function* takeFiles(folder: string, files: readonly TestFile[]): Generator<TestFile> {
  for (const [nth, file] of files.entries()) {
    try {
      writeFileSync(join(folder, String(nth)), '', { flag: 'wx' });
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw error;
    }
    yield file;
  }
}
