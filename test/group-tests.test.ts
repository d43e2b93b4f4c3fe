import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { alternate, groupTests } from './group-tests.ts';

test('each file is in one group, with files of its room, or of other rooms of sources that are small', () => {
  const orders = Array.from({ length: 30 }, (_, n) => `src/orders/${n % 2 ? 'tips/' : ''}file-${n}.test.ts`);
  const hostile = Array.from({ length: 6 }, (_, n) => `test/hostile/file-${n}.test.ts`);
  const files = [...orders, ...hostile, 'test/one.test.ts', 'src/one.test.ts', 'demo/one.test.ts'];
  const groups = groupTests(files, { mostFiles: 12, fewFiles: 6 });
  assert.deepEqual(groups.flatMap((group) => group.files).sort(), files.toSorted());
  assert.deepEqual(
    groups.map(({ name, files }) => [name, files.length]),
    [
      ['src-orders-1', 10],
      ['src-orders-2', 10],
      ['src-orders-3', 10],
      ['test-hostile', 6],
      ['test', 1],
      ['small-rooms', 2],
    ],
  );
});

test('two lists become one, each in its order, both spread over the whole', () => {
  assert.deepEqual(alternate(['a', 'b'], ['1', '2', '3', '4']), ['1', 'a', '2', '3', 'b', '4']);
  assert.deepEqual(alternate(['a'], []), ['a']);
});

test('files that run together follow each other, keep their hooks, fail by themselves, and are counted', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'doorstep-together-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
  const given = "import { after, before, test } from 'node:test';\nlet isOpen = false;\n";
  const files = [
    write(
      'first.test.mjs',
      `${given}globalThis.open = 1; after(() => { delete globalThis.open; });
      await new Promise((loaded) => setTimeout(loaded));
      test('passes', () => {}); test('fails', () => { throw new Error('wrong sum'); });`,
    ),
    write('broken.test.mjs', "import './missing.mjs';"),
    write(
      'last.test.mjs',
      `${given}if ('open' in globalThis) throw new Error('loaded beside another file');
      before(() => { isOpen = true; });
      test('sees what is open', async (t) => {
        if (!isOpen) throw new Error('hooks of another file');
        await t.test('in parts', () => {});
      });`,
    ),
  ];
  const module = join(import.meta.dirname, 'run-together.ts');
  const list = JSON.stringify(files);
  const program = write(
    'group.test.mjs',
    `import { runTogether } from '${module}'; await runTogether('${root}', ${list});`,
  );
  const { status, stdout } = runProgram(program);
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

test('an error that no test waits for fails the run, and is told', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'doorstep-together-'));
  t.after(() => rmSync(root, { recursive: true }));
  const file = join(root, 'lost.test.mjs');
  writeFileSync(
    file,
    `import { test } from 'node:test';
    test('goes on', async () => {
      setTimeout(() => Promise.reject(new Error('nobody waits for this')));
      await new Promise((over) => setTimeout(over, 50));
    });`,
  );
  const program = join(root, 'group.test.mjs');
  const module = join(import.meta.dirname, 'run-together.ts');
  writeFileSync(program, `import { runTogether } from '${module}'; await runTogether('${root}', ['${file}']);`);
  const { status, stdout } = runProgram(program);
  assert.equal(status, 1);
  assert.match(stdout, /nobody waits for this/);
  assert.match(stdout, /# fail 1\n/);
});

/** Runs a group as `npm test` does. */
function runProgram(program: string) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preloaded = ['--import', join(import.meta.dirname, 'follow-tests.ts')];
  const args = [...preloaded, '--test', '--test-reporter=tap', program];
  return spawnSync(process.execPath, args, { env, encoding: 'utf8' });
}
