import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PRELOADED = join(import.meta.dirname, 'without-promise-hooks.ts');

/** Runs a file as `npm test` does: in a process of its own, with the runner above it. */
async function runFile(t: { after(task: () => void): void }, text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-hooks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'some.test.ts');
  writeFileSync(
    file,
    `import { test } from 'node:test';\nimport { executionAsyncId } from 'node:async_hooks';\n${text}`,
  );
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return run(process.execPath, ['--import', PRELOADED, '--test', '--test-reporter=tap', file], { env }).then(
    ({ stdout }) => `passed\n${stdout}`,
    (error) => `failed\n${error.stdout}`,
  );
}

const LATER = 'setTimeout(() => { throw new Error("nobody catches this"); }, 1)';
const WHILE_IT_RUNS = `test('waits', async () => { ${LATER}; await new Promise((done) => setTimeout(done, 50)); });`;

test('an error that no test catches fails its file, while a test runs and after it', async (t) => {
  for (const text of [WHILE_IT_RUNS, `test('ends', () => { ${LATER}; });`]) {
    const said = await runFile(t, text);
    assert.match(said, /^failed/);
    assert.match(said, /nobody catches this/);
  }
});

test('the runner follows no promises, and a passing file passes', async (t) => {
  const isFollowed = 'await Promise.resolve(); if (executionAsyncId() !== 0) throw new Error("followed");';
  assert.match(await runFile(t, `test('follows', async () => { ${isFollowed} });`), /^passed/);
});
