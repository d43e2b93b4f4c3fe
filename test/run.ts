import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openRunDatabase } from './open-run-database.ts';
import { findRealClockTests, findTests } from './real-clock-tests.ts';
import { REAL_CLOCK_TESTS } from './refuse-clock.ts';

/** A file that leaves something open after a failed check never ends: the run is told to end, and then says what failed. */
const LONGEST_RUN_MS = 40 * 60_000;
const ROOT = join(import.meta.dirname, '..');

/** Runs all tests, or those that are named, against one database. */
await using database = await openRunDatabase();
const files = process.argv.length > 2 ? process.argv.slice(2).sort() : findTests(ROOT);
const preload = ['--import', join(import.meta.dirname, 'refuse-clock.ts')];
const child = spawn(process.execPath, [...preload, '--test', '--test-concurrency=2', ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    DATABASE_URL: database.connectionString,
    // Every test file is a process of its own: what the last one compiled, the next one reads.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
    [REAL_CLOCK_TESTS]: findRealClockTests(ROOT).join(':'),
  },
});
const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_RUN_MS);
process.exitCode = await new Promise<number>((done) => child.on('exit', (status) => done(status ?? 1)));
clearTimeout(tooLong);
