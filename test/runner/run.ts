import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TAKES_ALL_RUNS } from '../runs.ts';
import { createTemplate, TEMPLATE } from '../test-database.ts';
import { changedFiles, chooseTests, inSequence, isSlow } from './choose-tests.ts';
import { openRunDatabase } from './run-database.ts';
import { notEnded } from './run-together.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Ends a run in which a test waits forever, and then reports the failures, before CI's 90 minutes end. */
const LONGEST_RUN_MS = 80 * 60_000;
/**
 * Two more than processors, because tests wait for PostgreSQL, processes or browsers part of the time. An external
 * database allows at most a hundred connections.
 */
const PROCESSES = Math.min(availableParallelism(), 4) + (process.env.DATABASE_URL ? 1 : 2);

/**
 * `npm test [-- FILE…|--changed]`: Node.js's runner on one PostgreSQL per run. Slow tests and named files get a process
 * each; other files share as many processes as run at a time, which load the service and compile its code once each.
 */
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false } },
});
const changed = values.changed ? changedFiles(ROOT) : undefined;
const tests = chooseTests(ROOT, { all: TAKES_ALL_RUNS, ...(changed && { changed }) });
const folder = mkdtempSync(join(tmpdir(), 'doorstep-tests-'));
const shared =
  named.length > 0
    ? []
    : inSequence(
        ROOT,
        tests.filter((file) => !isSlow(file)),
      );
const programs = named.length > 0 ? named : [...tests.filter(isSlow), ...writeShared()];
process.exitCode = programs.length > 0 ? await run(programs) : 0;
for (const file of notEnded(folder, shared)) {
  process.stderr.write(`✖ ${file} did not run to its end\n`);
  process.exitCode = 1;
}
rmSync(folder, { recursive: true });

async function run(files: readonly string[]): Promise<number> {
  await using database = await openRunDatabase();
  process.env.DATABASE_URL = database.connectionString;
  const template = await createTemplate();
  const options = [
    // Most test objects die young: a larger young generation takes a third of the collections and saves a tenth of the
    // processor time.
    ...['--min-semi-space-size=32', '--max-semi-space-size=64'],
    ...['compare-moments.ts', 'follow-tests.ts', 'end-after-failure.ts', 'fix-seeds.ts'].flatMap((file) => [
      '--import',
      join(import.meta.dirname, file),
    ]),
  ];
  const child = spawn(process.execPath, [...options, '--test', `--test-concurrency=${PROCESSES}`, ...files], {
    stdio: 'inherit',
    env: {
      ...process.env,
      [TEMPLATE]: template.name,
      // Shares compiled code between processes, including those of `bin/doorstep`.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/doorstep'),
    },
  });
  // Waits for the tests on a signal; otherwise the database would stay behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_RUN_MS);
  const status = await new Promise<number>((done) => child.on('exit', (code) => done(code ?? 1)));
  clearTimeout(tooLong);
  await template.drop();
  return status;
}

/** A program for each process of the run, which run one fast file after another until all have run. */
function writeShared(): string[] {
  const module = JSON.stringify(join(import.meta.dirname, 'run-together.ts'));
  const paths = JSON.stringify(shared.map((file) => join(ROOT, file)));
  return Array.from({ length: Math.min(PROCESSES, shared.length) }, (_, n) => {
    const program = join(folder, `shared-${n + 1}.test.ts`);
    writeFileSync(
      program,
      `import { runTogether, takeFiles } from ${module};
      await runTogether(${JSON.stringify(ROOT)}, takeFiles(${JSON.stringify(folder)}, ${paths}));`,
    );
    return program;
  });
}
