// covers: test/runner/*, .ci/run
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { type TestContext, test } from 'node:test';
import { givenFolder } from '../given/folder.ts';
import { ROOT, textOf } from '../source-files.ts';
import { changedFiles, chooseTests, type Extent } from './choose-tests.ts';
import { coveredBy } from './import-graph.ts';
import type { TestFile } from './run-files.ts';
import { readTimes } from './times.ts';

const NOT_OURS = /(^|\/)(node_modules|docs-site|reports|\.[^/]+)$/;

function givenFiles(t: TestContext, texts: Record<string, string>): string {
  const root = givenFolder('doorstep-runner', t);
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

const namesOf = (files: readonly TestFile[]) => files.map(({ file }) => file);

test('a nightly run has every test, a fast run only fast ones, and every nightly test names the files it covers', () => {
  const all = globSync('**/*.test.{ts,tsx,js,mjs}', { cwd: ROOT, exclude: (path) => NOT_OURS.test(path) }).sort();
  const without = (suffixes: RegExp) => all.filter((file) => !suffixes.test(file));
  const chosen = (extent: Extent) => namesOf(chooseTests(ROOT, extent)).sort();
  assert.ok(all.length > 300);
  assert.deepEqual(chosen('fast'), without(/\.(slow|nightly)\.test\.ts$/));
  assert.deepEqual(chosen('change'), chosen('fast'));
  assert.deepEqual(chosen('all'), all);
  assert.ok(chooseTests(ROOT, 'all').every(({ takesAll }) => takesAll));
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  for (const test of all.filter((file) => file.endsWith('.nightly.test.ts'))) {
    const globs = coveredBy(textOf(test));
    assert.notEqual(globs.length, 0, `${test} covers nothing`);
    for (const glob of globs)
      assert.ok(
        files.some((file) => matchesGlob(file, glob)),
        `${test}: no file is ${glob}`,
      );
  }
  assert.match(JSON.parse(textOf('package.json')).scripts['test:all'], /^TEST_RUNS=change npm test/);
  assert.ok(textOf('.ci/run').split('\n').includes('npm run --silent test:all -- --times'));
});

test('a change reaches tests by imports, programs, lists and covers, the slow ones within two imports or their module', (t) => {
  const root = givenFiles(t, {
    'src/ordering/place/imports.test.ts': "import { sum } from '../../platform/lib/sum.ts';",
    'src/ordering/place/types.test.ts': "import type { Sum } from '../../platform/lib/sum.ts';",
    'src/ordering/place/twice.slow.test.ts': "import { place } from './place.ts';",
    'src/ordering/place/thrice.slow.test.ts': "import { order } from './order.ts';",
    'src/ordering/place/service.slow.test.ts': "import {  } from '../../../test/harness.ts';",
    'src/ordering/place/place.ts': "import { sum } from '../../platform/lib/sum.ts';",
    'src/ordering/place/order.ts': "import { place } from './place.ts';",
    'src/platform/lib/sum.ts': '',
    'src/platform/lib/beside.slow.test.ts': '',
    'src/app/wiring/service.ts': "import '../../ordering/place/place.ts';",
    'test/harness.ts': "import '../src/app/wiring/service.ts';",
    'test/starts.slow.test.ts': "spawn(join(import.meta.dirname, 'work-child.ts'))",
    'test/lists.slow.test.ts': "globSync('src/**/*.ts')",
    'test/names.slow.test.ts':
      "readdirSync(join(import.meta.dirname, '../migrations'))\nreadFileSync('docs/guides/a.md')",
    'test/imports.nightly.test.ts': "import { sum } from '../src/platform/lib/sum.ts';",
    'test/covers.nightly.test.ts': '// covers: docs/*.md, src/{platform,access}/**\n// covers: migrations/*',
    'test/work-child.ts': "import { sum } from '../src/platform/lib/sum.ts';",
    'migrations/0001.sql': '',
  });
  const chosen = (...changed: string[]) =>
    chooseTests(root, 'change', changed)
      .filter(({ file, takesAll }) => takesAll || /slow|nightly/.test(file))
      .map(({ file, takesAll }) => `${basename(file, '.test.ts')}${takesAll ? ' in full' : ''}`)
      .toSorted();
  const bySum = ['beside.slow', 'covers.nightly', 'imports in full', 'starts.slow', 'twice.slow'];
  assert.deepEqual(chosen('src/platform/lib/sum.ts'), bySum);
  assert.deepEqual(chosen('migrations/0001.sql'), ['covers.nightly']);
  assert.deepEqual(chosen('docs/guides/a.md'), ['names.slow in full']);
  assert.deepEqual(chosen('test/imports.nightly.test.ts'), ['imports.nightly in full']);
  assert.deepEqual(chosen(), []);
  assert.deepEqual(namesOf(chooseTests(root, 'fast', ['src/platform/lib/sum.ts'], true)), [
    'src/ordering/place/imports.test.ts',
  ]);
});

test('a change is the commits since main or the last one, with uncommitted and new files', (t) => {
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
  for (const unknown of [changed(), changed('nothing'), changedFiles(tmpdir(), '')]) assert.deepEqual(unknown, []);
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

test('every test is reported although the run reads slower than its files write', (t) => {
  const root = givenFiles(t, {
    'many.test.mjs': `import { spawnSync } from 'node:child_process';
      import { test } from 'node:test';
      test('freezes the run', () => {
        process.kill(process.ppid, 'SIGSTOP');
        spawnSync('sh', ['-c', '(sleep 3; kill -CONT ' + process.ppid + ') &'], { stdio: 'ignore' });
      });
      for (let nth = 0; nth < 200; nth += 1) test('long name '.repeat(50) + nth, () => {});
      test('fails last', () => { throw new Error('wrong sum'); });`,
  });
  const { status, stdout } = runPrograms(root, ['many.test.mjs']);
  assert.equal(status, 1);
  assert.match(stdout, /not ok 202 - fails last[\s\S]*# pass 201\n# fail 1\n/);
});

test('processes of a run take each file once, and an unfinished file has no times', (t) => {
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

test('a run fails with the stack of each handle that a file leaves open, and ends at once', (t) => {
  const root = givenFiles(t, {
    'open.test.mjs': `import { spawn } from 'node:child_process';
      import { createServer, connect } from 'node:net';
      import { after, test } from 'node:test';
      import { Worker } from 'node:worker_threads';
      after(() => console.log('the hook has run'));
      test('opens', async () => {
        const server = createServer().listen(0);
        await new Promise((listens) => server.once('listening', listens));
        connect(server.address().port);
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
        new Worker('setInterval(() => {}, 1000)', { eval: true });
        setInterval(() => {}, 1000);
        setTimeout(() => {}, 1e9);
      });`,
    'closed.test.mjs': `import { spawn } from 'node:child_process';
      import { createServer, connect } from 'node:net';
      import { test } from 'node:test';
      import { setTimeout as delay } from 'node:timers/promises';
      test('closes', async () => {
        const server = createServer((socket) => socket.end()).listen(0);
        await new Promise((listens) => server.once('listening', listens));
        connect(server.address().port).end();
        server.close();
        setInterval(() => {}, 1000).unref();
        clearTimeout(setTimeout(() => {}, 1e9));
        await delay(1);
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).kill();
      });`,
  });
  const { status, stdout } = runPrograms(root, ['open.test.mjs', 'closed.test.mjs']);
  assert.equal(status, 1);
  assert.match(stdout, /the hook has run/);
  const left = [...stdout.matchAll(/left open: (\w+ \w+)\n[\s\S]*?(\w+)\.test\.mjs:\d+/g)].map(([, what, name]) => [
    what,
    name,
  ]);
  const kinds = ['a connection', 'a process', 'a server', 'a thread', 'a timer', 'an interval'];
  assert.deepEqual(
    [...new Set(left.map(String))].toSorted(),
    kinds.map((kind) => `${kind},open`),
  );
});

test('a file’s shared handles stay open until its end, and close before a file that replaces timers', (t) => {
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

test('a file that runs alone keeps what its hooks lease and share until its last test', (t) => {
  const root = givenFiles(t, {
    'a.test.mjs': `import { appendFileSync } from 'node:fs';
      import { before, test } from 'node:test';
      import { atFileEnd, share } from '${join(import.meta.dirname, 'run-files.ts')}';
      const log = async (text) => appendFileSync(new URL('log', import.meta.url), text);
      before(() => { share('it', () => log('open '), () => log('closed ')); atFileEnd(() => log('ended ')); });
      test('a', () => log('a '));`,
  });
  const { status, stdout } = runNode([join(root, 'a.test.mjs')]);
  assert.equal(status, 0, stdout);
  assert.equal(readFileSync(join(root, 'log'), 'utf8'), 'open a ended closed ');
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
  return { ...runNode(programs), times: readTimes(times) };
}

function runNode(files: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preloaded = ['--import', join(import.meta.dirname, 'preload.ts')];
  const args = [...preloaded, '--test', '--test-reporter=tap', ...files];
  return spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 });
}
