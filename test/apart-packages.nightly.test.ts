// covers: test/apart-packages.ts
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { installApart } from './apart-packages.ts';
import { ROOT } from './source-files.ts';
import { until } from './until.ts';

test('of processes that want the same packages at once one installs them, also after another was killed at it', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'doorstep-apart-'));
  const folder = join(home, 'package');
  mkdirSync(folder);
  const write = (version: string) => {
    const named = { name: 'apart', version };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(named));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: { '': named } }));
  };
  write('1.0.0');
  writeFileSync(join(home, 'npm'), `#!/bin/sh\n: > ${join(home, 'begun')}; exec sleep 600`, { mode: 0o755 });
  const start = (path: string) => {
    const args = [join(ROOT, 'test/apart-packages.ts'), relative(ROOT, folder)];
    const env = { ...process.env, PATH: `${path}${process.env.PATH}` };
    return spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  };

  const killed = start(`${home}:`);
  await until('npm runs', async () => existsSync(join(home, 'begun')));
  const waiting = [start(''), start('')].map((child) => Promise.all([text(child.stderr), once(child, 'close')]));
  process.kill(-(killed.pid ?? assert.fail()), 'SIGKILL');
  const ended = await Promise.all(waiting);
  assert.deepEqual(ended.map(([said, [status]]) => [/Installing/.test(said), status]).sort(), [
    [false, 0],
    [true, 0],
  ]);
  const installed = installApart(folder);
  t.after(() => [home, ...globSync(`${installed}*`)].map((each) => rmSync(each, { recursive: true })));
  write('2.0.0');
  assert.equal(installApart(folder), installed);
  assert.equal(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version, '2.0.0');
});
