import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PACKAGES, SOURCES, textOf } from '../../test/source-files.ts';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorstep-folder-'));
after(() => rmSync(folder, { recursive: true }));

test('a folder is created with its parents and mode, and an existing one stays', async () => {
  const path = join(folder, 'a/b/c');
  await makeFolder(path, 0o700);
  await makeFolder(path, 0o700);
  assert.deepEqual(
    ['a', 'a/b', 'a/b/c'].map((each) => statSync(join(folder, each)).mode & 0o777),
    [0o700, 0o700, 0o700],
  );
});

test('a place that takes no folder is refused, whatever it is', async (t) => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'circle'), join(folder, 'circle'));
  const places = [
    join(folder, 'file'),
    join(folder, 'file/x'),
    join(folder, 'circle/x'),
    join(folder, 'x'.repeat(300)),
  ];
  const ofSystem =
    process.platform === 'linux' ? ['/proc/x', '/proc/self/x/y', '/dev/fd/x', '/sys/x', '/dev/null/x'] : [];
  for (const place of [...places, ...ofSystem]) await t.test(place, () => assert.rejects(makeFolder(place)));
});

test('no source uses the recursive mkdir, which hangs at such places', () => {
  assert.deepEqual(
    [...SOURCES, ...PACKAGES].filter((file) => /\bmkdir(?:Sync)?\([^;]*recursive: true/.test(textOf(file))),
    [],
  );
});
