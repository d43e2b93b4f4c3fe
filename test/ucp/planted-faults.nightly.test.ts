// covers: test/ucp/{planted-faults,plant-fault}.ts
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { some } from '../runs.ts';
import { FAULTS } from './planted-faults.ts';

/** Tests of the shop notice a service that breaks one statement: each fault of the table fails its test. */

const PLANT = join(import.meta.dirname, 'plant-fault.ts');

/** Runs the tests of a file whose names begin so. */
async function runCases(suite: string, names: readonly string[], fault: string) {
  const file = join(import.meta.dirname, suite);
  const args = ['--import', PLANT, '--test', '--test-reporter=tap', ...names.map(patternOf), file];
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, PLANTED_FAULT: fault };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(String(part)));
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, text: parts.join('') };
}

const patternOf = (name: string) => `--test-name-pattern=^${name}`;

const passed = ({ text }: { text: string }) => Number(/^# pass (\d+)/m.exec(text)?.[1]);
const failed = ({ text }: { text: string }) => Number(/^# fail (\d+)/m.exec(text)?.[1]);

for (const [suite, faults] of Map.groupBy(FAULTS, (fault) => fault.suite)) {
  test(`without a fault the tests of the table pass: ${suite}`, async () => {
    const names = [...new Set(faults.map(({ fails }) => fails))];
    const run = await runCases(suite, names, 'none');
    assert.deepEqual([passed(run) >= names.length, failed(run), run.status], [true, 0, 0], run.text);
  });
}

for (const [nth, fault] of FAULTS.entries()) {
  const { file, becomes, suite, fails } = fault;
  if (!some(FAULTS).includes(fault)) continue;
  test(`${file} with “${becomes}” fails the test “${fails} …”`, async () => {
    const run = await runCases(suite, [fails], String(nth));
    assert.ok(failed(run) > 0 && run.status === 1, run.text);
    // A file that does not load would fail too.
    assert.match(run.text, new RegExp(`^ *not ok \\d+ - ${fails}`, 'm'));
  });
}
