import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenDatabase } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenFolder } from '../../../test/given/folder.ts';

const host = givenCommandHost();
after(() => host.close());

const FOLDER = givenFolder('stores-file');
const fileOf = (name: string, lines: readonly unknown[]) => {
  const path = join(FOLDER, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
};

test('files set channels, couriers and terms of many stores, and say which lines were refused', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const feed = ['a', 'b'].map((id) => pizzeria({ external_id: id, name: `Store ${id}` }));
  const channels = { channels: { webhook: 'https://pos.example/orders', operator: true } };
  assert.equal((await host.runCommand(['migrate'], env)).status, 0);
  const others = [pizzeria({ external_id: 'c', ...channels }), pizzeria({ external_id: 'd', courier: 'pigeons' })];
  const imported = await host.runJson(['import', fileOf('chain.ndjson', [...feed, ...others])], env);
  assert.deepEqual([imported.status, imported.body.created, imported.body.errors[0].path], [1, 3, 'courier']);
  const { stores } = (await host.runJson(['stores', 'list'], env)).body;
  const idOf = (id: string) => stores.find((store: { external_id: string }) => store.external_id === id).store_id;
  const [a, b, c] = ['a', 'b', 'c'].map(idOf);
  const unreached = async () =>
    (await host.runJson(['stores', 'list', '--unreached'], env)).body.stores.map(
      (store: { store_id: string }) => store.store_id,
    );
  assert.deepEqual(await unreached(), [a, b]);

  const lines = [
    { store_id: a, email: 'a@example.com', auto_confirm: 20 },
    { store_id: b, operator: true, printer: 'printer.example:9100', print_at: 'confirmed' },
    { store_id: c, remove: ['webhook'] },
    { store_id: a, sms: '12' },
    { store_id: a, emial: 'a@example.com' },
    { store_id: 'f'.repeat(24), operator: true },
    'text',
  ];
  const set = await host.runJson(['stores', 'channels', '--file', fileOf('channels.ndjson', lines)], env);
  assert.deepEqual(
    set.body.answers.map((store: { store_id: string }) => store.store_id),
    [a, b, c],
  );
  assert.deepEqual(
    set.body.refused.map(({ line }: { line: number }) => line),
    [4, 5, 6, 7],
  );
  assert.match(set.body.refused[1].error, /emial is not a field/);
  assert.match(set.body.refused[2].error, /No such store/);
  assert.equal(set.status, 1);
  assert.deepEqual(await unreached(), []);

  const couriers = fileOf('couriers.ndjson', [
    { store_id: a, gateway: 'uber_direct' },
    { store_id: b, courier: 'pigeons' },
  ]);
  const driven = await host.runJson(['stores', 'set', '--file', couriers], env);
  assert.deepEqual([driven.body.answers[0].courier, driven.body.refused.length], ['uber_direct', 1]);

  const terms = ['stores', 'terms', '--file', fileOf('terms.ndjson', [{ store_id: a, commission: 12, tax: 'store' }])];
  assert.match((await host.runJson(terms, env)).body.refused[0].error, /reason is required/, 'the history keeps why');
  const agreed = await host.runJson([...terms, '--reason', 'The contract of March.'], env);
  const { store_id, terms: latest } = agreed.body.answers[0];
  const { commission, tax } = latest[0];
  assert.deepEqual([agreed.status, store_id, commission, tax], [0, a, 12, 'store']);
  for (const args of [['channels'], ['terms'], ['set'], ['set', a, '--file', couriers]])
    assert.equal((await host.runCommand(['stores', ...args], env)).status, 2, args.join(' '));
});
