import assert from 'node:assert/strict';
import { globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProgram } from '../given/command.ts';
import { givenFolder } from '../given/folder.ts';
import { ROOT, textOf } from '../source-files.ts';

const PROGRAM = /^```js\n([\s\S]*?)^```$/m;

for (const page of globSync('packages/*/README.md', { cwd: ROOT })) {
  test(`the program of ${page} runs in a folder that has this package installed`, async (t) => {
    const home = givenFolder('doorstep-package', t);
    mkdirSync(join(home, 'node_modules'));
    symlinkSync(ROOT, join(home, 'node_modules/doorstep'));
    symlinkSync(join(ROOT, 'node_modules/pg'), join(home, 'node_modules/pg'));
    writeFileSync(join(home, 'program.mjs'), PROGRAM.exec(textOf(page))?.[1] ?? '');
    const env = { PATH: process.env.PATH ?? '' };
    const { status, stdout, stderr } = await startProgram(process.execPath, ['program.mjs'], env, { cwd: home })
      .finished;
    assert.equal(status, 0, stderr);
    const shown = /\/\/ prints (.*)$/m.exec(textOf(page))?.[1];
    if (shown) assert.equal(stdout.trim(), shown);
  });
}
