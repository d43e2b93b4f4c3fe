import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { testsReaching } from '../runner/import-graph.ts';
import { MOMENTS } from './moments.ts';
import { hourAhead } from './shift-clock.ts';

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
