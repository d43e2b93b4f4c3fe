import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { CHECKOUT, isLinux, isRoot, mayEnter, NOBODY } from '../../../test/faults/embedded-postgres-harness.ts';
import {
  DOORSTEP,
  type Env,
  type Finished,
  freePort,
  givenDatabase,
  startProgram,
} from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenFolder } from '../../../test/given/folder.ts';

const SECRET = 'hunter2-of-a-file';

const host = givenCommandHost();
/** The commands' working directory. */
const database = await givenDatabase();
const folder = givenFolder('doorstep-env');
after(async () => {
  await host.close();
  await database.drop();
});

const writeFile = (name: string, lines: readonly string[]) => {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};
/** Starts the program in the working directory by its shebang line, as a shell does. */
const start = (args: readonly string[], env: Env = {}, cwd = folder) => startProgram(DOORSTEP, args, env, { cwd });
const run = (args: readonly string[], env: Env = {}, cwd?: string) => start(args, env, cwd).finished;
const databaseUrl = () => database.env.DATABASE_URL ?? assert.fail();
/** The DATA_DIR where a command looked for a database. */
function dataDirOf({ status, stderr }: Finished): string | undefined {
  assert.equal(status, 2, stderr);
  return /DATA_DIR \((.*)\) contains no database/.exec(stderr)?.[1];
}

test('the environment wins over --env-file, the last file over the earlier ones, and any file over .env', async () => {
  writeFile('.env', ['DATA_DIR=/absent/dot-env # no folder', 'DATABASE_URL=']);
  const one = writeFile('one.env', ['export DATA_DIR="/absent/one"']);
  const two = writeFile('two.env', ["DATA_DIR='/absent/two'"]);
  const list = ['accounts', 'list'];
  const found = await Promise.all([
    run(list),
    run([...list, '--env-file', 'two.env', '--env-file=one.env']),
    run(list, { DATA_DIR: '' }),
    host.runCommand([...list, '--env-file', one], {}),
    host.runCommand(['--env-file', one, ...list, '--env-file', two], {}),
    host.runCommand([`--env-file=${two}`, ...list, '--env-file', one], { DATA_DIR: '/absent/environment' }),
  ]);
  const ofProcesses = ['/absent/dot-env', '/absent/one', join(folder, '.data')];
  assert.deepEqual(found.map(dataDirOf), [...ofProcesses, '/absent/one', '/absent/two', '/absent/environment']);
});

test('a command works on the database of a file, and a pipe is a file', async () => {
  const settings = writeFile('database.env', [`DATABASE_URL="${databaseUrl()}"`]);
  const migrated = await run(['migrate', '--json', '--env-file', settings], { DATA_DIR: '/absent' });
  assert.equal(JSON.parse(migrated.stdout).applied[0], '0001-baseline.sql', migrated.stderr);
  const script = `"$0" accounts list --json --env-file <(cat "${settings}")`;
  const listed = await startProgram('bash', ['-c', script, DOORSTEP], {}, { cwd: folder }).finished;
  assert.deepEqual([listed.status, listed.stdout], [0, '{"accounts":[]}\n'], listed.stderr);
});

