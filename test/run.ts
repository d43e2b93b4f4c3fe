import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupTests } from './group-tests.ts';
import { openRunDatabase } from './open-run-database.ts';
import { findRealClockTests, findTests } from './real-clock-tests.ts';
import { REAL_CLOCK_TESTS } from './refuse-clock.ts';

/** A file that leaves something open after a failed check never ends: the run is told to end, and then says what failed. */
const LONGEST_RUN_MS = 40 * 60_000;
/** A test waits for a good part of its time, for the database, a clock or a browser: one process more than processors. */
const PROCESSES = Math.min(availableParallelism(), 4) + 1;
const ROOT = join(import.meta.dirname, '..');

/**
 * Runs all tests, or the files that are named, against one database. A file that is named has a process of its own, and
 * so has a file that starts processes or reads the machine's clock. Other files share a process with files of their room.
 */
await using database = await openRunDatabase();
const folder = mkdtempSync(join(tmpdir(), 'doorstep-groups-'));
const named = process.argv.slice(2).sort();
const realClock = findRealClockTests(ROOT);
const files = named.length > 0 ? named : [...writeGroups(folder), ...realClock];
const preload = ['--import', join(import.meta.dirname, 'refuse-clock.ts')];
const child = spawn(process.execPath, [...preload, '--test', `--test-concurrency=${PROCESSES}`, ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    DATABASE_URL: database.connectionString,
    // What one process compiled, the next process reads.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
    [REAL_CLOCK_TESTS]: realClock.join(':'),
  },
});
const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_RUN_MS);
process.exitCode = await new Promise<number>((done) => child.on('exit', (status) => done(status ?? 1)));
clearTimeout(tooLong);
rmSync(folder, { recursive: true });

/** Writes a program for each group of tests that go by a clock of their own, and returns the programs' paths. */
function writeGroups(folder: string): string[] {
  const sharing = findTests(ROOT).filter((file) => !realClock.includes(file));
  const module = JSON.stringify(join(ROOT, 'test/run-together.ts'));
  return groupTests(sharing).map(({ name, files }) => {
    const program = join(folder, `${name}.test.ts`);
    const list = JSON.stringify(files.map((file) => join(ROOT, file)));
    writeFileSync(
      program,
      `import { runTogether } from ${module};\nawait runTogether(${JSON.stringify(ROOT)}, ${list});\n`,
    );
    return program;
  });
}
