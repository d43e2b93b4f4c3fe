// covers: test/contracts/plugin-testing.ts, docs/plugins.md
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/** Runs `npm test` in a folder; returns its exit status and output. */
function npmTest(cwd: string): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    // Under NODE_TEST_CONTEXT a test runner inside another one runs nothing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const path = `${dirname(process.execPath)}:${env.PATH}`;
    execFile('npm', ['test'], { cwd, env: { ...env, PATH: path } }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
}

test('the documented `npm test` of a plug-in fails where no test runs, and passes with one in TypeScript', async (t) => {
  const document = await readFile(join(import.meta.dirname, '../../docs/plugins.md'), 'utf8');
  const script = /"test": "([^"]+)"/.exec(document)?.[1]?.replace('.mjs', '.ts') ?? '';
  const home = await mkdtemp(join(tmpdir(), 'doorstep-plugin-'));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module', scripts: { test: script } }));
  const none = await npmTest(home);
  assert.notEqual(none.status, 0, none.output);
  const tested = "import { test } from 'node:test';\nconst name: string = 'acme';\ntest(name, () => {});\n";
  await writeFile(join(home, 'acme.test.ts'), tested);
  const one = await npmTest(home);
  assert.equal(one.status, 0, one.output);
  assert.match(one.output, /tests 1\b/);
});
