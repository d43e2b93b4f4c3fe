import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { givenStore } from '../../../../test/given/stores.ts';
import { type App, givenApp } from '../../../../test/harness.ts';
import { createLog } from '../../../lib/log.ts';
import { createSnapshotKeeper } from './snapshot-keeper.cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorstep-keeper-'));
const file = join(folder, 'kept.snapshot');
let app: App;

before(async () => {
  app = await givenApp();
  await givenStore(app.service.deps.db);
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const marks = async () => (await app.service.deps.db.selectFrom('searchSnapshots').select('mark').execute()).length;

function givenKeeper(changes: Partial<Record<'isLoaded' | 'isRestored', boolean>> = {}) {
  const state = { isLoaded: true, isRestored: false, storeCount: 100, changes: 100, ...changes };
  const logged: string[] = [];
  const log = createLog('info', { write: (line: string) => void logged.push(line) });
  const { connectionString, schema } = app;
  const target = { connectionString, schema, file, format: 'test' };
  return {
    state,
    logged,
    target,
    keeper: createSnapshotKeeper({ order: async () => target, state, log, minStores: 50 }),
  };
}

test('a snapshot is written by a process of its own once the index is loaded, and again after enough changes', async () => {
  const { keeper, state } = givenKeeper();
  await keeper.check();
  assert.ok(existsSync(file));
  assert.equal(await marks(), 1);
  state.changes += 5;
  await keeper.check();
  assert.equal(await marks(), 1, 'a share of 5 % changed is read one by one');
  state.changes += 1;
  await Promise.all([keeper.check(), keeper.check()]);
  assert.equal(await marks(), 2, 'two checks at a time write one snapshot');
  await keeper.close();
});

test('no snapshot is due while the index loads, of few stores, or right after a start from a snapshot', async () => {
  const before = await marks();
  for (const { keeper, state } of [
    givenKeeper({ isLoaded: false }),
    givenKeeper({ isRestored: true }),
    givenKeeper(),
  ]) {
    if (state.isLoaded && !state.isRestored) state.storeCount = 49;
    if (state.isRestored) state.changes = 0;
    await keeper.check();
    await keeper.close();
  }
  assert.equal(await marks(), before);
});

test('a snapshot that cannot be written is told of without the address of the database, and tried again', async () => {
  const { keeper, logged, target } = givenKeeper();
  const before = await marks();
  target.file = join(folder, 'kept.snapshot', 'below a file');
  await keeper.check();
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /search snapshot not written/);
  assert.ok(!(logged[0] ?? '').includes(target.connectionString));
  target.file = file;
  await keeper.check();
  assert.equal(await marks(), before + 2);
  await keeper.close();
});

test('a node that closes ends the process that writes', async () => {
  const { keeper } = givenKeeper();
  const checked = keeper.check();
  await keeper.close();
  await checked;
  await keeper.check();
});
