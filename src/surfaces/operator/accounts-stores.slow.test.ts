// covers: src/platform/http/undeclared-proxies.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { clientOf, givenOwnApp } from '../../../test/harness.ts';

test('an operator creates an account and a key, which works until it is revoked, and is shown once', async (t) => {
  const { app } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  const account = (await operator.post('/operator/accounts', { name: '  Supper Club ' })).body;
  assert.equal(account.name, 'Supper Club');
  const issued = await operator.post(`/operator/accounts/${account.account_id}/keys`, { mode: 'live' });
  assert.match(issued.body.key, /^ds_live_/);
  assert.equal(issued.headers['cache-control'], 'private, no-store');
  const client = clientOf(app.service, account.account_id, issued.body.key);
  assert.equal((await client.get('/account/orders')).status, 200);
  const read = await operator.get(`/operator/accounts/${account.account_id}`);
  assert.deepEqual([read.body.keys.length, read.body.keys[0].key_id], [1, issued.body.key_id]);
  assert.equal((await operator.post(`/operator/keys/${issued.body.key_id}/revoke`, {})).status, 200);
  await app.advance({ seconds: 2 });
  assert.equal((await client.get('/account/orders')).status, 401);
  const { text, body } = await operator.get('/operator/actions');
  assert.deepEqual(
    body.actions.map(({ action }: { action: string }) => action),
    ['key.revoke', 'key.create', 'account.create'],
  );
  for (const answer of [text, read.text]) assert.ok(!answer.includes(issued.body.key));
});

test('keys are listed page by page, oldest first, without one lost or twice', async (t) => {
  const { app } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  const { account_id } = (await operator.post('/operator/accounts', { name: 'Many keys' })).body;
  const keys = Array.from({ length: 1001 }, (_, n) => ({
    keyId: `key_${n}`,
    keyHash: Buffer.from(`${n}`.padStart(32)),
    accountId: account_id,
    mode: 'live' as const,
    hint: 'ds_live_…',
    createdAt: app.now().toString(),
  }));
  await app.service.deps.db.insertInto('apiKeys').values(keys).execute();
  const first = (await operator.get('/operator/keys', { account_id })).body;
  const second = (await operator.get('/operator/keys', { account_id, before: first.next })).body;
  const ids = [...first.keys, ...second.keys].map(({ key_id }: { key_id: string }) => key_id);
  assert.deepEqual([first.keys.length, second.next, new Set(ids).size], [1000, null, 1001]);
  assert.equal((await operator.get('/operator/keys', { before: 'x' })).body.code, 'invalid_request');
  const unknown = await operator.get('/operator/stores/listed', { after: 'f'.repeat(24) });
  assert.deepEqual([unknown.status, unknown.body.errors[0].name], [400, 'after']);
});

test('accounts are listed newest first, and found by words of their name', async (t) => {
  const { app } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  for (const name of ['Ärger & Co', '100 % food']) {
    await app.advance({ seconds: 1 });
    await operator.post('/operator/accounts', { name });
  }
  const names = async (query: Record<string, string>) =>
    (await operator.get('/operator/accounts', query)).body.accounts.map(({ name }: { name: string }) => name);
  assert.deepEqual((await names({})).slice(0, 2), ['100 % food', 'Ärger & Co']);
  assert.deepEqual(await names({ query: 'ärger' }), ['Ärger & Co']);
  assert.deepEqual(await names({ query: 'co ÄRG' }), ['Ärger & Co']);
  assert.deepEqual(await names({ query: 'rger' }), []);
  assert.deepEqual(await names({ query: '100 %' }), ['100 % food']);
  assert.deepEqual(await names({ query: '%' }), []);
  for (const name of ['', ' ', 'a\u0007b']) {
    assert.equal((await operator.post('/operator/accounts', { name })).status, 400);
  }
});

