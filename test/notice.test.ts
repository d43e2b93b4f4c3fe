import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('NOTICE names every installed package under the LGPL, and is in the released package', () => {
  const lock: { packages: Record<string, { license?: string; dev?: boolean }> } = JSON.parse(read('package-lock.json'));
  const names = Object.entries(lock.packages)
    .filter(([, { license = '', dev }]) => !dev && license.includes('LGPL'))
    .map(([path]) =>
      path.replace(/^.*node_modules\//, '').replace(/^(@img\/sharp-)(libvips-)?.*$/, '@img/sharp-libvips-*'),
    );
  const notice = read('NOTICE');
  assert.ok(names.length > 0);
  assert.deepEqual(
    [...new Set(names)].filter((name) => !notice.includes(name)),
    [],
  );
  assert.ok(JSON.parse(read('package.json')).files.includes('NOTICE'));
});
