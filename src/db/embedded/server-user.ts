import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ServerUser } from './run-program.ts';
import { runProgram } from './run-program.ts';

const NAME = 'postgres';
const TIMEOUT_MS = 20_000;

/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root runs it as the owner of an existing cluster,
 * and a new cluster as the system user `postgres`, which is created on a machine without it.
 */
export async function findServerUser(clusterDir: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = (await lookUp()) ?? (await createUser());
  if (user) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and no system user "postgres" could be created: run `useradd --system postgres`, or start Doorstep as an ordinary user.',
  );
}

async function lookUp(): Promise<ServerUser> {
  const ids = await Promise.all(['-u', '-g'].map((flag) => runProgram('id', [flag, NAME], { timeoutMs: TIMEOUT_MS })));
  const [uid, gid] = ids.map(({ status, output }) => (status === 0 ? Number(output.trim()) : Number.NaN));
  return Number.isSafeInteger(uid) && Number.isSafeInteger(gid) && uid ? { uid, gid: gid as number } : undefined;
}

async function createUser(): Promise<ServerUser> {
  if (process.platform !== 'linux') return undefined;
  // The second pair is BusyBox's; two processes may do this at once, so only the look-up decides.
  const attempts = [
    [
      ['groupadd', '--system', NAME],
      ['useradd', '--system', '-g', NAME, '-d', '/nonexistent', '-s', '/usr/sbin/nologin', NAME],
    ],
    [
      ['addgroup', '-S', NAME],
      ['adduser', '-S', '-D', '-H', '-G', NAME, NAME],
    ],
  ];
  for (const commands of attempts) {
    for (const [command = '', ...args] of commands) {
      await runProgram(command, args, { timeoutMs: TIMEOUT_MS });
    }
    const user = await lookUp();
    if (user) return user;
  }
  return undefined;
}
