import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT, textOf } from './source-files.ts';
import { commandOf, TEST_COMMANDS, testsOf } from './test-commands.ts';

/** Folders of packages, of data and of what commands write. */
const NOT_OURS = /(^|\/)(node_modules|docs-site|reports|\.[^/]+)$/;

test('every test of the repository is a test of exactly one command', () => {
  const all = globSync('**/*.test.{ts,tsx,js,mjs}', { cwd: ROOT, exclude: (path) => NOT_OURS.test(path) });
  assert.ok(all.length > 500);
  assert.deepEqual(TEST_COMMANDS.flatMap((command) => testsOf(ROOT, command)).sort(), all.sort());
});

test('each command is in package.json, and is run before a change lands', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const landing = textOf('.ci/run').split('\n');
  for (const command of TEST_COMMANDS) {
    assert.match(scripts[command], / test\/run\.ts\b/, command);
    const isRun = landing.some((line) => [`npm ${command}`, `npm run --silent ${command}`].includes(line));
    assert.ok(isRun, command);
  }
});

test('attacks, simulation, journeys and the loss of no order stay in the first command', () => {
  const ofProcesses = testsOf(ROOT, 'test:processes');
  assert.deepEqual(
    ofProcesses.filter((file) => /^test\/(hostile|simulate|journeys)\//.test(file)),
    [],
  );
  const first = testsOf(ROOT, 'test');
  for (const file of [
    'test/faults/orders-killed.test.ts',
    'test/hostile/bad-input.test.ts',
    'test/hostile/generated/generated.test.ts',
    'test/journeys/main-job.test.ts',
    'test/simulate/simulation.test.ts',
  ]) {
    assert.ok(first.includes(file), file);
  }
});

test('the ending of a file names its command', () => {
  assert.equal(commandOf('src/cli/serve.process.test.ts'), 'test:processes');
  assert.equal(commandOf('src/cli/process.test.ts'), 'test');
});
