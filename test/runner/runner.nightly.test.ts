import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT, textOf } from '../source-files.ts';
import { changedFiles, chooseTests, type Extent } from './choose-tests.ts';
import { testsOfChange } from './import-graph.ts';
import type { TestFile } from './run-files.ts';
import { readTimes } from './times.ts';

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

const namesOf = (files: readonly TestFile[]) => files.map(({ file }) => file);

test('a fast run has neither slow nor nightly tests, a landing none nightly that it does not reach, a nightly run all', () => {
  const all = globSync('**/*.test.{ts,tsx,js,mjs}', { cwd: ROOT, exclude: (path) => NOT_OURS.test(path) }).sort();
  const without = (suffixes: RegExp) => all.filter((file) => !suffixes.test(file));
  const chosen = (extent: Extent, changed: readonly string[]) => namesOf(chooseTests(ROOT, extent, changed)).sort();
  assert.ok(all.length > 300);
  assert.deepEqual(chosen('fast', ['package-lock.json']), without(/\.(slow|nightly)\.test\.ts$/));
  assert.deepEqual(chosen('change', []), without(/\.nightly\.test\.ts$/));
  assert.deepEqual(chosen('change', ['package-lock.json']), all);
  assert.deepEqual(chosen('all', []), all);
  const ofPackages = testsOfChange(ROOT, ['test/agents/package/package-lock.json']);
  assert.ok(ofPackages.includes('test/agents/conformance.nightly.test.ts'), 'packages of a check reach its tests');
  const simulations = (changed: string) => testsOfChange(ROOT, [changed]).filter((file) => /simulat/.test(file));
  assert.deepEqual(simulations('docs/quotes.md'), [], 'a document reaches what reads it, and nothing through routes');
  assert.ok(simulations('src/ordering/money/refund-lines.ts').includes('test/simulate/year.nightly.test.ts'));
  assert.match(JSON.parse(textOf('package.json')).scripts['test:all'], /^TEST_RUNS=change npm test/);
  assert.ok(textOf('.ci/run').split('\n').includes('npm run --silent test:all -- --times'));
});

test('properties take all repetitions nightly, and before a landing in the files that the change reaches', () => {
  const takingAll = (extent: Extent, changed: readonly string[]) =>
    namesOf(chooseTests(ROOT, extent, changed).filter(({ takesAll }) => takesAll)).sort();
  const changed = ['src/supply/pricing/money.ts'];
  const reached = testsOfChange(ROOT, changed);
  assert.ok(reached.length > 10 && reached.length < 400, String(reached.length));
  assert.deepEqual(takingAll('fast', changed), []);
  assert.deepEqual(takingAll('change', changed), reached);
  assert.deepEqual(takingAll('all', []), namesOf(chooseTests(ROOT, 'all')).sort());
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
  assert.deepEqual(
    testsOfChange(root, ['src/platform/lib/sum.ts']).map((file) => file.replace('src/ordering/place/', '')),
    ['imports.test.ts', 'service.test.ts', 'starts.slow.test.ts', 'test/lists.test.ts'],
  );
  assert.deepEqual(testsOfChange(root, ['migrations/0001.sql']), ['test/reads.test.ts']);
  assert.deepEqual(testsOfChange(root, ['src/supply/stores/service.test.ts']), [
    'src/supply/stores/service.test.ts',
    'test/lists.test.ts',
  ]);
  assert.equal(testsOfChange(root, ['package-lock.json']).length, 7);
  assert.deepEqual(chooseTests(root, 'fast', ['test/work-child.ts'], true), []);
  assert.deepEqual(chooseTests(root, 'change', ['test/work-child.ts'], true), [
    { file: 'src/ordering/place/starts.slow.test.ts', takesAll: true },
  ]);
});

