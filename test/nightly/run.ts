import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseTests } from '../runner/choose-tests.ts';
import { MOMENTS } from './moments.ts';

/**
 * `npm run nightly [-- --part 2/4]`: every test with all its repetitions, from a new seed unless `PROPERTY_SEED` names
 * one, then the hours of the clock, mutants, soaks and patterns. All commands run; exit status 1 if one fails.
 */
const ROOT = join(import.meta.dirname, '../..');

/** The arguments of npm for a part, such as `2/4`: each quarter gets every fourth test, hour, and mutation or soak. */
export function commandsOf(part: string, tests: readonly string[]): string[][] {
  const [, nth, of] = /^([1-9])\/([1-9])$/.exec(part)?.map(Number) ?? [];
  if (nth === undefined || of === undefined || nth > of) throw new Error(`--part ${part} is not one such as 2/4.`);
  const shareOf = <Work>(all: readonly Work[]) => all.filter((_, at) => at % of === nth - 1);
  return [
    ['test', '--', '--times', ...shareOf(tests)],
    ['run', 'any-hour', '--', ...shareOf(Object.values(MOMENTS).flat())],
    ...shareOf([
      ['mutate', '--tonight'],
      ...['kill', 'database', 'hostile'].map((name) => ['soak', name]),
      ['patterns', '--recheck'],
    ]).map(([script = '', word = '']) => ['run', script, '--', word]),
  ];
}

if (import.meta.main) {
  const { part } = parseArgs({ options: { part: { type: 'string', default: '1/1' } } }).values;
  const { PROPERTY_SEED = String(randomInt(2 ** 31 - 1)) } = process.env;
  const repeat = `PROPERTY_SEED=${PROPERTY_SEED} npm run nightly -- --part ${part}`;
  process.stdout.write(`${repeat}\n`);
  const env = { ...process.env, TEST_RUNS: 'all', PROPERTY_SEED };
  const tests = chooseTests(ROOT, 'all').map(({ file }) => file);
  for (const command of commandsOf(part, tests)) {
    const { status } = spawnSync('npm', command, { cwd: ROOT, env, stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
  process.stdout.write(process.exitCode ? `✖ Failed. Repeat: ${repeat}\n` : `Passed: ${repeat}\n`);
}
