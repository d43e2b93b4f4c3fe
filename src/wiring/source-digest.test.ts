import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourceDigest } from './source-digest.ts';

test('a digest changes with every file that is imported, by value or type, and with no other', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'digest-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = {
    'a/first.ts': "import { two } from '../b/second.ts';\nimport type { Three } from './third.ts';\n",
    'b/second.ts': "export * from '../a/first.ts';\nconst four = () => import('./fourth.ts');\n",
    'a/third.ts': 'export type Three = 3;\n',
    'b/fourth.ts': 'export const four = 4;\n',
    'b/other.ts': 'export const other = 5;\n',
  };
  await Promise.all(['a', 'b'].map((name) => mkdir(join(folder, name))));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const digest = () => sourceDigest(join(folder, 'a/first.ts'));
  const original = await digest();
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), `${text}// Changed.\n`);
    assert.equal((await digest()) === original, name === 'b/other.ts', name);
    await writeFile(join(folder, name), text);
  }
  const copy = await mkdtemp(join(tmpdir(), 'digest-'));
  t.after(() => rm(copy, { recursive: true }));
  await cp(folder, copy, { recursive: true });
  assert.equal(await sourceDigest(join(copy, 'a/first.ts')), original);
});

test('a file that is missing is a fault', async () => {
  await assert.rejects(sourceDigest(join(tmpdir(), 'missing', 'first.ts')), { code: 'ENOENT' });
});