test('changed are the commits since main or the commit before, what is not committed and what is new, or all', (t) => {
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
  // Not the base of this run.
  const changed = (base = '') => changedFiles(root, base).toSorted();
  assert.deepEqual(changed(), ['a.ts', 'b.ts', 'd.ts']);
  assert.deepEqual(changed('HEAD~1'), ['a.ts', 'b.ts', 'd.ts']);
  git('commit', '--quiet', '-a', '-m', 'third');
  git('checkout', '--quiet', '-B', 'main');
  assert.deepEqual(changed(), ['b.ts', 'd.ts']);
  git('checkout', '--quiet', '--orphan', 'alone');
  git('branch', '--quiet', '-D', 'main', 'work');
  git('commit', '--quiet', '-m', 'first');
  for (const unknown of [changed(), changed('nothing'), changedFiles(tmpdir(), '')])
    assert.deepEqual(unknown, ['package-lock.json']);
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
  const { status, stdout } = runPrograms(root, ['first.test.mjs', 'broken.test.mjs', 'last.test.mjs']);
  assert.equal(status, 1);
  const lines = stdout.split('\n').map((line) => line.trim());
  const results = lines.filter((line) => /^(not )?ok /.test(line)).map((line) => line.replace(/ \d+ - /, ' '));
  const failed = 'not ok fails, not ok first.test.mjs, not ok the file is loaded, not ok broken.test.mjs';
  assert.equal(results.join(', '), `ok passes, ${failed}, ok in parts, ok sees what is open, ok last.test.mjs`);
  assert.match(stdout, /wrong sum[\s\S]*missing\.mjs[\s\S]*# tests 5\n[\s\S]*# pass 3\n# fail 2\n/);
});

test('processes of a run take each file once, and one that its process did not end has no times', (t) => {
  const files = Array.from({ length: 20 }, (_, nth) => `${nth}.test.mjs`);
  const text = `import { appendFileSync } from 'node:fs';
    import { test } from 'node:test';
    import { basename } from 'node:path';
    test('runs', () => appendFileSync(new URL('ran', import.meta.url), basename(import.meta.url) + '\\n'));`;
  const root = givenFiles(t, Object.fromEntries(files.map((file) => [file, text])));
  writeFileSync(join(root, '7.test.mjs'), 'process.exit();');
  const { status, stdout, times } = runPrograms(root, files, 3);
  assert.equal(status, 0, stdout);
  const ran = readFileSync(join(root, 'ran'), 'utf8').trim().split('\n');
  assert.deepEqual([...ran, '7.test.mjs'].toSorted(), files.toSorted());
  assert.deepEqual(times.map(({ file }) => file).toSorted(), ran.toSorted());
  assert.ok(times.some(({ wallS, cpuS }) => wallS > 0 && cpuS > 0));
});

test('a file that waits forever fails and is named, and the next one runs', (t) => {
  const root = givenFiles(t, {
    'waits.test.mjs':
      "import { test } from 'node:test'; test('waits', () => new Promise((d) => setInterval(() => {}, 1e6)));",
    'next.test.mjs': "import { test } from 'node:test'; test('goes on', () => {});",
  });
  const { status, stdout, times } = runPrograms(root, ['waits.test.mjs', 'next.test.mjs'], 1, { longestMs: 5000 });
  assert.equal(status, 1);
  assert.match(stdout, /not ok 1 - waits\n[\s\S]*not ok 1 - waits\.test\.mjs\n[\s\S]*timed out[\s\S]*\sok 1 - goes on/);
  assert.equal(times.length, 2);
});

test('what tests leave open fails the run and is named, with hooks run and without the processes that they started', (t) => {
  const root = givenFiles(t, {
    'open.test.mjs': `import { spawn } from 'node:child_process';
      import { createServer } from 'node:net';
      import { after, test } from 'node:test';
      after(() => console.log('the hook has run'));
      test('opens', () => {
        createServer().listen(0);
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      });`,
  });
  const { status, stdout } = runPrograms(root, ['open.test.mjs'], 1, { lingerMs: 1000 });
  assert.equal(status, 1);
  assert.match(stdout, /the hook has run[\s\S]*left open: .*TCPServerWrap/);
});

test('what files of a process share is open until its end, and closed before a file that replaces timers', (t) => {
  const module = join(import.meta.dirname, 'run-files.ts');
  const sharer = `import { appendFileSync } from 'node:fs';
    import { test } from 'node:test';
    import { share } from '${module}';
    const log = (text) => appendFileSync(new URL('log', import.meta.url), text);
    test('a', () => share('it', async () => log('open '), async () => log('closed ')));`;
  const root = givenFiles(t, {
    'a.test.mjs': sharer,
    'b.test.mjs': sharer,
    'c.test.mjs': "import { test } from 'node:test'; test('c', (t) => t.mock.timers.enable());",
    'd.test.mjs': sharer,
  });
  const files = ['a', 'b', 'c', 'd'].map((name) => `${name}.test.mjs`);
  assert.equal(runPrograms(root, files).status, 0);
  assert.equal(readFileSync(join(root, 'log'), 'utf8'), 'open closed open closed ');
});

test('clearing a timer of an earlier mock takes none from a later one', async (t) => {
  let earlier: NodeJS.Timeout | undefined;
  await t.test('earlier', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    earlier = setTimeout(() => {}, 50);
  });
  await t.test('later', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const run = mock.fn();
    setTimeout(run, 5);
    clearTimeout(earlier);
    mock.timers.tick(10);
    assert.equal(run.mock.callCount(), 1);
  });
});

test('two moments within any value are deeply equal only where they are the same', () => {
  const [noon, same, later] = [0, 0, 1].map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
  for (const shapeOf of [
    Object,
    Array.of,
    (at: unknown) => ({ at }),
    (at: unknown) => new Map([['at', new Set([at])]]),
  ]) {
    assert.deepEqual(shapeOf(noon), shapeOf(same));
    assert.throws(() => assert.deepEqual(shapeOf(noon), shapeOf(later)), /00:00:00\.001Z/);
  }
});

/** Runs the files of a folder in `processes` programs as `npm test` does, by default with its limits. */
function runPrograms(root: string, files: readonly string[], processes = 1, limits: object = {}) {
  const [module, times] = [join(import.meta.dirname, 'run-files.ts'), join(root, 'times')];
  const marks = join(root, 'taken');
  mkdirSync(marks, { recursive: true });
  const list = JSON.stringify(files.map((file) => ({ file, takesAll: false })));
  const programs = Array.from({ length: processes }, (_, nth) => {
    const program = join(root, `program-${nth}.test.mjs`);
    writeFileSync(
      program,
      `import { runFiles, takeFiles } from '${module}';
      await runFiles('${root}', takeFiles('${marks}', ${list}), '${times}', ${JSON.stringify(limits)});`,
    );
    return program;
  });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preloaded = ['--import', join(import.meta.dirname, 'preload.ts')];
  const result = spawnSync(process.execPath, [...preloaded, '--test', '--test-reporter=tap', ...programs], {
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { ...result, times: readTimes(times) };
}