test('a store is found by its name, its id and its feed, and its channels are set without showing a secret', async (t) => {
  const { app, storeId } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  const found = async (query: Record<string, string>) =>
    (await operator.get('/operator/stores', query)).body.stores.map((store: { store_id: string }) => store.store_id);
  const { source } = (await operator.get(`/operator/stores/${storeId}`)).body;
  for (const query of [
    { query: 'test PIZZ' },
    { query: 'pizz' },
    { query: "Pizzeria' te" },
    { query: storeId },
    { source },
    {},
  ]) {
    assert.deepEqual(await found(query), [storeId], JSON.stringify(query));
  }
  for (const query of ['izzeria', '%', '_est', '\\']) assert.deepEqual(await found({ query }), [], query);
  const set = await operator.post(`/operator/stores/${storeId}/channels`, {
    email: 'kitchen@example.com',
    webhook: 'http://127.0.0.1:9/pos',
    auto_confirm_minutes: 20,
    remove: ['operator'],
  });
  assert.equal(set.status, 200, set.text);
  assert.match(set.body.signing_secret, /^whsec_/);
  const names = set.body.channels.map(({ channel }: { channel: string }) => channel);
  assert.deepEqual([names, set.body.auto_confirm_minutes], [['email', 'webhook'], 20]);
  const again = await operator.post(`/operator/stores/${storeId}/channels`, { webhook: 'http://127.0.0.1:9/new' });
  assert.equal(again.body.signing_secret, undefined);
  const read = await operator.get(`/operator/stores/${storeId}`);
  const actions = await operator.get('/operator/actions', { target: storeId });
  for (const { text } of [read, actions]) assert.doesNotMatch(text, /whsec_/);
  assert.deepEqual(actions.body.actions[1].details, {
    set: ['email', 'webhook', 'autoConfirmMinutes'],
    removed: ['operator'],
  });
});

test('an impossible channel returns 400, a forbidden call 422', async (t) => {
  const { app, storeId } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  const set = (body: object) => operator.post(`/operator/stores/${storeId}/channels`, body);
  const bad = await set({ email: 'nobody', sms: '12', printer: 'a b:1', remove: ['operator'], operator: true });
  assert.equal(bad.status, 400);
  const names = bad.body.errors.map(({ name }: { name: string }) => name);
  assert.deepEqual(names.toSorted(), ['email', 'printer', 'remove', 'sms']);
  const bodies = [{}, { remove: [] }, { print_at: 'offered' }, { printer: 'nobody://12' }];
  for (const body of bodies) assert.equal((await set(body)).status, 400);
  const call = await set({ webhook: 'ftp://example.com' });
  assert.deepEqual([call.status, call.body.code], [422, 'webhook_endpoint_not_allowed']);
  assert.equal(call.body.errors[0].name, 'webhook');
  const { channels } = await givenChannel(app, storeId, {});
  assert.deepEqual(
    channels.map(({ channel }) => channel),
    ['operator'],
  );
});

test('an operator invites a store, makes its keys, ends its sessions and sets its switches', async (t) => {
  const { app, storeId, client } = await givenLiveShop(t);
  const operator = await givenConsole(app, null);
  const at = `/operator/stores/${storeId}`;
  assert.match((await operator.post(`${at}/invite`, {})).body.code, /^\w{4}-\w{4}-\w{4}$/);
  const live = (await operator.post(`${at}/keys`, {})).body;
  const sandbox = (await operator.post(`${at}/keys`, { sandbox_account_id: client.accountId })).body;
  assert.deepEqual([live.mode, sandbox.mode], ['live', 'sandbox']);
  assert.equal((await clientOf(app.service, '', live.key).get('/store/orders')).status, 200);
  await givenConsole(app, storeId);
  const { sessions, keys } = (await operator.get(at)).body;
  assert.deepEqual([sessions.length, keys.length], [1, 2]);
  const end = () => operator.post(`/operator/sessions/${sessions[0].session_id}/revoke`, { store_id: storeId });
  assert.deepEqual([(await end()).status, (await end()).status], [200, 404]);
  const set = await operator.post(`${at}/switches`, { accept_delivery: false });
  assert.equal(set.body.accept_delivery, false);
  assert.equal((await operator.post(`${at}/switches`, {})).status, 400);
  const other = (await operator.get('/operator/sessions')).body.sessions;
  assert.deepEqual([other.length, other[0].is_this], [1, true]);
});

test('health lists live stores on built-in taxes, and the gaps of these taxes', async (t) => {
  const app = await givenOwnApp();
  t.after(() => app.close());
  const [own = '', statewide = ''] = await givenStores(app, [
    pizzeria(),
    pizzeria({ external_id: 'second', fees: {} }),
  ]);
  const operator = await givenConsole(app, null);
  const read = async () => (await operator.get('/operator/health')).body.statewide_tax_stores;
  assert.deepEqual(await read(), [], 'no live store');
  for (const storeId of [own, statewide]) await givenChannel(app, storeId, { console: true });
  const [listed, ...more] = await read();
  assert.deepEqual([listed.store_id, more], [statewide, []]);
  assert.match(listed.left_out, /^taxes of counties, cities and districts; rules by price or size/);
});

