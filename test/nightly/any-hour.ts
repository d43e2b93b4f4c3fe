import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { testsReaching } from '../runner/import-graph.ts';
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

const ROOT = join(import.meta.dirname, '../..');
/** Code that reads the machine's clock (test/architecture.test.ts forbids `Date`), or starts a browser, which does. */
const READS_THE_CLOCK = /\bTemporal\.Now\b|\bsystemClock\b|'playwright-core'/;
/** The harness gives the service a test clock. */
const HAS_ITS_OWN_CLOCK = 'test/harness.ts';

/** `npm run any-hour [-- PART-OF-A-PATH… PART-OF-A-MOMENT…]`: tests that read the machine's clock, at each moment. */
const words = process.argv.slice(2);
const times = words.filter((word) => /^\d/.test(word));
const parts = words.filter((word) => !times.includes(word));
const isChosen = (name: string, chosen: readonly string[]) =>
  chosen.length === 0 || chosen.some((one) => name.includes(one));
const files = testsReaching(ROOT, (file, text) => file !== HAS_ITS_OWN_CLOCK && READS_THE_CLOCK.test(text), [
  HAS_ITS_OWN_CLOCK,
]).filter((file) => isChosen(file, parts));
if (files.length === 0) throw new Error(`No test of ${parts.join(', ')} reads the machine's clock.`);
for (const [what, all] of Object.entries(MOMENTS)) {
  for (const moment of all.filter((one) => isChosen(one, times))) {
    process.stdout.write(`\n== ${moment}: ${what}\n`);
    const aheadMs = Temporal.Instant.from(moment).epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
    // A journey's `npm start` takes the Node.js of the path.
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    const env = { ...process.env, ...hourAhead(aheadMs), PATH };
    const { status } = spawnSync(process.execPath, [join(ROOT, 'test/runner/run.ts'), ...files], {
      cwd: ROOT,
      env,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
