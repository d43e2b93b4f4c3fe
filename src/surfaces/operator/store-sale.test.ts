import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { listActions } from '../../access/sessions/actions.db.ts';

const AT_STORE = { latitude: 40.7383, longitude: -73.9927 };

test('a delisted store is out of search and sale at once, whatever its feed says, and its record stays', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, storeId } = shop;
  const operator = await givenConsole(app, null);
  const found = async () => {
    await app.catchUp();
    const { body } = await client.get('/search/store/v3', { ...AT_STORE, maximum_miles: 5 });
    return body.stores.some(({ _id }: { _id: string }) => _id === storeId);
  };
  const token = (await productTokens(client, storeId)).Soda;
  const order = () => {
    const items = [{ product_id: token, quantity: 4 }];
    return client.post('/order/order/v2', orderBody(token, null, { items, charge_user: false }));
  };
  assert.equal(await found(), true);

  const delisted = await operator.post(`/operator/stores/${storeId}/delist`, { reason: 'The owner asked.' });
  assert.deepEqual([delisted.status, delisted.body.delist_reason], [200, 'The owner asked.'], delisted.text);
  assert.equal(await found(), false);
  assert.equal((await order()).body.code, 'quote_unavailable');
  // The feed lists it again, changed.
  await givenStores(app, [pizzeria({ description: 'Since 1990.' })]);
  assert.equal(await found(), false);
  assert.equal((await order()).body.code, 'quote_unavailable');

  const { body } = await operator.post(`/operator/stores/${storeId}/relist`, {});
  assert.deepEqual([body.delist_reason, body.listed], [null, true]);
  assert.equal(await found(), true);
  assert.equal((await order()).status, 200);
  const actions = await listActions(app.service.deps.db, { target: storeId, limit: 5 });
  assert.deepEqual(
    actions.map(({ action, details }) => [action, details]),
    [
      ['store.relist', {}],
      ['store.delist', { reason: 'The owner asked.' }],
    ],
  );
});

test('REQUIRE_AGREEMENT keeps a store from live orders until its feed or an operator says that it agreed', async (t) => {
  const shop = await givenLiveShop(t, undefined, { env: { REQUIRE_AGREEMENT: 'true' } });
  const { app, client, storeId } = shop;
  const operator = await givenConsole(app, null);
  const agreement = { signed_on: '2026-11-01', by: 'Lee Chen', reference: 'drawer 3' };
  const [agreedId = ''] = await givenStores(app, [pizzeria({ external_id: 'agreed', agreement })]);
  await givenChannel(app, agreedId);
  const accepted = async () => {
    await app.catchUp();
    const { body } = await client.get('/search/store/v3', { ...AT_STORE, maximum_miles: 5, accepting: true });
    return body.stores.map(({ _id }: { _id: string }) => _id);
  };
  const order = async (caller: typeof client, id: string) => {
    const token = (await productTokens(caller, id)).Soda;
    const items = [{ product_id: token, quantity: 4 }];
    return caller.post('/order/order/v2', orderBody(token, null, { items, charge_user: false }));
  };
  assert.deepEqual(await accepted(), [agreedId]);
  assert.equal((await order(client, storeId)).body.code, 'quote_unavailable');
  assert.equal((await order(app, storeId)).status, 200, 'sandbox orders need no agreement');
  assert.equal((await order(client, agreedId)).status, 200);
  const { stores_without_agreement: held } = (await operator.get('/operator/health')).body;
  assert.deepEqual(held, [{ store_id: storeId, store_name: pizzeria().name }]);
  assert.deepEqual((await operator.get(`/operator/stores/${agreedId}/settings`)).body.agreement, agreement);

  const path = `/operator/stores/${storeId}/agreement`;
  assert.equal((await operator.post(path, { signed_on: '2026-11-31', by: 'Lee Chen' })).status, 400);
  const set = await operator.post(path, { signed_on: '2026-11-02', by: 'Lee Chen' });
  assert.deepEqual(set.body.agreement, { signed_on: '2026-11-02', by: 'Lee Chen', reference: null });
  assert.equal((await order(client, storeId)).status, 200);
  assert.deepEqual((await accepted()).toSorted(), [storeId, agreedId].toSorted());
  assert.deepEqual((await operator.get('/operator/health')).body.stores_without_agreement, []);
});
