// covers: test/ucp/{planted-faults,plant-fault,food-cases,location-cases}.ts
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { some } from '../runs.ts';
import { FAULTS } from './planted-faults.ts';

/** The suite's cases notice a service that breaks one statement: each runs against each fault of the table. */

const PLANT = join(import.meta.dirname, 'plant-fault.ts');
const SUITE = join(import.meta.dirname, 'food.slow.test.ts');

/** Runs the cases whose names begin so, over REST or as they are named. */
async function runCases(names: readonly string[], fault: string) {
  const args = ['--import', PLANT, '--test', '--test-reporter=tap', ...names.map(patternOf), SUITE];
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, PLANTED_FAULT: fault };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(String(part)));
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, text: parts.join('') };
}

const patternOf = (name: string) => `--test-name-pattern=^(rest: )?${name}`;

const passed = ({ text }: { text: string }) => Number(/^# pass (\d+)/m.exec(text)?.[1]);
const failed = ({ text }: { text: string }) => Number(/^# fail (\d+)/m.exec(text)?.[1]);

test('without a fault the cases of the table pass', async () => {
  const names = [...new Set(FAULTS.map(({ fails }) => fails))];
  const run = await runCases(names, 'none');
  assert.deepEqual([passed(run), failed(run), run.status], [names.length, 0, 0], run.text);
});

for (const [nth, fault] of FAULTS.entries()) {
  const { file, becomes, fails } = fault;
  if (!some(FAULTS).includes(fault)) continue;
  test(`${file} with “${becomes}” fails the case “${fails} …”`, async () => {
    const run = await runCases([fails], String(nth));
    assert.deepEqual([passed(run), failed(run), run.status], [0, 1, 1], run.text);
    // A file that does not load would fail too.
    assert.match(run.text, new RegExp(`^ *not ok \\d+ - (rest: )?${fails}`, 'm'));
  });
}
