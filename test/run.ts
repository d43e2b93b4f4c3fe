import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { costOfTree, costTable, type FileCost, TEST_COSTS } from './count-costs.ts';
import { alternate, groupTests, isOfWholeService, type TestGroup } from './group-tests.ts';
import { openRunDatabase } from './open-run-database.ts';
import { findRealClockTests, findServiceTests } from './real-clock-tests.ts';
import { REAL_CLOCK_TESTS } from './refuse-clock.ts';
import { stripSources } from './stripped-sources/strip-sources.ts';
import { PROCESS_TEST, type TestCommand, testsOf } from './test-commands.ts';
import { FREE_SCHEMAS, THROWN_AWAY } from './used-schemas.ts';

/** A file that leaves something open after a failed check never ends: the run is told to end, and then says what failed. */
const LONGEST_RUN_MS = 40 * 60_000;
/**
 * A test that starts processes or a browser waits for two thirds of its time, another test for a small part: two processes
 * more than processors. A database of the caller's may take no more than a hundred connections.
 */
const PROCESSES = Math.min(availableParallelism(), 4) + (process.env.DATABASE_URL ? 1 : 2);
/** A group of minutes that began last would keep one processor at the end of a run, and leave the others idle. */
const LONGEST: ReadonlySet<string> = new Set([
  ...['test-simulate', 'test-hostile-1', 'test-real-feeds'],
  ...['webhooks-killed', 'demo', 'embedded-postgres-crash', 'embedded-postgres-users'],
]);
const ROOT = join(import.meta.dirname, '..');
const OF_PROCESSES = '--processes';

/** A file that starts processes takes several times as long as another; a file that starts no service takes little. */
const SIZES = {
  realClock: { mostFiles: 5, fewFiles: 1 },
  service: { mostFiles: 12, fewFiles: 6 },
  pure: { mostFiles: 24, fewFiles: 12 },
};

/**
 * Runs the tests of a command (`--processes`: those of whole processes), or the files that are named, against one database.
 * A file that is named has a process of its own, and so has a test of processes. Other files share a process with files of
 * their room, and no file that goes by a clock of its own with a file that reads the machine's clock or starts processes.
 */
await using database = await openRunDatabase();
const folder = mkdtempSync(join(tmpdir(), 'doorstep-groups-'));
const free = join(folder, 'free-schemas');
mkdirSync(free);
const args = process.argv.slice(2);
const command: TestCommand = args.includes(OF_PROCESSES) ? 'test:processes' : 'test';
const named = args.filter((arg) => arg !== OF_PROCESSES).sort();
const realClock = findRealClockTests(ROOT);
const programs = named.length > 0 ? { files: named, realClock } : writeGroups(folder);
// Most objects of a test die young: in a third of the collections, for a tenth of the processor time of a test process.
const youngSpace = ['--min-semi-space-size=32', '--max-semi-space-size=64'];
const costs = process.env[TEST_COSTS] ? join(folder, 'costs.ndjson') : undefined;
const modules = ['refuse-clock.ts', 'compare-moments.ts', 'follow-tests.ts', ...(costs ? ['count-costs.ts'] : [])];
const preloaded = modules.flatMap((file) => ['--import', join(import.meta.dirname, file)]);
const options = [...youngSpace, ...preloaded];
const child = spawn(process.execPath, [...options, '--test', `--test-concurrency=${PROCESSES}`, ...programs.files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    DATABASE_URL: database.connectionString,
    ...(process.env.DATABASE_URL ? {} : { [THROWN_AWAY]: database.connectionString, [FREE_SCHEMAS]: free }),
    // What one process compiled, the next process reads, and so do the processes of `bin/doorstep`.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/doorstep'),
    ...(named.length > 0 ? {} : stripSources(ROOT, folder)),
    [REAL_CLOCK_TESTS]: programs.realClock.join(':'),
    ...(costs ? { [TEST_COSTS]: costs } : {}),
  },
});
// The run ends with its tests, and not before: its database would stay behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_RUN_MS);
process.exitCode = await new Promise<number>((done) => child.on('exit', (status) => done(status ?? 1)));
clearTimeout(tooLong);
if (costs && existsSync(costs)) process.stdout.write(`${costTable(readCosts(costs))}\n`);
rmSync(folder, { recursive: true });

/** What the files of the run wrote down, and what their database took beside them. */
function readCosts(file: string): FileCost[] {
  const files = readFileSync(file, 'utf8').trim().split('\n');
  const costs: FileCost[] = files.map((line) => JSON.parse(line));
  const { serverPid } = database;
  if (serverPid !== undefined) {
    costs.push({ name: 'the PostgreSQL of the run', ownS: costOfTree(serverPid), childrenS: 0, wallS: 0 });
  }
  return costs;
}

/**
 * Writes a program for each group. The runner starts them in the order of their names: what takes longest comes first, so
 * that the processors end at the same time, and groups that wait for processes alternate with groups that do not.
 */
function writeGroups(folder: string): { files: string[]; realClock: string[] } {
  const tests = testsOf(ROOT, command);
  const clockTests = tests.filter((file) => realClock.includes(file));
  const ofOwnClock = groupsOfOwnClock(tests.filter((file) => !realClock.includes(file)));
  const ofRealClock = command === 'test' ? groupTests(clockTests, SIZES.realClock) : groupsOfOne(clockTests);
  const groups = alternate(ofRealClock.sort(longestFirst), ofOwnClock.sort(longestFirst));
  const files = groups.map((group, n) => writeGroup(folder, `${String(n).padStart(3, '0')}-${group.name}`, group));
  const isOfRealClock = (_: string, n: number) => ofRealClock.some((group) => group === groups[n]);
  return { files, realClock: files.filter(isOfRealClock).map((file) => relative(ROOT, file)) };
}

/**
 * A file that starts no service shares with its like, because the service would only be in the way of collecting garbage
 * (docs/adr/0023-test-files-share-a-process.md).
 */
function groupsOfOwnClock(files: readonly string[]): TestGroup[] {
  const service = findServiceTests(ROOT);
  const ofService = files.filter((file) => service.includes(file));
  const pure = files.filter((file) => !service.includes(file));
  return [...groupTests(ofService, SIZES.service), ...groupTests(pure, SIZES.pure)];
}

/** Each test of processes takes as long as a group of others. */
function groupsOfOne(files: readonly string[]): TestGroup[] {
  return files.map((file) => ({ name: basename(file, PROCESS_TEST), files: [file] }));
}

function longestFirst(one: TestGroup, other: TestGroup): number {
  const rankOf = ({ name }: TestGroup) => (LONGEST.has(name) ? 2 : Number(isOfWholeService(name)));
  return rankOf(other) - rankOf(one);
}

function writeGroup(folder: string, name: string, group: TestGroup): string {
  const program = join(folder, `${name}.test.ts`);
  const module = JSON.stringify(join(ROOT, 'test/run-together.ts'));
  const list = JSON.stringify(group.files.map((file) => join(ROOT, file)));
  writeFileSync(
    program,
    `import { runTogether } from ${module};\nawait runTogether(${JSON.stringify(ROOT)}, ${list});\n`,
  );
  return program;
}
