import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../given/command.ts';
import { until } from '../../until.ts';

/** Debian's newest installed PostgreSQL. */
const VERSIONS = '/usr/lib/postgresql';
const PASSWORD = 'soak';

export type PatroniNode = {
  name: string;
  restPort: number;
  port: number;
  folder: string;
  child: ChildProcess | undefined;
};

/** Two PostgreSQL servers under Patroni with synchronous replication, and etcd, on loopback. */
export type Patroni = {
  nodes: readonly PatroniNode[];
  /** The node that reports itself as primary, if any. */
  primary(): Promise<PatroniNode | undefined>;
  /** Whether the other node is a synchronous standby: a commit waits for both. */
  isSynchronous(): Promise<boolean>;
  start(node: PatroniNode): void;
  /** SIGKILLs a node's PostgreSQL, and its Patroni unless only PostgreSQL dies. */
  kill(node: PatroniNode, what: 'node' | 'postgres'): void;
  close(): Promise<void>;
};

export async function givenPatroni(): Promise<Patroni> {
  const ids = userIds('postgres');
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-patroni-'));
  chownSync(folder, ids.uid, ids.gid);
  const etcdPort = await freePort();
  const etcd = startEtcd(join(folder, 'etcd'), etcdPort, await freePort(), ids);
  await until('etcd answers', () => isHealthy(`http://127.0.0.1:${etcdPort}/health`));
  const nodes: PatroniNode[] = [];
  for (const name of ['a', 'b']) {
    const node = { name, restPort: Number(await freePort()), port: Number(await freePort()), child: undefined };
    nodes.push({ ...node, folder: join(folder, name) });
  }
  const start = (node: PatroniNode) => {
    mkdirSync(node.folder, { recursive: true });
    chownSync(node.folder, ids.uid, ids.gid);
    const file = join(node.folder, 'patroni.json');
    writeFileSync(file, JSON.stringify(settingsOf(node, etcdPort)));
    const log = openSync(join(node.folder, 'patroni.log'), 'a');
    node.child = spawn('patroni', [file], { stdio: ['ignore', log, log], detached: true, ...ids });
  };
  for (const node of nodes) start(node);
  const patroni: Patroni = {
    nodes,
    start,
    async primary() {
      for (const node of nodes) if (await isHealthy(`http://127.0.0.1:${node.restPort}/primary`)) return node;
      return undefined;
    },
    async isSynchronous() {
      for (const node of nodes) if (await isHealthy(`http://127.0.0.1:${node.restPort}/sync`)) return true;
      return false;
    },
    kill(node, what) {
      if (what === 'node' && node.child?.pid) process.kill(node.child.pid, 'SIGKILL');
      for (const pid of postgresOf(node)) process.kill(pid, 'SIGKILL');
    },
    async close() {
      const exits = [...nodes.map(({ child }) => child), etcd].map((child) => child && ended(child));
      for (const node of nodes) patroni.kill(node, 'node');
      etcd.kill('SIGKILL');
      await Promise.all(exits);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await until('both nodes run, and commits wait for both', () => patroni.isSynchronous(), 300_000);
  return patroni;
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit');

/** A well-known password: the cluster exists on loopback for minutes. */
export const urlOf = (port: number): string => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;

function userIds(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function startEtcd(folder: string, port: string, peerPort: string, ids: object): ChildProcess {
  mkdirSync(folder);
  chownSync(folder, userIds('postgres').uid, userIds('postgres').gid);
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = ['--name', 'soak', '--data-dir', join(folder, 'data'), '--initial-cluster', `soak=${peer}`];
  args.push('--listen-client-urls', client, '--advertise-client-urls', client);
  args.push('--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer);
  return spawn('etcd', args, { stdio: 'ignore', ...ids });
}

/** Patroni reads YAML, a superset of JSON. `ttl` is Patroni's minimum. */
function settingsOf({ name, restPort, port, folder }: PatroniNode, etcdPort: string) {
  const [newest = ''] = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a));
  const rest = `127.0.0.1:${restPort}`;
  const server = `127.0.0.1:${port}`;
  return {
    scope: 'soak',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: server,
      connect_address: server,
      data_dir: join(folder, 'data'),
      bin_dir: join(VERSIONS, newest, 'bin'),
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
  };
}

async function isHealthy(url: string): Promise<boolean> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  await reply?.arrayBuffer().catch(() => {});
  return reply?.status === 200;
}

/** Server processes whose data directory is the node's. */
function postgresOf({ folder }: PatroniNode): number[] {
  const pidFile = join(folder, 'data/postmaster.pid');
  const [postmaster = ''] = read(pidFile).split('\n');
  if (postmaster === '' || !read(`/proc/${postmaster}/comm`).startsWith('postgres')) return [];
  const children = read(`/proc/${postmaster}/task/${postmaster}/children`).trim().split(' ').filter(Boolean);
  return [postmaster, ...children].map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
