import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, textOf } from '../source-files.ts';

/**
 * Puts the installed packages into the folder, as hard links where they are possible: npm packs none through a symlink. Without
 * `.cache`, into which other tests write meanwhile.
 */
export function linkPackages(folder: string): void {
  const source = join(ROOT, 'node_modules');
  const target = join(folder, 'node_modules');
  const packages = readdirSync(source).filter((name) => name !== '.cache');
  const from = packages.map((name) => join(source, name));
  mkdirSync(target);
  const { status } = spawnSync('cp', ['-al', ...from, target], { stdio: 'ignore' });
  if (status !== 0) execFileSync('cp', ['-a', '--remove-destination', ...from, target]);
}

/** Packs the service as it is here into the folder; returns the tarball. Packing rewrites its folder, here a copy. */
export function packService(folder: string): string {
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  const { files, version }: { files: string[]; version: string } = JSON.parse(textOf('package.json'));
  const others = 'package.json package-lock.json README.md LICENSE runtime test/release tsconfig.json'.split(' ');
  const packed = [...files.filter((file) => !file.startsWith('!')), ...others];
  execFileSync('cp', ['-r', '--parents', ...packed, copy], { cwd: ROOT });
  linkPackages(copy);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy });
  return join(folder, `doorstep-${version}.tgz`);
}
