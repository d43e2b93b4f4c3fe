import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache');
/** Ends an installation that hangs, and the wait for another process's. */
const INSTALL_MS = 600_000;
const TIMEOUT_MS = 2 * INSTALL_MS;

/**
 * Installs the packages of a folder's own lock file below `node_modules/.cache` unless present, and returns their path.
 * Keeps tools of single checks out of `npm ci` (docs/adr/0046-lighthouse-beside-the-packages.md). Throws if npm
 * fails. Callers quote the folder as a path (`./package`): by that a change of it reaches their tests.
 */
export function installApart(folder: string): string {
  const installed = join(CACHE, relative(ROOT, folder).replaceAll(/\W+/g, '-'));
  const isInstalled = () =>
    readdirSync(folder).every(
      (file) => existsSync(join(installed, file)) && isEqual(join(folder, file), join(installed, file)),
    );
  if (isInstalled()) return installed;
  mkdirSync(CACHE, { recursive: true });
  // A lock that processes wait for, and that ends with its process.
  using lock = new DatabaseSync(`${installed}.lock`, { timeout: TIMEOUT_MS });
  lock.exec('BEGIN EXCLUSIVE');
  if (isInstalled()) return installed;
  process.stderr.write(`Installing ${relative(ROOT, folder)}, once…\n`);
  const fresh = mkdtempSync(`${installed}-`);
  cpSync(folder, fresh, { recursive: true });
  cpSync(join(ROOT, '.npmrc'), join(fresh, '.npmrc'));
  const command = ['ci', '--ignore-scripts'];
  execFileSync('npm', command, { cwd: fresh, stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_MS });
  rmSync(installed, { recursive: true, force: true });
  renameSync(fresh, installed);
  return installed;
}

const isEqual = (one: string, other: string) => readFileSync(one).equals(readFileSync(other));

/** The exports of a folder's `index.js`, which imports the packages installed there. */
export async function loadApart<T>(folder: string): Promise<T> {
  return await import(pathToFileURL(join(installApart(folder), 'index.js')).href);
}

// `node test/apart-packages.ts FOLDER…` installs those.
if (import.meta.main) for (const folder of process.argv.slice(2)) installApart(join(ROOT, folder));
