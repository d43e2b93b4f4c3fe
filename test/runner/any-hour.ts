import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { testsReaching } from './import-graph.ts';
import { openRunDatabase } from './run-database.ts';
import { hourAhead } from './shift-clock.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:28`);
/** Start times at which every test must pass, by what makes them special; the clock runs on from there. */
const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  'each hour of a Wednesday': HOURS.map((hour) => `2027-01-13T${hour}:00Z`),
  // 11:00 and 22:00 in Chicago.
  'just before a breakfast menu and many stores end': ['2027-01-13T16:59:50Z', '2027-01-14T03:59:50Z'],
  'the US skips an hour: just before in New York and in Chicago, and that afternoon': [
    '2027-03-14T06:59:50Z',
    '2027-03-14T07:59:50Z',
    '2027-03-14T18:28:00Z',
  ],
  // 01:28 in Chicago, the end of the first 01:00 hour, 01:28 again.
  'the US repeats an hour: in it, between the two, in the second, and that afternoon': [
    '2027-11-07T06:28:00Z',
    '2027-11-07T06:59:50Z',
    '2027-11-07T07:28:00Z',
    '2027-11-07T18:28:00Z',
  ],
  'the end of a year: UTC, New York, Chicago': ['2027-12-31T23:59:50Z', '2028-01-01T04:59:50Z', '2028-01-01T05:59:50Z'],
  // Years ahead, so that everything with an expiry has expired.
  '29 February: its beginning in Chicago, its noon, its end there': [
    '2036-02-29T05:59:50Z',
    '2036-02-29T18:28:00Z',
    '2036-03-01T05:59:50Z',
  ],
};

/** Ends a hanging file; not an assertion of speed. */
const LONGEST_FILE_MS = 15 * 60_000;
const ROOT = join(import.meta.dirname, '../..');
/** Code that reads the machine's clock (test/architecture.test.ts forbids `Date`), or starts a browser, which does. */
const READS_THE_CLOCK = /\bTemporal\.Now\b|\bsystemClock\b|'playwright-core'/;
/** The harness gives the service a test clock. */
const HAS_ITS_OWN_CLOCK = 'test/harness.ts';
const OUTPUT = join(mkdtempSync(join(tmpdir(), 'doorstep-any-hour-')), 'output.txt');

async function runAt(moment: string, file: string, databaseUrl: string): Promise<string | undefined> {
  const aheadMs = Temporal.Instant.from(moment).epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
  const env = {
    ...process.env,
    ...hourAhead(aheadMs),
    // Makes a journey's `npm start` use this Node.js.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    DATABASE_URL: databaseUrl,
  };
  // A file, because a process that outlives a failed test would keep a pipe open and delay the end.
  const output = openSync(OUTPUT, 'w');
  const child = spawn(process.execPath, [file], { cwd: ROOT, env, stdio: ['ignore', output, output] });
  const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_FILE_MS);
  const status = await new Promise<number | null>((done) => child.on('exit', done));
  clearTimeout(tooLong);
  closeSync(output);
  return status === 0 ? undefined : readFileSync(OUTPUT, 'utf8');
}

/** Runs the files sequentially, prints the output of failed ones, and returns them. */
async function failuresAt(moment: string, files: readonly string[], databaseUrl: string): Promise<string[]> {
  const failed: string[] = [];
  for (const file of files) {
    const output = await runAt(moment, file, databaseUrl);
    if (output === undefined) continue;
    failed.push(file);
    say(output);
  }
  return failed;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

// `npm run any-hour [-- PART-OF-A-PATH… PART-OF-A-MOMENT…]` prints one table row per moment.
const words = process.argv.slice(2);
const times = words.filter((word) => /^\d/.test(word));
const parts = words.filter((word) => !times.includes(word));
const isAsked = (name: string, asked: readonly string[]) =>
  asked.length === 0 || asked.some((one) => name.includes(one));
const files = testsReaching(ROOT, (file, text) => file !== HAS_ITS_OWN_CLOCK && READS_THE_CLOCK.test(text), [
  HAS_ITS_OWN_CLOCK,
]).filter((file) => isAsked(file, parts));
if (files.length === 0) throw new Error(`No test of ${parts.join(', ')} reads the machine's clock.`);
await using database = await openRunDatabase();
say(`${files.length} files read the machine's clock:\n${files.map((file) => `  ${file}`).join('\n')}`);
for (const [what, all] of Object.entries(MOMENTS)) {
  const moments = all.filter((moment) => isAsked(moment, times));
  if (moments.length > 0) say(`\n${what}`);
  for (const moment of moments) {
    const failed = await failuresAt(moment, files, database.connectionString);
    if (failed.length > 0) process.exitCode = 1;
    say(`  ${moment}  ${failed.length === 0 ? 'passed' : `FAILED: ${failed.join(', ')}`}`);
  }
}
rmSync(dirname(OUTPUT), { recursive: true });
