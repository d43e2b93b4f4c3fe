import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { findRealClockTests, findServiceTests } from './real-clock-tests.ts';
import { REAL_CLOCK_TESTS } from './refuse-clock.ts';

const run = promisify(execFile);

function givenFiles(t: TestContext, texts: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'doorstep-clock-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

test('a test is found that reads the clock, imports what does, or starts a program that does', (t) => {
  const root = givenFiles(t, {
    'src/a/reads.test.ts': 'Temporal.Now.instant()',
    'src/a/imports.test.ts': "import { given } from '../../test/given.ts';",
    'src/a/starts.test.ts': "spawn(join(import.meta.dirname, '../../test/work-child.ts'))",
    'src/a/command.test.ts': "import { given } from '../../test/command.ts';",
    'src/a/types.test.ts': "import type { Given } from '../../test/given.ts';",
    'src/a/own-clock.test.ts': "import { givenApp } from '../../test/harness.ts';",
    'src/a/pure.test.ts': "import { sum } from './sum.ts'; 'no/such.ts'",
    'src/a/sum.ts': '',
    'test/given.ts': "import './work-child.ts';\nimport '../src/a/imports.test.ts';",
    'test/work-child.ts': "import { systemClock } from '../src/lib/clock.ts';",
    'test/command.ts': "join(import.meta.dirname, '../bin/shop')",
    'test/harness.ts': "import '../src/lib/clock.ts';",
    'bin/shop': "import('../src/lib/clock.ts')",
    'src/lib/clock.ts': 'export const systemClock = Temporal.Now',
  });
  const found = ['command', 'imports', 'reads', 'starts'].map((name) => `src/a/${name}.test.ts`);
  assert.deepEqual(findRealClockTests(root), found);
});

test('a test is found that starts the service in its process, or imports what does', (t) => {
  const root = givenFiles(t, {
    'src/a/imports.test.ts': "import { given } from '../../test/given.ts';",
    'src/a/pure.test.ts': "import type { App } from '../../test/harness.ts';",
    'src/a/starts.test.ts': "import { givenApp } from '../../test/harness.ts';",
    'test/given.ts': "import { givenApp } from './harness.ts';",
    'test/harness.ts': '',
  });
  assert.deepEqual(findServiceTests(root), ['src/a/imports.test.ts', 'src/a/starts.test.ts']);
});

test('in a test that the search does not find, the clock throws', async (t) => {
  const root = givenFiles(t, { 'some.test.ts': 'console.log(Temporal.Now.instant())' });
  const args = ['--import', join(import.meta.dirname, 'refuse-clock.ts'), join(root, 'some.test.ts')];
  const env = { ...process.env, [REAL_CLOCK_TESTS]: 'test/other.test.ts' };
  await assert.rejects(run(process.execPath, args, { env }), /some\.test\.ts reads the machine's clock/);
});
