import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { JOINED } from './load-joined-packages.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PACKAGES = join(ROOT, 'node_modules');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('every name that sources import of a joined package is joined, and every name that shares its state', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  for (const [name, paths] of Object.entries(JOINED)) {
    const imports = sources.flatMap((file) => [...textOf(file).matchAll(/^import (?!type )[^;]*? from '([^']+)';/gms)]);
    const used = imports.map(([, from = '']) => from).filter((from) => from === name || from.startsWith(`${name}/`));
    assert.ok(used.length > 0, name);
    assert.deepEqual(new Set(used).difference(new Set(paths.map((path) => name + path))), new Set(), name);
  }
  const { exports } = JSON.parse(textOf('node_modules/typebox/package.json'));
  assert.deepEqual(
    Object.keys(exports)
      .map((path) => path.slice(1))
      .sort(),
    JOINED.typebox?.toSorted(),
  );
});

test('a process loads a few files, which processes that start at one time write once, and each name is one module', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'doorstep-joined-'));
  try {
    const processes = await Promise.all([loadIn(cache), loadIn(cache)]);
    for (const { loaded, same } of processes) {
      assert.deepEqual(
        loaded.filter((url) => /node_modules\/(typebox|kysely|libphonenumber-js)\//.test(url)),
        [],
      );
      assert.ok(loaded.length < 30, loaded.join('\n'));
      assert.equal(same, true);
    }
    const [folder = '', ...more] = readdirSync(cache);
    assert.match(folder, /^joined-/);
    assert.deepEqual(more, []);
    assert.equal(statSync(join(cache, folder)).mode & 0o777, 0o755, 'commands of other users read the files');
  } finally {
    rmSync(cache, { recursive: true });
  }
});

test('where the folder cannot be written or lacks a file, the modules are loaded as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-joined-'));
  try {
    writeFileSync(join(folder, 'file'), '');
    const damaged = join(folder, 'damaged');
    await loadIn(damaged);
    const [shared = assert.fail('no file is shared')] = globSync('*/chunk-*.mjs', { cwd: damaged });
    rmSync(join(damaged, shared));
    for (const { loaded, same } of await Promise.all([loadIn(join(folder, 'file')), loadIn(damaged)])) {
      assert.ok(loaded.length > 500, String(loaded.length));
      assert.equal(same, true);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The URLs of the modules that a process loads, and whether what two names of a package share is the same in both. */
async function loadIn(cache: string): Promise<{ loaded: string[]; same: boolean }> {
  const program = `
    import { registerHooks } from 'node:module';
    import { loadJoinedPackages } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'load-joined-packages.ts')))};
    await loadJoinedPackages(${JSON.stringify(PACKAGES)}, ${JSON.stringify(cache)});
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    const [{ Type }, { Format }, { Value }] = await Promise.all(['typebox', 'typebox/format', 'typebox/value'].map((name) => import(name)));
    await Promise.all(['kysely', 'libphonenumber-js/min', 'libphonenumber-js/max'].map((name) => import(name)));
    const schema = Type.String({ format: 'of-this-test' });
    const [before, after] = [() => true, () => false].map((is) => { Format.Set('of-this-test', is); return Value.Check(schema, 'x'); });
    process.stdout.write(JSON.stringify({ loaded, same: before && !after }));
  `;
  const args = ['--input-type=module', '--eval', program];
  // The folder of the packages: the program resolves their names from there.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}
