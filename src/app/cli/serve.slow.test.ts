import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  DOORSTEP,
  findOlderNode,
  freePort,
  givenDatabase,
  runCommand,
  startCommand,
  startProgram,
} from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenFolder } from '../../../test/given/folder.ts';
import { until } from '../../../test/until.ts';
import { BUILD_COMMIT, VERSION } from '../../platform/lib/build-info.ts';

const host = givenCommandHost();
after(() => host.close());

const READY = /Doorstep is ready at (\S+)/;

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    (reply) => reply.status,
    () => 'refused',
  );

test('serve', async (t) => {
  const { env: database, drop } = await givenDatabase();
  t.after(drop);
  const env = { ...database, LOG_LEVEL: 'warn' };

  await t.test(
    'serves once it says so, and on a signal drains for DRAIN_SECONDS, finishes open requests, and exits',
    async () => {
      const { child, printed, finished } = startCommand(['serve'], {
        ...env,
        PORT: await freePort(),
        DRAIN_SECONDS: '0.5',
      });
      const url = (await printed(READY))[1] ?? '';
      const replies = Array.from({ length: 20 }, () => fetch(`${url}/openapi.json`).then((reply) => reply.text()));
      await replies[0];
      child.kill('SIGTERM');
      const settled = await Promise.allSettled(replies);
      for (const each of settled) if (each.status === 'fulfilled') assert.match(each.value, /^\{.*\}$/s);
      const { status, stderr } = await finished;
      assert.deepEqual([status, stderr], [0, '']);
      assert.equal(await answers(url), 'refused');
    },
  );

  for (const workers of ['1', '2']) {
    await t.test(
      `with ${workers} of --workers links have the port of PORT=0, a full log disk stops nothing, and SIGTERM drains: not ready, yet answering, until it ends by a second signal`,
      async () => {
        const isFull = existsSync('/dev/full');
        const shell = ['-c', `exec "$@" 2>${isFull ? '/dev/full' : '/dev/null'}`, 'sh', process.execPath, DOORSTEP];
        const drained = { ...env, PORT: '0', DRAIN_SECONDS: '300', LOG_LEVEL: 'debug' };
        const { child, printed, finished } = startProgram('sh', [...shell, 'serve', '--workers', workers], drained);
        const url = (await printed(READY))[1] ?? '';
        const readiness = async () => {
          const reply = await fetch(`${url}/readyz`, { headers: { connection: 'close' } });
          return [reply.status, await reply.json()] as const;
        };
        await until('it is ready', async () => (await readiness())[0] === 200);
        assert.match(url, /:[1-9]\d*$/);
        const described = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: { url: string }[] };
        assert.deepEqual(described.servers[0]?.url, url);
        await until('lost lines are counted', async () => {
          assert.equal(await answers(url), 200);
          const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
          const lost = lines.filter((line) => /^doorstep_log_lines_lost_total\S* [1-9]/.test(line));
          return !isFull || lost.length === (workers === '1' ? 1 : 3);
        });
        child.kill('SIGTERM');
        await until('it is not ready', async () => (await readiness())[0] === 503);
        // With several workers, each connection is one's.
        for (let nth = 0; nth < 10; nth += 1) {
          const [status, problem] = await readiness();
          assert.deepEqual([status, (problem as { detail: string }).detail], [503, 'This node is stopping.']);
          assert.equal(await answers(url), 200);
        }
        child.kill('SIGINT');
        assert.deepEqual(await finished.then(({ status, signal }) => [status, signal]), [0, null]);
      },
    );
  }

  for (const [setting, file] of [
    ['PLACES_FILE', 'no-such.geojson'],
    ['MAP_TILES', 'no-such.pmtiles'],
  ] as const) {
    await t.test(`a file of ${setting} that cannot be read stops it, as every wrong setting does`, async () => {
      const wrong = { [setting]: join(database.DATA_DIR ?? '', file), PORT: await freePort() };
      const { status, stdout, stderr } = await host.runCommand(['serve'], { ...env, ...wrong });
      assert.deepEqual([status, stdout, stderr], [78, '', `${setting} could not be read: no such file.\n`]);
    });
  }

  await t.test('run by npm, it ends when the shell between them does', async () => {
    const script = `"${process.execPath}" "${DOORSTEP}" serve; true`;
    const npm = { ...env, PORT: await freePort(), npm_lifecycle_event: 'start' };
    const { child, printed, finished } = startProgram('sh', ['-c', script], npm);
    const url = (await printed(READY))[1] ?? '';
    child.kill('SIGTERM');
    await finished;
    assert.equal(await answers(url), 'refused');
  });

  await t.test('a port in use exits with status 1 and one error message', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    const PORT = String((taken.address() as { port: number }).port);
    const { status, stdout, stderr } = await runCommand(['serve'], { ...env, PORT });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, new RegExp(`^Port ${PORT} on 127\\.0\\.0\\.1 is already in use\\. [^\\n]+\\n$`));
    const worker = startCommand(['serve', '--role', 'worker', '--json'], { ...env, PORT, LOG_LEVEL: 'fatal' });
    const ready = { url: null, role: 'worker', workers: 1, version: VERSION, commit: BUILD_COMMIT };
    assert.deepEqual(JSON.parse((await worker.printed(/^\{.*\}$/m))[0]), ready);
    worker.child.kill('SIGTERM');
    assert.equal((await worker.finished).status, 0);
    taken.close();
  });

  await t.test('an address of another machine exits with status 1 and one error message', async () => {
    for (const HOST of ['192.0.2.1', 'nowhere.invalid']) {
      const { status, stderr } = await host.runCommand(['serve'], { ...env, HOST, PORT: '0' });
      assert.equal(status, 1);
      assert.equal(stderr, `HOST ${HOST} isn't an address of this machine.\n`);
    }
  });

  await t.test('an uncaught error is logged and ends the service with exit status 1', async () => {
    const stray = "process.on('SIGUSR2', () => Promise.reject(new Error('stray')))";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(stray)}`;
    const { child, printed, finished } = startCommand(['serve'], { ...env, NODE_OPTIONS, PORT: await freePort() });
    await printed(READY);
    child.kill('SIGUSR2');
    const { status, stderr } = await finished;
    assert.equal(status, 1);
    assert.match(stderr, /"level":60,.*stray/);
  });
});

test('started by an older Node', async (t) => {
  const older = findOlderNode();
  if (!older) return t.skip('no Node from 18 to 25 at /usr/bin or /usr/local/bin');
  const { env: database, drop } = await givenDatabase();
  t.after(drop);
  const env = { ...database, LOG_LEVEL: 'warn' };

  await t.test('commands run under the right one, with their input, output and exit status', async () => {
    const { child, finished } = startCommand(['import', '-', '--json'], env, older);
    child.stdin.end('not JSON\n');
    const { status, stdout } = await finished;
    assert.deepEqual([status, JSON.parse(stdout).rejected], [1, 1]);
  });

  await t.test('a signal, and the end of the older Node itself, end the service', async () => {
    for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
      const { child, printed, finished } = startCommand(['serve'], { ...env, PORT: await freePort() }, older);
      const url = (await printed(READY))[1] ?? '';
      child.kill(signal);
      // The service shares this standard output, so it ends only after both processes have ended.
      const { status } = await finished;
      assert.equal(status, signal === 'SIGKILL' ? null : 0);
      assert.equal(await answers(url), 'refused');
    }
  });

  await t.test('without its packages, or without Node among them, it says what to do and fetches nothing', async () => {
    const clone = givenFolder('doorstep-clone', t);
    cpSync(join(DOORSTEP, '..'), join(clone, 'bin'), { recursive: true });
    const run = () => startProgram(older, [join(clone, 'bin/doorstep'), '--version'], {}).finished;
    const bare = await run();
    assert.equal(bare.status, 1);
    assert.match(bare.stderr, /^The packages of Doorstep are not installed: run `npm ci` in .*\.\n$/);

    mkdirSync(join(clone, 'node_modules/commander'), { recursive: true });
    const without = await run();
    assert.equal(without.status, 1);
    assert.match(
      without.stderr,
      /^Node 26 for this machine \(\S+\) is not installed: run `npm ci --include=optional` in .*\.\n$/,
    );

    // With `--no-bin-links` npm links no programs but still installs the platform's package.
    for (const name of ['node', 'node-bin']) {
      const programs = join(clone, 'node_modules', `${name}-${process.platform}-${process.arch}`, 'bin');
      mkdirSync(programs, { recursive: true });
      writeFileSync(join(programs, 'node'), '#!/bin/sh\necho "ran $3"\nexit 7\n', { mode: 0o755 });
      const { status, stdout, stderr } = await run();
      assert.deepEqual([status, stdout, stderr], [7, 'ran --version\n', '']);
      rmSync(programs, { recursive: true });
    }
  });

  await t.test('a packaged Node that is itself too old gets an error message, not a loop', async () => {
    const clone = givenFolder('doorstep-clone', t);
    cpSync(join(DOORSTEP, '..'), join(clone, 'bin'), { recursive: true });
    mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true });
    symlinkSync(older, join(clone, 'node_modules/.bin/node'));
    chmodSync(join(clone, 'bin/doorstep'), 0o755);
    const { status, stderr } = await startProgram(older, [join(clone, 'bin/doorstep')], {}).finished;
    assert.equal(status, 1);
    assert.match(stderr, /is too old: run `npm ci` in /);
  });
});
