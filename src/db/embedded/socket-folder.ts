import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE, ROLE } from './create-cluster.ts';
import { SOCKET_PORT } from './server-settings.ts';

/** The room for a folder in the address of a socket: 104 bytes on macOS (108 on Linux) less the socket's own name. */
const MAX_FOLDER_BYTES = 104 - '/.s.PGSQL.5432\0'.length;

/** A path of the folder that has the server's socket, short enough for the address of a socket. */
export type SocketFolder = AsyncDisposable & { folder: string };

/**
 * A folder with a longer path is reached through a link. The link lies in a new temporary folder that nobody else may
 * enter, so that no other user can make it lead to a server of his own.
 */
export async function openSocketFolder(clusterDir: string): Promise<SocketFolder> {
  if (isShort(clusterDir)) return { folder: clusterDir, async [Symbol.asyncDispose]() {} };
  const temporary = isShort(join(tmpdir(), 'doorstep-XXXXXX', 'data')) ? tmpdir() : '/tmp';
  const own = await mkdtemp(join(temporary, 'doorstep-'));
  const folder = join(own, 'data');
  await symlink(clusterDir, folder);
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(own, { recursive: true, force: true }),
  };
}

const isShort = (folder: string) => Buffer.byteLength(folder) <= MAX_FOLDER_BYTES;

/** Without a password: the mode of the socket's folder is the access control. */
export const connectionStringOf = (socketFolder: string, role: string = ROLE, database: string = DATABASE): string =>
  `postgres://${role}@localhost:${SOCKET_PORT}/${database}?host=${encodeURIComponent(socketFolder)}&sslmode=disable`;
