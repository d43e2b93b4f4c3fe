import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';

/**
 * `npm run nightly [-- PART…]`: every test with all its repetitions, from a new seed unless `PROPERTY_SEED` names one,
 * then what tests the tests, the hours and the promises under load. All parts run; exit status 1 if one fails.
 */
/** The parts, by the arguments of npm that run them. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  tests: ['test', '--', '--times'],
  mutate: ['run', 'mutate'],
  hours: ['run', 'any-hour'],
  soak: ['run', 'soak', '--', 'kill', 'database', 'hostile'],
};
const ROOT = join(import.meta.dirname, '../..');
const { PROPERTY_SEED = String(randomInt(2 ** 31 - 1)) } = process.env;
const named = process.argv.slice(2);
for (const [part, command] of import.meta.main ? Object.entries(PARTS) : []) {
  if (named.length > 0 && !named.includes(part)) continue;
  process.stdout.write(`\n== ${part}, PROPERTY_SEED=${PROPERTY_SEED}\n`);
  const env = { ...process.env, TEST_RUNS: 'all', PROPERTY_SEED };
  const { status } = spawnSync('npm', command, { cwd: ROOT, env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
