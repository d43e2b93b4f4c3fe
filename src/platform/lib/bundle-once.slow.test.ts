import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Env, startProgram } from '../../../test/given/command.ts';
import { givenFolder } from '../../../test/given/folder.ts';
import { ROOT } from '../../../test/source-files.ts';

/** Reads the driver's page and the shop's renderer as a node does before it listens, and prints the names of files. */
const NODE = `
import { setImmediate } from 'node:timers/promises';
import { driverFiles } from './src/fulfillment/deliveries/driver.route.ts';
import { importOnce } from './src/platform/lib/bundle-once.cache.ts';
const shop = importOnce(process.cwd() + '/web/shop/server.tsx', 'fr');
const load = async () => {
  const [{ byName }, { renderShop }] = await Promise.all([driverFiles(), shop()]);
  return JSON.stringify([...byName.keys(), typeof renderShop]);
};
for (;;) {
  const loaded = await load().catch(() => undefined);
  if (loaded) {
    console.log(loaded);
    break;
  }
  await setImmediate();
}
`;

/** A clone whose packages have no cache yet. Its bundler is counted, and may be killed at its first start. */
function givenClone(t: TestContext) {
  const clone = givenFolder('doorstep-clone', t);
  for (const path of ['package.json', 'clients', 'packages', 'src', 'web'])
    cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== '.cache')) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(clone, 'node_modules', name)];
    // The cache lies alongside this one.
    if (name === 'commander') cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
  writeFileSync(join(clone, 'node.ts'), NODE);
  const starts = join(clone, 'starts');
  writeFileSync(starts, '');
  const bundler = join(clone, 'bundler');
  const program = join(ROOT, 'node_modules/@esbuild', `${process.platform}-${process.arch}`, 'bin/esbuild');
  const writeBundler = (command: string) =>
    writeFileSync(bundler, `#!/bin/sh\necho started >> '${starts}'\n${command}\n`, { mode: 0o755 });
  const works = `exec '${program}' "$@"`;
  writeBundler(works);
  return {
    clone,
    starts: () => readFileSync(starts, 'utf8').split('\n').length - 1,
    async run(env: Env = {}) {
      const started = startProgram(
        process.execPath,
        ['node.ts'],
        { ESBUILD_BINARY_PATH: bundler, ...env },
        { cwd: clone },
      );
      const { status, stdout, stderr } = await started.finished;
      assert.equal(status, 0, stderr);
      return JSON.parse(stdout) as string[];
    },
    killBundlerOnce: () => writeBundler(`[ $(wc -l < '${starts}') -gt 1 ] || exit 1\n${works}`),
  };
}

test('nodes that start at once in a fresh clone bundle each page once, and later ones start no bundler', async (t) => {
  const { run, starts } = givenClone(t);
  const [first, ...others] = await Promise.all([run(), run(), run()]);
  assert.ok(first.length > 4 && first.at(-1) === 'function', `${first}`);
  assert.deepEqual(others, [first, first]);
  assert.deepEqual(await run(), first);
  assert.equal(starts(), 1);
});

test('after a change of a style sheet its page is bundled again, and the others are not', async (t) => {
  const { clone, run, starts } = givenClone(t);
  const before = await run();
  const kept = () => readdirSync(join(clone, 'node_modules/.cache/doorstep-pages'));
  appendFileSync(join(clone, 'web/driver/page.css'), '\n.driver-changed { color: red }\n');
  const after = await run();
  assert.deepEqual([starts(), kept().length > 0], [2, true]);
  const changed = before.filter((name) => !after.includes(name));
  assert.deepEqual(
    changed.map((name) => /\.\w+$/.exec(name)?.[0]),
    ['.css'],
  );
  assert.equal(before.length, after.length);
});

test('a page that failed because its bundler died is served at the next request', async (t) => {
  const { run, starts, killBundlerOnce } = givenClone(t);
  killBundlerOnce();
  assert.ok((await run()).includes('function'));
  assert.equal(starts(), 2);
});

test('a package serves its own bundles, although its bundler does not run', async (t) => {
  const { clone, run, starts } = givenClone(t);
  const names = await run();
  const made = starts();
  cpSync(join(clone, 'node_modules/.cache/doorstep-pages'), join(clone, 'bundles'), { recursive: true });
  rmSync(join(clone, 'node_modules/.cache'), { recursive: true });
  rmSync(join(clone, 'node_modules/esbuild'));
  rmSync(join(clone, 'web'), { recursive: true });
  assert.deepEqual(await run(), names);
  assert.equal(starts(), made);
});
