import { join, relative } from 'node:path';

/** The setting that names the tests that may read the machine's clock: `npm run any-hour` runs each of them. */
export const REAL_CLOCK_TESTS = 'DOORSTEP_REAL_CLOCK_TESTS';

const NOW = ['instant', 'zonedDateTimeISO', 'plainDateTimeISO', 'plainDateISO', 'plainTimeISO'];

// Preloaded into each process of `npm test`. In a test file outside the list the clock throws.
const file = relative(join(import.meta.dirname, '..'), process.argv[1] ?? '');
const allowed = process.env[REAL_CLOCK_TESTS]?.split(':');
if (allowed && file.endsWith('.test.ts') && !allowed.includes(file)) {
  const refuse = () => {
    throw new Error(`${file} reads the machine's clock, and test/real-clock-tests.ts does not find that it does.`);
  };
  Object.assign(Temporal.Now, Object.fromEntries(NOW.map((name) => [name, refuse])));
}
