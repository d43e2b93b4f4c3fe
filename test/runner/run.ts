import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openRunDatabase } from '../run-database.ts';
import { SEED } from '../runs.ts';
import { createTemplate, TEMPLATE } from '../test-database.ts';
import { changedFiles, chooseTests, type Extent, SLOW_TEST } from './choose-tests.ts';
import { testsOfService } from './import-graph.ts';
import { readTimes, tableOf } from './times.ts';

const ROOT = join(import.meta.dirname, '../..');
/**
 * Two more than processors, because tests wait for PostgreSQL, processes or browsers part of the time. An external
 * database allows up to a hundred connections.
 */
const PROCESSES = Math.min(availableParallelism(), 4) + (process.env.DATABASE_URL ? 1 : 2);

/** `npm test [-- FILE or FOLDER…] [-- --changed] [-- --times]` (README.md alongside this file). */
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false }, times: { type: 'boolean', default: false } },
});
const extent = (process.env.TEST_RUNS ?? 'fast') as Extent;
const files =
  named.length > 0
    ? named.flatMap(filesOf).map((file) => ({ file, takesAll: extent === 'all' }))
    : chooseTests(ROOT, extent, values.changed || extent === 'change' ? changedFiles(ROOT) : [], values.changed);
const folder = mkdtempSync(join(tmpdir(), 'doorstep-tests-'));
const [timesFile, failedFile] = [join(folder, 'times'), join(folder, 'failed')];
process.exitCode = files.length > 0 ? await run() : 0;
report();
rmSync(folder, { recursive: true });

async function run(): Promise<number> {
  // Shares compiled code between processes, including those of `bin/doorstep`.
  process.env.NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/doorstep');
  const bundled = bundlePages();
  await using database = await openRunDatabase();
  process.env.DATABASE_URL = database.connectionString;
  const template = await createTemplate();
  await bundled;
  const options = [
    // Most test objects die young: a larger young generation takes a third of the collections and saves a tenth of the
    // processor time.
    ...['--min-semi-space-size=32', '--max-semi-space-size=64'],
    ...['--import', join(import.meta.dirname, 'preload.ts')],
    ...['--test', `--test-concurrency=${PROCESSES}`],
    ...['spec', join(import.meta.dirname, 'failed-files.ts')].map((reporter) => `--test-reporter=${reporter}`),
    ...['stdout', failedFile].map((file) => `--test-reporter-destination=${file}`),
  ];
  const child = spawn(process.execPath, [...options, ...writePrograms()], {
    stdio: 'inherit',
    env: { ...process.env, [TEMPLATE]: template.name },
  });
  // Waits for the tests on a signal; otherwise the database would stay behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [status] = await once(child, 'exit');
  await template.drop();
  return status ?? 1;
}

/** The fast tests of a folder, or the file itself. */
function filesOf(name: string): string[] {
  const inside = globSync(`${name}/**/*.test.{ts,tsx}`, { cwd: ROOT }).filter((file) => !SLOW_TEST.test(file));
  return inside.length > 0 ? inside : [name];
}

/** Bundles the pages in a process of its own if a test starts a service. */
async function bundlePages(): Promise<void> {
  const ofService = new Set(testsOfService(ROOT));
  if (!files.some(({ file }) => ofService.has(file))) return;
  await once(spawn(process.execPath, [join(import.meta.dirname, 'bundle-pages.ts')], { stdio: 'inherit' }), 'exit');
}

/** A program for each process, which runs one file after another until all have run. */
function writePrograms(): string[] {
  const [module, root, marks, times] = [join(import.meta.dirname, 'run-files.ts'), ROOT, folder, timesFile].map(
    (path) => JSON.stringify(path),
  );
  return Array.from({ length: Math.min(PROCESSES, files.length) }, (_, n) => {
    const program = join(folder, `process-${n + 1}.test.ts`);
    writeFileSync(
      program,
      `import { runFiles, takeFiles } from ${module};
      await runFiles(${root}, takeFiles(${marks}, ${JSON.stringify(files)}), ${times});`,
    );
    return program;
  });
}

/** Says which files did not run to their end and, last, what failed and how to repeat it. */
function report(): void {
  const ended = readTimes(timesFile);
  if (values.times) process.stdout.write(`${tableOf(ended)}\n`);
  for (const { file } of files) {
    if (ended.some((one) => one.file === file)) continue;
    process.stdout.write(`✖ ${file} did not run to its end\n`);
    process.exitCode = 1;
  }
  const lines = files.length > 0 ? readFileSync(failedFile, 'utf8').split('\n').filter(Boolean) : [];
  const failed = [...new Set(lines.filter((line) => !line.startsWith(' ')))];
  const all = files.some(({ file, takesAll }) => takesAll && failed.includes(file)) ? 'TEST_RUNS=all ' : '';
  if (failed.length === 0) return;
  const faults = lines.filter((line) => line.startsWith(' ')).map((line) => `✖${line}\n`);
  process.stdout.write(`${faults.join('')}Repeat: ${all}PROPERTY_SEED=${SEED} npm test -- ${failed.join(' ')}\n`);
}
