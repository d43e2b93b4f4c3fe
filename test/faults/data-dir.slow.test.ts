import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { DOORSTEP, type Env, type Finished, startProgram } from '../given/command.ts';
import { givenCommandHost } from '../given/command-host.ts';
import {
  CHECKOUT,
  cleanUp,
  freshDataDir,
  freshDirectory,
  isLinux,
  isRoot,
  mayEnter,
  NOBODY,
} from './embedded-postgres-harness.ts';

const WRONG_SETTINGS = 78;
const MIGRATE = ['migrate'];

after(cleanUp);

type Run = (command: readonly string[], env: Env) => Promise<Finished>;
const host = givenCommandHost();
after(() => host.close());

/** Asserts one sentence that names DATA_DIR and the reason. */
async function refuses(DATA_DIR: string, reason: RegExp, run: Run = host.runCommand, command = MIGRATE): Promise<void> {
  const { status, stdout, stderr } = await run(command, { DATA_DIR, PORT: '0' });
  assert.deepEqual([status, stdout], [WRONG_SETTINGS, ''], stderr);
  assert.ok(stderr.includes(`${DATA_DIR} `) && stderr.includes('DATA_DIR'), stderr);
  assert.match(stderr, reason);
  assert.match(stderr, /^[^\n]+\.\n$/);
}

test('a DATA_DIR that the system cannot create stops the start with an error message', async (t) => {
  await t.test('below a file, or a file itself', async () => {
    const file = join(freshDirectory(), 'file');
    writeFileSync(file, '');
    await refuses(file, / is not a directory: /);
    await refuses(join(file, 'data'), /, because \/.*\/file is not a directory: /);
    await refuses('/dev/null/data', /, because \/dev\/null is not a directory: /);
  });

  await t.test('whichever command starts', async () => {
    for (const command of [['serve'], ['demo'], ['accounts', 'list']])
      await refuses('/dev/null/data', / is not a directory: /, host.runCommand, command);
  });

  await t.test('below a directory that takes no directories', { skip: !isLinux }, async () => {
    for (const dataDir of ['/proc/data', '/proc/1/more/data']) {
      await refuses(dataDir, /, because the system creates no directory there: /);
    }
  });

  await t.test('a link to nothing, a circle of links, a path that is too long', async () => {
    const folder = freshDirectory();
    const linkTo = (name: string, target: string) => {
      symlinkSync(target, join(folder, name));
      return join(folder, name);
    };
    await refuses(linkTo('nothing', '/nowhere/data'), /, because the system creates no directory there: /);
    await refuses(linkTo('circle', 'circle'), /, because its symbolic links form a circle: /);
    await refuses(join(folder, 'd'.repeat(300)), /, because its path is too long: /);
  });
});

test('a DATA_DIR that this user may not write stops the start with an error message', {
  skip: isRoot && !(isLinux && mayEnter(CHECKOUT) && mayEnter(dirname(process.execPath))),
}, async (t) => {
  const ids = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const asUser: Run = (command, env) => startProgram(process.execPath, [DOORSTEP, ...command], env, ids).finished;
  const forbidden = / cannot be read and written by this user: /;

  await t.test('a read-only folder of this user', async () => {
    const folder = freshDirectory();
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    chmodSync(folder, 0o555);
    await refuses(folder, forbidden, asUser);
    await refuses(join(folder, 'data'), forbidden, asUser);
  });

  await t.test('a folder of another user', async () => {
    await refuses('/etc', forbidden, asUser);
    if (isRoot) await refuses(freshDirectory(), forbidden, asUser, ['accounts', 'list']);
  });

  await t.test('a folder of this user where another user has started', { skip: !isRoot }, async () => {
    const dataDir = freshDirectory();
    const root = join(dataDir, 'postgres');
    mkdirSync(root);
    writeFileSync(join(root, 'lock'), '', { mode: 0o644 });
    for (const folder of [dataDir, root]) chownSync(folder, NOBODY, NOBODY);
    await refuses(dataDir, forbidden, asUser);
  });
});

test('a DATA_DIR on a disk that takes no files stops the start with an error message', async (t) => {
  const mountPoint = freshDirectory();
  /** Runs a program with a private disk mounted at `mountPoint`. */
  const withDisk =
    (options: string): Run =>
    (command, env) => {
      const program = [process.execPath, DOORSTEP, ...command];
      const script = `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`;
      const flags = isRoot ? '-m' : '-rm';
      return startProgram('unshare', [flags, 'sh', '-c', script, mountPoint, ...program], env).finished;
    };
  const probe = await withDisk('size=4m')(['--version'], {}).catch(() => undefined);
  if (probe?.status !== 0) return t.skip('this user may not mount a disk');
  const dataDir = join(mountPoint, 'data');
  await t.test('a read-only disk', () => refuses(dataDir, / lies on a read-only file system: /, withDisk('ro')));
  await t.test('a full disk', async () => {
    for (const full of ['nr_inodes=1', 'nr_inodes=4', 'size=4k']) await refuses(dataDir, / is full: /, withDisk(full));
  });
});

test('a DATA_DIR is created with its parents; one of another major version of PostgreSQL is refused with the way, and opens again as it was', async () => {
  const dataDir = join(freshDataDir(), 'more', 'data');
  const start = () => host.runCommand(MIGRATE, { DATA_DIR: dataDir });
  assert.equal((await start()).status, 0);
  const version = join(dataDir, 'postgres/data/PG_VERSION');
  const made = readFileSync(version, 'utf8');
  for (const [other, way] of [
    ['15', /was made by PostgreSQL 15 and .*: dump it with the version of .*`doorstep backup` and `doorstep restore`/],
    ['99', /was made by PostgreSQL 99 and .*: use the newer version of this program that made it\./],
  ] as const) {
    writeFileSync(version, `${other}\n`);
    const { status, stderr } = await start();
    assert.equal(status, 1, stderr);
    assert.match(stderr, way);
  }
  writeFileSync(version, made);
  assert.equal((await start()).status, 0);
});