test('unreadable and malformed parts are named by line, never with a value', async () => {
  const list = ['accounts', 'list'];
  const bad = writeFile('bad.env', ['# settings', `TOKEN_SECRET="${SECRET}`, `STRIPE_SECRET_KEY=${SECRET}#tail`]);
  const binary = join(folder, 'binary.env');
  writeFileSync(binary, Buffer.concat([Buffer.from(`A=${SECRET}\n`), Buffer.from([0xff, 0xfe, 0x80])]));
  const wrong = writeFile('wrong.env', ['DATABASE_URL=mysql://user:hunter2@host/db']);
  const own = mkdtempSync(join(folder, 'own-'));
  writeFileSync(join(own, '.env'), `A=1\nB="\n${SECRET}\n"\nSTRIPE_SECRET_KEY ${SECRET}\n`);
  const cases: [args: string[], cwd: string | undefined, status: number, sentence: RegExp][] = [
    [['--env-file', folder], undefined, 2, /^The --env-file \/\S+ can't be read \(EISDIR\)\.\n$/],
    [['--env-file', bad], undefined, 78, /^Line 2 of \/\S+bad\.env isn't NAME=value\. [^\n]+\.\n$/],
    [['--env-file', binary], undefined, 78, /^\/\S+binary\.env isn't UTF-8 text\.\n$/],
    [
      ['--env-file', wrong],
      undefined,
      78,
      /^DATABASE_URL must be a postgres:\/\/ URL, whose require_auth lists [^\n]+\.\n$/,
    ],
    [[], own, 78, /^Line 5 of \/\S+\.env isn't NAME=value\. [^\n]+\.\n$/],
    [['--env-file'], undefined, 2, /^option '--env-file <file>' argument missing\n$/],
  ];
  const ended = await Promise.all(
    cases.map(([args, cwd]) => (cwd ? run([...list, ...args], {}, cwd) : host.runCommand([...list, ...args], {}))),
  );
  for (const [n, { status, stdout, stderr }] of ended.entries()) {
    const [args, , expected, sentence] = cases[n] ?? assert.fail();
    assert.deepEqual([status, stdout], [expected, ''], args.join(' '));
    assert.match(stderr, sentence);
    assert.ok(!stderr.includes('hunter2'), args.join(' '));
  }
  const error = "The --env-file /absent.env doesn't exist.";
  assert.deepEqual(await host.runJson([...list, '--env-file', '/absent.env'], {}), { status: 2, body: { error } });
});

test('a folder named .env, and a working folder that is gone, are no fault', async () => {
  const python = mkdtempSync(join(folder, 'python-'));
  mkdirSync(join(python, '.env'));
  const env = { DATA_DIR: '/absent/none' };
  const gone = `mkdir gone && cd gone && rmdir ../gone && exec "$0" accounts list`;
  const ended = await Promise.all([
    run(['accounts', 'list'], env, python),
    startProgram('sh', ['-c', gone, DOORSTEP], env, { cwd: python }).finished,
  ]);
  for (const { status, stderr } of ended) assert.deepEqual([status, /\/absent\/none/.test(stderr)], [2, true], stderr);
});

test('a .env that this user may not read is named; in a folder that the user may not enter there is none', {
  skip: isRoot && !(isLinux && mayEnter(CHECKOUT) && mayEnter(dirname(process.execPath))),
}, async () => {
  const ids = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const list = [process.execPath, '--', DOORSTEP, 'accounts', 'list'] as const;
  const [node, ...args] = list;
  const cwd = mkdtempSync(join(tmpdir(), 'doorstep-unread-'));
  writeFileSync(join(cwd, '.env'), `A=${SECRET}\n`, { mode: 0 });
  const runIn = () => startProgram(node, args, { DATA_DIR: '/absent/none' }, { ...ids, cwd }).finished;
  chmodSync(cwd, 0o755);
  const unread = await runIn();
  assert.deepEqual([unread.status, unread.stdout], [78, '']);
  assert.match(unread.stderr, /^\/\S+\.env can't be read \(EACCES\)\. [^\n]+\.\n$/);
  if (isRoot) {
    chmodSync(cwd, 0o700);
    const outside = await runIn();
    assert.deepEqual([outside.status, /\(\/absent\/none\) contains no database/.test(outside.stderr)], [2, true]);
  }
  rmSync(cwd, { recursive: true });
});

test('a service and each of its workers have the settings of .env', async () => {
  const cwd = mkdtempSync(join(folder, 'service-'));
  const env = [`DATABASE_URL=${databaseUrl()}`, `PORT=${await freePort()}`, 'LOG_LEVEL=error', 'WORKERS=2'];
  writeFileSync(join(cwd, '.env'), `${[...env, 'BASE_URL=https://of-a-file.example'].join('\n')}\n`);
  const { child, printed, finished } = start(['serve', '--role', 'api'], {}, cwd);
  const [, url = ''] = await printed(/Doorstep is ready at (\S+) \(version .+, 2 workers\)/);
  assert.equal(new URL(url).port, env[1]?.slice('PORT='.length));
  // The cluster distributes connections round-robin.
  for (let n = 0; n < 2; n++) {
    const reply = await fetch(`${url}/openapi.json`, { headers: { connection: 'close' } });
    const { servers } = (await reply.json()) as { servers: { url: string }[] };
    assert.equal(servers[0]?.url, 'https://of-a-file.example');
  }
  child.kill('SIGTERM');
  assert.equal((await finished).status, 0);
});

test('a clone keeps .env out of its commits', () => {
  const ignored = readFileSync(join(DOORSTEP, '../../.gitignore'), 'utf8').split('\n');
  assert.ok(ignored.includes('.env'));
});