test('health lists live stores that no channel reaches, and stores that never acknowledged an order', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, storeId } = shop;
  const operator = await givenConsole(app, null);
  const read = async () => {
    const { unreached_stores: unreached, silent_stores: silent } = (await operator.get('/operator/health')).body;
    return { unreached, silent };
  };
  assert.deepEqual(await read(), { unreached: [], silent: [] });
  await givenChannel(app, storeId, { operator: false, console: true });
  const store = { store_id: storeId, store_name: 'Test Pizzeria' };
  assert.deepEqual((await read()).unreached, [{ ...store, channels: ['console'] }], 'nobody is signed in');
  const tablet = await givenConsole(app, storeId);
  assert.deepEqual((await read()).unreached, []);

  const orderId = await shop.place();
  await app.advance({ seconds: 1 });
  const [silent] = (await read()).silent;
  assert.deepEqual({ ...silent, offered_since: 0 }, { ...store, offered_since: 0 });
  assert.ok(silent.offered_since > app.now().epochMilliseconds / 1000 - 60);
  await setAutoConfirm(20);
  assert.deepEqual((await read()).silent, [], 'it confirms by itself');
  await setAutoConfirm(null);
  assert.equal((await read()).silent.length, 1);
  assert.equal((await tablet.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 })).status, 200);
  assert.deepEqual((await read()).silent, []);

  await givenChannel(app, storeId, { console: false, webhook: 'http://127.0.0.1:9/pos' });
  await shop.place();
  await app.advance({ seconds: 1 });
  assert.deepEqual((await read()).unreached, [{ ...store, channels: ['webhook'] }], 'every call fails');

  function setAutoConfirm(autoConfirmMinutes: number | null) {
    return givenChannel(app, storeId, { autoConfirmMinutes });
  }
});

test('health lists webhooks of accounts that fail', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const endpoint = 'http://127.0.0.1:9/hook';
  assert.equal((await shop.client.post('/account/tracking/add_webhook', { endpoint })).status, 200);
  await shop.place();
  await shop.app.advance({ seconds: 5 });
  const { failing_endpoints: failing } = (await operator.get('/operator/health')).body;
  assert.deepEqual(
    failing.map(({ account_id, mode, enabled }: Record<string, unknown>) => [account_id, mode, enabled]),
    [[shop.client.accountId, 'live', true]],
  );
});

test('a proxy that TRUST_PROXY does not name is in the log once and in the health; a named one is not', async (t) => {
  const lines: string[] = [];
  const env = { TRUST_PROXY: '10.0.0.1', LOG_LEVEL: 'warn' };
  const app = await givenOwnApp({ env, onLogLine: (line) => lines.push(line) });
  t.after(() => app.close());
  const operator = await givenConsole(app, null);
  const ask = (remoteAddress: string, headers: Record<string, string>) =>
    app.service.http.inject({ method: 'GET', url: '/healthz', remoteAddress, headers });
  const proxiesOf = async () => (await operator.get('/operator/health')).body.undeclared_proxies;
  await ask('172.18.0.7', {});
  await ask('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' });
  assert.deepEqual(await proxiesOf(), []);
  for (const client of ['203.0.113.9', '203.0.113.10']) await ask('::ffff:172.18.0.7', { 'x-forwarded-for': client });
  for (let last = 1; last <= 20; last += 1) await ask(`192.0.2.${last}`, { 'x-forwarded-for': '203.0.113.9' });
  const proxies = await proxiesOf();
  assert.deepEqual([proxies[0], proxies.length], ['172.18.0.7', 10]);
  const logged = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => /^X-Forwarded-For came from an address/.test(msg));
  assert.deepEqual(
    logged.map(({ proxy }) => proxy),
    proxies,
  );
});

test('health lists waiting work, failures and missing settings', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  const quiet = (await operator.get('/operator/health')).body;
  assert.deepEqual(quiet.failing_channels, []);
  assert.ok(quiet.database.migrations >= 1);
  assert.deepEqual(
    quiet.parties.map(({ party, is_configured }: Record<string, unknown>) => [party, is_configured]),
    [
      ['payment gateway', false],
      ['mail', true],
      ['SMS', true],
    ],
  );
  await givenChannel(shop.app, shop.storeId, { webhook: 'http://127.0.0.1:9/pos' });
  await shop.place();
  await shop.app.advance({ seconds: 1 });
  const { queues, failing_channels: failing } = (await operator.get('/operator/health')).body;
  const notices = queues.find(({ queue }: { queue: string }) => queue === 'store notices');
  assert.equal(notices.failing, 1);
  assert.deepEqual([failing[0].store_id, failing[0].channel], [shop.storeId, 'webhook']);
});
