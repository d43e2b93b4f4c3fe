import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tryLock } from 'doorstep/embedded-database';
import { shownCommands } from '../../../../test/command-line/document.ts';
import examples from '../../../../test/command-line/examples.json' with { type: 'json' };
import { givenCommandHost } from '../../../../test/given/command-host.ts';
import { givenFolder } from '../../../../test/given/folder.ts';
import { createProgram } from '../main.ts';
import { requireDatabase } from './require-database.ts';

/** Commands that need no database, or that create one on purpose. */
const EXEMPT: Readonly<Record<string, string>> = {
  demo: 'makes the database of a new service',
  serve: 'makes the database of a new service',
  migrate: 'makes the database that services then find',
  check: 'says what a service would find before one runs',
  plugins: 'says what a service would load before one runs',
  restore: 'loads a backup into a new database',
  listen: 'speaks to a service over HTTP',
  trigger: 'speaks to a service over HTTP',
  'logs tail': 'speaks to a service over HTTP',
  'shop eject': 'writes a project',
};

const folder = givenFolder('doorstep-none');
const host = givenCommandHost();
after(() => host.close());

const sentence = (dataDir: string) =>
  `DATABASE_URL isn't set, and DATA_DIR (${dataDir}) contains no database. Set the service's, or create a new one with \`doorstep migrate\` or \`doorstep serve\`.`;

/** The arguments of the command's own example. */
function exampleWords(name: string): string[] {
  const [, line = ''] = /npx doorstep (.*)$/.exec((examples as Readonly<Record<string, string>>)[name] ?? '') ?? [];
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ''));
}

test('where no database is, every command but the named ones says where it looked, exits with 2 and makes nothing', async () => {
  const names = shownCommands(await createProgram()).map(({ name }) => name);
  assert.deepEqual(
    Object.keys(EXEMPT).filter((name) => !names.includes(name)),
    [],
  );
  const dataDir = join(folder, 'absent');
  const guarded = names.filter((name) => !Object.hasOwn(EXEMPT, name));
  assert.ok(guarded.length >= 35, `${guarded}`);
  for (const name of guarded) {
    const answer = await host.runJson(exampleWords(name), { DATA_DIR: dataDir });
    assert.deepEqual(answer, { status: 2, body: { error: sentence(dataDir) } }, name);
  }
  assert.equal(existsSync(dataDir), false);
});

test('an existing empty folder stays empty, and an empty DATABASE_URL counts as none', async () => {
  const dataDir = join(folder, 'empty');
  mkdirSync(dataDir);
  const { status, stdout, stderr } = await host.runCommand(['accounts', 'create', 'Shop'], {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
  });
  assert.deepEqual([status, stdout, stderr], [2, '', `${sentence(dataDir)}\n`]);
  assert.deepEqual(readdirSync(dataDir), []);
});

test('a database that another process makes at this moment is waited for', async () => {
  const dataDir = join(folder, 'made');
  const root = join(dataDir, 'postgres');
  mkdirSync(root, { recursive: true });
  const held = () => tryLock(join(root, 'lock'), 'exclusive') ?? assert.fail('the lock is taken');
  const inVain = held();
  const refused = assert.rejects(requireDatabase({ databaseUrl: undefined, dataDir }), { message: sentence(dataDir) });
  inVain.release();
  await refused;
  const making = held();
  const waiting = requireDatabase({ databaseUrl: undefined, dataDir });
  mkdirSync(join(root, 'data.draft'));
  assert.equal(await Promise.race([waiting, new Promise((done) => setImmediate(done, 'waits'))]), 'waits');
  mkdirSync(join(root, 'data'));
  making.release();
  await waiting;
});
