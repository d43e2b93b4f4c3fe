import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { COMPILE_CACHE_ENV } from './compile-cache.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('every process of ours keeps its compiled sources in one folder, from its first import on', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const starting = sources.filter((file) => /\bfork\(/.test(readText(file)));
  assert.ok(starting.length >= 1, starting.join(', '));
  assert.deepEqual(
    starting.filter((file) => !readText(file).includes('COMPILE_CACHE_ENV')),
    [],
  );
  // In an ES module the call would run after the module's imports.
  assert.deepEqual(
    sources.filter((file) => readText(file).includes('enableCompileCache')),
    [],
  );
  assert.match(readText(join('bin', 'doorstep')), /enableCompileCache\(join\(PACKAGES, '\.cache', 'doorstep'\)\)/);
  assert.equal(COMPILE_CACHE_ENV.NODE_COMPILE_CACHE, join(ROOT, 'node_modules/.cache/doorstep'));
});
