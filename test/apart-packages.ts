import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache');

/**
 * Installs the packages of a folder's own lock file below `node_modules/.cache` unless present, and returns their path.
 * Keeps large single-command tools out of `npm ci` (docs/adr/0046-lighthouse-beside-the-packages.md). Throws if npm
 * fails.
 */
export function installApart(folder: string): string {
  const name = relative(ROOT, folder).replaceAll(/\W+/g, '-');
  const files = readdirSync(folder);
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(folder, file)));
  const installed = join(CACHE, `${name}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(installed)) return installed;
  process.stderr.write(`Installing ${name}, once…\n`);
  mkdirSync(CACHE, { recursive: true });
  const fresh = mkdtempSync(`${installed}-`);
  for (const file of files) copyFileSync(join(folder, file), join(fresh, file));
  copyFileSync(join(ROOT, '.npmrc'), join(fresh, '.npmrc'));
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: fresh, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    renameSync(fresh, installed);
  } catch (error) {
    if (!existsSync(installed)) throw error;
    // Another process has installed the same packages meanwhile.
    rmSync(fresh, { recursive: true });
  }
  return installed;
}

/** The exports of a folder's `index.js`, which imports the packages installed there. */
export async function loadApart<T>(folder: string): Promise<T> {
  return await import(pathToFileURL(join(installApart(folder), 'index.js')).href);
}
