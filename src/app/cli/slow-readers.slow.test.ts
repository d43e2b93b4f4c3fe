import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DOORSTEP, findOlderNode, givenDatabase, startCommand, startProgram } from '../../../test/given/command.ts';

const MIB = 1024 * 1024;
/** Reads one byte, waits for longer than a finished command may linger, then reads the rest. */
const SLOW = `slow() {
  first=$(dd bs=1 count=1 2>/dev/null)
  if [ -n "$first" ]; then printf %s "$first"; sleep 3; cat; fi
}`;
const STORE = {
  type: 'restaurant',
  address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
  latitude: 40.7383,
  longitude: -73.9927,
  online_ordering: true,
  categories: [],
};

/** Runs a program with real OS pipes (64 KiB) to two slow readers. */
function runForSlowReaders(program: readonly string[], env: Record<string, string>) {
  const script = `${SLOW}; { "$@" 2>&3 | slow; exit \${PIPESTATUS[0]}; } 3> >(slow >&2)`;
  return startProgram('bash', ['-c', script, 'bash', ...program], env).finished;
}

test('at every exit status, slow readers get all of standard output and standard error', async () => {
  const module = pathToFileURL(join(import.meta.dirname, 'end-process.ts')).href;
  const write = (name: string) => `process.${name}.write('${name[3]}'.repeat(${2 * MIB}))`;
  const results = [0, 1, 2, 78].map(async (status) => {
    const code = `import { endProcess } from '${module}';
      ${write('stdout')}; ${write('stderr')}; process.exitCode = ${status}; await endProcess();`;
    const { stdout, stderr, ...ended } = await runForSlowReaders(
      [process.execPath, '--input-type=module', '-e', code],
      {},
    );
    assert.deepEqual([ended.status, stdout.length, stderr.length], [status, 2 * MIB, 2 * MIB]);
  });
  await Promise.all(results);
});

test('long answers', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const folder = join(env.DATA_DIR ?? '', 'f'.repeat(120));
  mkdirSync(folder);
  const writeFile = (name: string, lines: readonly object[]) => {
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return join(folder, name);
  };
  const stores = Array.from({ length: 6000 }, (_, n) => ({ ...STORE, external_id: `${n}`, name: 'n'.repeat(150) }));
  const feed = writeFile('feed.ndjson', stores);
  const few = writeFile('few.ndjson', stores.slice(0, 10));
  const rejected = writeFile(
    'rejected.ndjson',
    Array.from({ length: 10_000 }, (_, n) => ({ external_id: `${n}` })),
  );
  const missing = Array.from({ length: 6000 }, (_, n) => join(folder, `missing-${n}.ndjson`.padStart(60, 'm')));
  await startCommand(['import', '--source', 'long', feed], env).finished;

  const older = findOlderNode();
  const run = async (node: string, ...args: string[]) => {
    const { status, stdout, stderr } = await runForSlowReaders([node, DOORSTEP, ...args], env);
    return { status, stdout, stderr, document: JSON.parse(stdout) };
  };

  await t.test('reach a slow reader whole at exit status 0', async () => {
    const { status, stdout, stderr, document } = await run(process.execPath, 'stores', 'list', '--json');
    assert.deepEqual([status, document.stores.length, stderr], [0, 6000, '']);
    assert.ok(stdout.length > MIB);
  });

  await t.test(
    'reach two slow readers whole at exit status 2, where an older Node starts the command, too',
    async () => {
      const args = ['import', '--json', '--source', 'long', ...missing];
      const { status, stdout, stderr, document } = await run(older ?? process.execPath, ...args);
      assert.deepEqual([status, document.errors.length], [2, missing.length]);
      assert.equal(stderr, missing.map((file) => `${file} could not be read: no such file\n`).join(''));
      assert.ok(stdout.length > MIB && stderr.length > MIB);
    },
  );

  await t.test('end quietly for a reader that leaves after one line', async () => {
    const script = `{ "$@" 2>&1 1>&3 | cat; exit \${PIPESTATUS[0]}; } 3> >(head -1 >/dev/null)`;
    const program = ['-c', script, 'bash', process.execPath, DOORSTEP, 'stores', 'list'];
    for (const form of [[], ['--json']]) {
      const { status, stdout } = await startProgram('bash', [...program, ...form], env).finished;
      assert.deepEqual([status, stdout], [0, '']);
    }
  });

  await t.test(
    'end by a signal while their reader does not read, also where an older Node starts the command',
    async () => {
      const cases = [
        [process.execPath, 'SIGINT', 130, ['stores', 'list']],
        [process.execPath, 'SIGTERM', 143, ['import', '--json', '--source', 'long', rejected, few]],
        [older ?? process.execPath, 'SIGINT', 130, ['stores', 'list']],
        [older ?? process.execPath, 'SIGTERM', 143, ['stores', 'list', '--json']],
      ] as const;
      for (const [node, signal, expected, args] of cases) {
        const { child, finished } = startCommand(args, env, node);
        await new Promise((beginning) => child.stdout.once('data', beginning));
        child.stdout.pause();
        child.kill(signal);
        await new Promise((ended) => child.once('exit', ended));
        child.stdout.resume();
        const { status, stderr } = await finished;
        assert.deepEqual([status, stderr], [expected, ''], signal);
      }
    },
  );

  await t.test(
    'end with a sentence and exit status 1 where a full disk takes no output',
    { skip: !existsSync('/dev/full') },
    async () => {
      for (const args of [
        ['stores', 'list', '--json'],
        ['accounts', 'list'],
      ]) {
        const program = ['-c', '"$@" >/dev/full', 'bash', process.execPath, DOORSTEP, ...args];
        const { status, stderr } = await startProgram('bash', program, env).finished;
        const sentence = "Can't write to standard output (ENOSPC). The output is incomplete.\n";
        assert.deepEqual([status, stderr], [1, sentence]);
      }
    },
  );
});
