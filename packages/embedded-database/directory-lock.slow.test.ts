import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tryLock, waitForLock } from './directory-lock.ts';

const directory = mkdtempSync(join(tmpdir(), 'doorstep-lock-'));
after(() => rmSync(directory, { recursive: true, force: true }));

test('the lock is shared by many, and exclusive only without sharers', () => {
  const file = join(directory, 'shared');
  const [first, second] = [tryLock(file, 'shared'), tryLock(file, 'shared')];
  assert.ok(first && second);
  assert.equal(tryLock(file, 'exclusive'), undefined);
  first.release();
  assert.equal(tryLock(file, 'exclusive'), undefined);
  second.release();
  const alone = tryLock(file, 'exclusive');
  assert.ok(alone);
  assert.equal(tryLock(file, 'shared'), undefined);
  alone.release();
  alone.release();
  tryLock(file, 'shared')?.release();
});

test('one process at a time reserves the lock next to sharers, and none gets it exclusively meanwhile', () => {
  const file = join(directory, 'reserved');
  const [sharing, reserved] = [tryLock(file, 'shared'), tryLock(file, 'reserved')];
  assert.ok(sharing && reserved);
  assert.equal(tryLock(file, 'reserved'), undefined);
  const later = tryLock(file, 'shared');
  assert.ok(later);
  for (const lock of [sharing, later]) lock.release();
  assert.equal(tryLock(file, 'exclusive'), undefined);
  reserved.release();
  tryLock(file, 'exclusive')?.release();
});

test('a killed process’s lock is free at once', async () => {
  const file = join(directory, 'killed');
  const module = join(import.meta.dirname, 'directory-lock.ts');
  const script = `import { tryLock } from ${JSON.stringify(module)};
    globalThis.lock = tryLock(${JSON.stringify(file)}, 'exclusive'); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(holder, 'exit');
  await once(holder.stdout, 'data');
  assert.equal(tryLock(file, 'shared'), undefined);
  holder.kill('SIGKILL');
  await exit;
  assert.ok(tryLock(file, 'shared'));
});

test('a wait ends at its deadline with nothing, or with the lock', async () => {
  const file = join(directory, 'waited');
  const held = tryLock(file, 'exclusive');
  assert.equal(await waitForLock(file, 'exclusive', performance.now()), undefined);
  const waiting = waitForLock(file, 'exclusive', performance.now() + 10_000);
  held?.release();
  const lock = await waiting;
  assert.ok(lock);
  lock.release();
});
