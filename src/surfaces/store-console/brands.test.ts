import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, givenApp } from '../../../test/harness.ts';
import { findBranding, saveBranding } from '../../access/accounts/brandings.db.ts';
import { setShop } from '../../access/accounts/set-shop.flow.ts';

let app: App;
let storeId = '';
let otherId = '';
let owner: Client;
before(async () => {
  app = await givenApp();
  [storeId = '', otherId = ''] = await givenStores(app, [pizzeria(), pizzeria({ external_id: 'other' })]);
  owner = await givenConsole(app, storeId);
});
after(() => app.close());

async function givenShop(storeIds: string[] | null, ownerLook: boolean, mode: 'live' | 'off' = 'live'): Promise<void> {
  const { db } = app.service.deps;
  await db.transaction().execute((tx) => setShop(tx, app.accountId, { mode, storeIds }, app.now()));
  await saveBranding(db, app.accountId, { ownerLook, displayName: 'Pizza Palace' }, app.now());
}

const put = (by: Client, body: object) => by.put(`/store/brands/${app.accountId}`, body);
const branding = () => findBranding(app.service.deps.db, app.accountId);

test('an owner sets the theme of a shop that names the store, within the operator’s limits', async () => {
  await givenShop([storeId], true);
  await saveBranding(app.service.deps.db, app.accountId, { fromAddress: 'orders@pizza.example' }, app.now());
  const look = {
    display_name: 'Pizza Palace',
    logo_url: 'https://cdn.pizza.example/logo.png',
    cover_url: 'https://cdn.pizza.example/oven.jpg',
    welcome: 'Pies from the stone oven',
    color: '#B3261E',
    corners: 'round',
    font: 'classic',
  };
  const saved = await put(owner, { ...look, from_address: 'owner@pizza.example' });
  const expected = { account_id: app.accountId, ...look, color: '#b3261e' };
  assert.deepEqual([saved.status, saved.body], [200, expected]);
  assert.deepEqual((await owner.get('/store/brands')).body, { brands: [expected] });
  assert.deepEqual((await branding()).fromAddress, 'orders@pizza.example');
  const operator = await givenConsole(app, null);
  const [change] = (await operator.get(`/operator/actions?target=${app.accountId}`)).body.actions;
  assert.deepEqual([change.action, change.by], ['account.set_brand', pizzeria().name]);
  assert.deepEqual(change.details.set.length, Object.keys(look).length);
  const changes = async () => (await operator.get(`/operator/actions?target=${app.accountId}`)).body.actions.length;
  assert.equal(await changes(), 1);
  for (const same of [{}, look, { font: 'classic' }]) assert.deepEqual((await put(owner, same)).body, expected);
  assert.equal(await changes(), 1, 'what changes nothing leaves no entry');
  assert.deepEqual((await put(owner, { welcome: '' })).body, { ...expected, welcome: null });
  const before = await branding();
  for (const wrong of [
    { color: 'red' },
    { logo_url: 'http://cdn.example/a.png' },
    { welcome: 'a'.repeat(81) },
    { display_name: 'a'.repeat(61) },
    { cover_url: 'x'.repeat(3000) },
  ]) {
    const refused = await put(owner, wrong);
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request'], JSON.stringify(wrong));
  }
  assert.deepEqual(await branding(), before);
});

test('a brand is not its stores’ to set without leave, of a shop that is off or does not name the store', async () => {
  const cases = [
    { storeIds: [storeId], ownerLook: false, mode: 'live' },
    { storeIds: [otherId], ownerLook: true, mode: 'live' },
    { storeIds: null, ownerLook: true, mode: 'live' },
    { storeIds: [storeId], ownerLook: true, mode: 'off' },
  ] as const;
  for (const { storeIds, ownerLook, mode } of cases) {
    await givenShop(storeIds && [...storeIds], ownerLook, mode);
    assert.deepEqual((await owner.get('/store/brands')).body, { brands: [] });
    const refused = await put(owner, { color: '#000000' });
    assert.deepEqual([refused.status, refused.body.code], [404, 'not_found']);
  }
});
