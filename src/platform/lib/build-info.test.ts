import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { givenFolder } from '../../../test/given/folder.ts';
import { readCommit } from './build-info.ts';

test('a clone’s commit equals git’s, on a branch, packed, detached and in a worktree', (t) => {
  const folder = givenFolder('build-info', t);
  const clone = join(folder, 'clone');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const commit = (text: string) => git('commit', '--quiet', '--allow-empty', '--message', text);
  const head = () => git('rev-parse', 'HEAD');
  mkdirSync(clone);
  git('init', '--quiet', '--initial-branch', 'feature/one');
  assert.equal(readCommit(clone), undefined, 'no commit yet');
  commit('first');
  assert.equal(readCommit(clone), head(), 'on a branch');
  git('pack-refs', '--all');
  assert.equal(readCommit(clone), head(), 'packed');
  const first = head();
  commit('second');
  assert.equal(readCommit(clone), head(), 'a branch newer than its packed entry');
  git('worktree', 'add', '--quiet', '-b', 'other', join(folder, 'tree'), first);
  assert.equal(readCommit(join(folder, 'tree')), first, 'in a worktree');
  git('checkout', '--quiet', '--detach', first);
  assert.equal(readCommit(clone), first, 'detached');
});

test('a folder without git, or with anything else in its place, has no commit', (t) => {
  const folder = givenFolder('build-info', t);
  const secret = 'a'.repeat(40);
  writeFileSync(join(folder, 'secret'), secret);
  assert.equal(readCommit(folder), undefined);
  mkdirSync(join(folder, '.git'));
  for (const head of [
    '',
    'ref: refs/../../secret',
    'ref: ../secret',
    'ref: refs/heads/none',
    'secret',
    `${secret}\n${secret}`,
  ]) {
    writeFileSync(join(folder, '.git/HEAD'), head);
    assert.equal(readCommit(folder), undefined, head);
  }
});
