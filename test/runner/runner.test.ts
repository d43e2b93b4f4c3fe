import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT, textOf } from '../source-files.ts';
import { changedFiles, chooseTests, inSequence, isSlow } from './choose-tests.ts';
import { testsOfChange, testsReaching } from './import-graph.ts';
import { notEnded } from './run-together.ts';

/** Ends a run that hangs; not an assertion of speed. */
const LONGEST_RUN_MS = 120_000;

/** Folders of packages, data and command output. */
const NOT_OURS = /(^|\/)(node_modules|docs-site|reports|\.[^/]+)$/;

function givenFiles(t: TestContext, texts: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'doorstep-runner-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

test('every test file of the repository is run before a change lands', () => {
  const all = globSync('**/*.test.{ts,tsx,js,mjs}', { cwd: ROOT, exclude: (path) => NOT_OURS.test(path) });
  assert.ok(all.length > 300);
  assert.deepEqual(chooseTests(ROOT, { all: true }), all.sort());
  const { scripts } = JSON.parse(textOf('package.json'));
  assert.match(scripts.test, / test\/runner\/run\.ts$/);
  assert.equal(scripts['test:all'], 'TEST_RUNS=all npm test --');
  assert.ok(textOf('.ci/run').split('\n').includes('npm run --silent test:all'));
});

test('the fast tests are all but the slow ones, and have the simulation, hostile requests and the journey in browsers', () => {
  const [all, fast] = [true, false].map((each) => chooseTests(ROOT, { all: each }));
  assert.deepEqual(
    fast,
    all?.filter((file) => !file.endsWith('.slow.test.ts')),
  );
  for (const file of [
    'test/architecture.test.ts',
    'test/browser/live-order.test.ts',
    'test/hostile/generated/generated.test.ts',
    'test/simulate/simulation.test.ts',
  ]) {
    assert.ok(fast?.includes(file), file);
  }
});

test('fast tests run in one sequence: those that start no service first, and of the others those of several rooms', () => {
  const fast = chooseTests(ROOT, { all: false });
  const sequence = inSequence(ROOT, fast);
  assert.deepEqual(sequence.toSorted(), fast);
  const ofService = new Set(testsReaching(ROOT, (file) => file === 'test/harness.ts'));
  const kinds = sequence.map((file) => (ofService.has(file) ? `one room: ${file.startsWith('src/')}` : 'pure'));
  assert.deepEqual(
    [...new Set(kinds.filter((kind, nth) => kind !== kinds[nth - 1]))],
    ['pure', 'one room: false', 'one room: true'],
  );
});

test('a change concerns the tests that import, start, read or list a changed file, and the service tests of its rooms', (t) => {
  const root = givenFiles(t, {
    'src/ordering/place/imports.test.ts': "import { sum } from '../../platform/lib/sum.ts';",
    'src/ordering/place/starts.slow.test.ts': "spawn(join(import.meta.dirname, '../../../test/work-child.ts'))",
    'src/ordering/place/types.test.ts': "import type { Sum } from '../../platform/lib/sum.ts';",
    'src/ordering/place/service.test.ts': "import { givenApp } from '../../../test/harness.ts';",
    'src/ordering/place/place.ts': "import { sum } from '../../platform/lib/sum.ts';",
    'src/supply/stores/service.test.ts': "import { givenApp } from '../../../test/harness.ts';",
    'src/platform/lib/sum.ts': '',
    'src/app/wiring/service.ts': "import '../../ordering/place/place.ts';",
    'test/harness.ts': "import '../src/app/wiring/service.ts';",
    'test/lists.test.ts': "globSync('src/**/*.ts')",
    'test/reads.test.ts': "readdirSync(join(import.meta.dirname, '../migrations'))",
    'test/work-child.ts': "import { sum } from '../src/platform/lib/sum.ts';",
    'migrations/0001.sql': '',
  });
  const ofSum = [
    'src/ordering/place/imports',
    'src/ordering/place/service',
    'src/ordering/place/starts.slow',
    'test/lists',
  ];
  assert.deepEqual(
    testsOfChange(root, ['src/platform/lib/sum.ts']),
    ofSum.map((name) => `${name}.test.ts`),
  );
  assert.deepEqual(testsOfChange(root, ['migrations/0001.sql']), ['test/reads.test.ts']);
  assert.deepEqual(testsOfChange(root, ['src/supply/stores/service.test.ts']), [
    'src/supply/stores/service.test.ts',
    'test/lists.test.ts',
  ]);
  assert.equal(testsOfChange(root, ['package-lock.json']).length, 7);
  assert.deepEqual(chooseTests(root, { all: false, changed: ['test/work-child.ts'] }), []);
  assert.deepEqual(chooseTests(root, { all: true, changed: ['test/work-child.ts'] }).map(isSlow), [true]);
});

test('changed are the commits since main, what is not committed and what is new', (t) => {
  const root = givenFiles(t, { 'a.ts': '', 'b.ts': '', 'c.ts': '' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: root });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  git('checkout', '--quiet', '-b', 'work');
  writeFileSync(join(root, 'a.ts'), '1');
  git('commit', '--quiet', '-a', '-m', 'second');
  writeFileSync(join(root, 'b.ts'), '2');
  writeFileSync(join(root, 'd.ts'), '3');
  assert.deepEqual(changedFiles(root).sort(), ['a.ts', 'b.ts', 'd.ts']);
});

test('files that run together follow each other, keep their hooks, fail by themselves, and are counted', (t) => {
  const given = "import { after, before, test } from 'node:test';\nlet isOpen = false;\n";
  const root = givenFiles(t, {
    'first.test.mjs': `${given}globalThis.open = 1; after(() => { delete globalThis.open; });
      await new Promise((loaded) => setTimeout(loaded));
      test('passes', () => {}); test('fails', () => { throw new Error('wrong sum'); });`,
    'broken.test.mjs': "import './missing.mjs';",
    'last.test.mjs': `${given}if ('open' in globalThis) throw new Error('loaded beside another file');
      before(() => { isOpen = true; });
      test('sees what is open', async (t) => {
        await new Promise((over) => setTimeout(over, 1500));
        if (!isOpen) throw new Error('hooks of another file');
        await t.test('in parts', () => {});
      });`,
  });
  const { status, stdout } = runTogether(root, ['first.test.mjs', 'broken.test.mjs', 'last.test.mjs']);
  assert.equal(status, 1);
  const lines = stdout.split('\n').map((line) => line.trim());
  const results = lines.filter((line) => /^(not )?ok /.test(line)).map((line) => line.replace(/ \d+ - /, ' '));
  assert.deepEqual(results, [
    'ok passes',
    'not ok fails',
    'not ok first.test.mjs',
    'not ok the file is loaded',
    'not ok broken.test.mjs',
    'ok in parts',
    'ok sees what is open',
    'ok last.test.mjs',
  ]);
  assert.match(stdout, /wrong sum[\s\S]*missing\.mjs/);
  assert.match(stdout, /# tests 5\n[\s\S]*# pass 3\n# fail 2\n/);
});

test('processes that run together take each file once, and those that a process did not end are listed', (t) => {
  const files = Array.from({ length: 20 }, (_, nth) => `${nth}.test.mjs`);
  const text = `import { appendFileSync } from 'node:fs';
    import { test } from 'node:test';
    import { basename } from 'node:path';
    test('runs', () => appendFileSync(new URL('ran', import.meta.url), basename(import.meta.url) + '\\n'));`;
  const root = givenFiles(t, Object.fromEntries(files.map((file) => [file, text])));
  writeFileSync(join(root, '7.test.mjs'), 'process.exit();');
  const programs = ['a', 'b', 'c'].map((name) => writeProgram(root, files, name));
  const { status, stdout } = runPrograms(programs);
  assert.equal(status, 0, stdout);
  const ran = readFileSync(join(root, 'ran'), 'utf8').trim().split('\n');
  assert.deepEqual([...ran, '7.test.mjs'].toSorted(), files.toSorted());
  assert.deepEqual(notEnded(join(root, 'taken'), files), ['7.test.mjs']);
});

test('an error that no test waits for fails the run, and is shown', (t) => {
  const root = givenFiles(t, {
    'lost.test.mjs': `import { test } from 'node:test';
      test('goes on', async () => {
        setTimeout(() => Promise.reject(new Error('nobody waits for this')));
        await new Promise((over) => setTimeout(over, 50));
      });`,
  });
  const { status, stdout } = runTogether(root, ['lost.test.mjs']);
  assert.equal(status, 1);
  assert.match(stdout, /nobody waits for this/);
  assert.match(stdout, /# fail 1\n/);
});

test('a file with a failed test ends at once, with its hooks run and without the processes that it started', (t) => {
  const root = givenFiles(t, {
    'open.test.mjs': `import { spawn } from 'node:child_process';
      import { createServer } from 'node:net';
      import { after, test } from 'node:test';
      after(async () => {
        await new Promise((over) => setTimeout(over, 10));
        console.log('the hook has run');
      });
      test('opens', () => {
        createServer().listen(0);
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
        throw new Error('wrong sum');
      });`,
  });
  const { status, stdout } = runTogether(root, ['open.test.mjs']);
  assert.equal(status, 1);
  assert.match(stdout, /wrong sum[\s\S]*the hook has run/);
});

function runTogether(root: string, files: readonly string[]) {
  return runPrograms([writeProgram(root, files, 'shared')]);
}

function writeProgram(root: string, files: readonly string[], name: string): string {
  const program = join(root, `${name}.test.mjs`);
  const module = join(import.meta.dirname, 'run-together.ts');
  const paths = JSON.stringify(files.map((file) => join(root, file)));
  const marks = join(root, 'taken');
  mkdirSync(marks, { recursive: true });
  writeFileSync(
    program,
    `import { runTogether, takeFiles } from '${module}';
    await runTogether('${root}', takeFiles('${marks}', ${paths}));`,
  );
  return program;
}

function runPrograms(programs: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preloaded = ['follow-tests.ts', 'end-after-failure.ts'].flatMap((file) => [
    '--import',
    join(import.meta.dirname, file),
  ]);
  return spawnSync(process.execPath, [...preloaded, '--test', '--test-reporter=tap', ...programs], {
    env,
    encoding: 'utf8',
    timeout: LONGEST_RUN_MS,
  });
}
