import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { type FeedLine, pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { givenApp } from '../../../test/harness.ts';
import { importFiles } from '../../supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';
import { createFeedSettings } from './feed-settings.flow.ts';

const app = await givenApp();
const operator = await givenConsole(app, null);
after(() => app.close());

const settings = createFeedSettings({
  printers: ['escpos'],
  polledPrinters: new Map([['cloudprnt', '/plugins/cloud-printers/cloudprnt']]),
  courierCompanies: ['uber_direct'],
  allowPrivate: false,
  by: 'command line (tests)',
});

async function importLines(...lines: FeedLine[]) {
  const stdin = Readable.from([lines.map((line) => `${JSON.stringify(line)}\n`).join('')]);
  const { db, clock } = app.service.deps;
  return (await importFiles({ db, clock, settings }, { files: ['-'], source: 'chain', stdin })).result;
}

async function settingsOf(externalId: string) {
  const path = `/operator/stores/${storeIdOf('chain', externalId)}`;
  const [store, { courier }, { terms }] = await Promise.all(
    [path, `${path}/settings`, `${path}/terms`].map(async (url) => (await operator.get(url)).body),
  );
  const { since: _, tip: __, ...now } = terms[0];
  const channels = store.channels.map((one: { channel: string; target: string | null }) => [one.channel, one.target]);
  return { channels: Object.fromEntries(channels), auto: store.auto_confirm_minutes, courier, terms: now };
}

const CHANNELS = { email: 'kitchen@example.com', sms: '+12125550123', webhook: 'https://pos.example/orders' };
const TERMS = { commission: 12.5, per_order_cents: 30, delivery_fee: 'store', tax: 'operator' };
const line = (external_id: string, changes: FeedLine = {}) => pizzeria({ external_id, name: external_id, ...changes });

test("a feed sets its stores' channels, courier and terms, in the words of the commands", async () => {
  const channels = {
    ...CHANNELS,
    printer: 'printer.example:9100',
    print_at: 'confirmed',
    operator: true,
    auto_confirm: 15,
  };
  const first = line('all', { channels, courier: 'uber_direct', terms: TERMS });
  const { created, errors } = await importLines(first, line('none'));
  assert.deepEqual([created, errors], [2, []]);
  const set = await settingsOf('all');
  assert.deepEqual(set.channels, { ...CHANNELS, printer: 'printer.example:9100', operator: null });
  assert.deepEqual([set.auto, set.courier, set.terms], [15, 'uber_direct', TERMS]);
  assert.deepEqual((await settingsOf('none')).channels, {});
  assert.equal((await importLines(first, line('none'))).unchanged, 2);
  const { actions } = (await operator.get('/operator/actions', { target: storeIdOf('chain', 'all') })).body;
  assert.deepEqual(
    actions.map(({ action, by }: { action: string; by: string }) => [action, by]),
    ['terms', 'switches', 'channels'].map((name) => [`store.set_${name}`, 'command line (tests)']),
  );
  assert.doesNotMatch(JSON.stringify(actions), /kitchen@/, 'the history has no addresses');
});

test('manual values stay until the feed’s value changes', async () => {
  const first = {
    channels: { email: 'a@example.com', operator: true },
    courier: 'uber_direct',
    terms: { commission: 10 },
  };
  await importLines(line('hand', first));
  const path = `/operator/stores/${storeIdOf('chain', 'hand')}`;
  await operator.post(`${path}/channels`, { email: 'hand@example.com', remove: ['operator'] });
  await operator.post(`${path}/switches`, { courier: 'none' });
  await operator.post(`${path}/terms`, { commission: 20, reason: 'agreed' });
  const { updated } = await importLines(line('hand', { ...first, description: 'New words' }));
  assert.equal(updated, 1);
  const kept = await settingsOf('hand');
  assert.deepEqual([kept.channels, kept.courier, kept.terms.commission], [{ email: 'hand@example.com' }, 'none', 20]);
  await importLines(line('hand'));
  assert.deepEqual(await settingsOf('hand'), kept, 'a line that says nothing changes nothing');
  await importLines(line('hand', { channels: { operator: true } }));
  await importLines(line('hand', first));
  assert.deepEqual(await settingsOf('hand'), kept, 'nor does a value that is left out and comes back');
  await importLines(line('hand', { channels: { email: 'b@example.com', operator: true }, terms: { commission: 11 } }));
  const changed = await settingsOf('hand');
  assert.deepEqual([changed.channels, changed.terms.commission], [{ email: 'b@example.com' }, 11]);
  await importLines(line('hand', { channels: { email: 'off' } }));
  assert.deepEqual((await settingsOf('hand')).channels, {});
});

test('a fault of these fields rejects the line, with its path', async () => {
  const faults: [FeedLine, string, RegExp][] = [
    [{ channels: { email: 'a@b, c@d' } }, 'channels.email', /one email address/],
    [{ channels: { sms: '12' } }, 'channels.sms', /a phone number/],
    [{ channels: { webhook: 'http://10.0.0.1/' } }, 'channels.webhook', /https/],
    [{ channels: { printer: 'nobody://x' } }, 'channels.printer', /HOST:PORT/],
    [{ channels: { printer: 'cloudprnt' } }, 'channels.printer', /by an operator/],
    [{ channels: { auto_confirm: 0 } }, 'channels.auto_confirm', /at least 1/],
    [{ channels: { emial: 'a@example.com' } }, 'channels.emial', /spelling/],
    [{ channels: 'a@example.com' }, 'channels', /an object/],
    [{ courier: 'pigeons' }, 'courier', /none or one of uber_direct/],
    [{ terms: { commission: 101 } }, 'terms.commission', /at most 100/],
    [{ terms: { tip: 'store' } }, 'terms.tip', /driver/],
  ];
  const { errors, rejected, created } = await importLines(
    ...faults.map(([changes], nth) => line(`faulty-${nth}`, changes)),
    line('good', { channels: { operator: true } }),
  );
  assert.deepEqual([rejected, created], [faults.length, 1]);
  for (const [nth, [, path, message]] of faults.entries()) {
    const found = errors.filter((error) => error.line === nth + 1);
    assert.deepEqual(
      found.map((error) => error.path),
      [path],
    );
    assert.match(found[0]?.message ?? '', message);
  }
});

test('stores with a menu whose orders no channel would get are listed, with and without channels', async () => {
  await importLines(
    line('reached', { channels: { operator: true } }),
    line('silent'),
    line('failing', { channels: { email: 'x@example.com' } }),
  );
  const failing = storeIdOf('chain', 'failing');
  await app.service.deps.db
    .updateTable('storeChannels')
    .set({ failingSince: `${app.now()}` })
    .where('storeId', '=', failing)
    .execute();
  const { stores } = (await operator.get('/operator/stores/listed', { unreached: true, source: 'chain' })).body;
  const listed = new Set(stores.map(({ external_id }: { external_id: string }) => external_id));
  assert.deepEqual(
    ['reached', 'silent', 'failing'].map((id) => listed.has(id)),
    [false, true, true],
  );
  const { unreached_stores } = (await operator.get('/operator/health')).body;
  const unreached = new Set(unreached_stores.map(({ store_id }: { store_id: string }) => store_id));
  assert.deepEqual(
    ['reached', 'silent', 'failing'].map((id) => unreached.has(storeIdOf('chain', id))),
    [false, false, true],
  );
});
