import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';

const app = await givenOwnApp();
const operator = await givenConsole(app, null);
after(() => app.close());

const ADDRESS = { street_addr: '500 Canal St', city: 'New York', state: 'NY', zipcode: '10013', country: 'US' };
const NOODLES = {
  name: 'Corner Noodle House',
  type: 'restaurant',
  phone: '(212) 555-0142',
  address: ADDRESS,
  latitude: 40.7243,
  longitude: -74.0099,
  hours: { operational: 'Mo-Su 11:00-21:00' },
  pickup: { enabled: true, prep_minutes: [15, 25] },
  delivery: { enabled: true, party: 'first', radius_miles: 3, prep_minutes: [15, 25] },
  fees: { order_minimum: 1000, delivery_fee: { delivery_fee_flat: 299 }, sales_tax_percent: 8.875 },
};
const found = async (query: string) => {
  await app.catchUp();
  return (await app.get('/search/store/v3', { latitude: 40.7243, longitude: -74.0099, query })).body.stores;
};
const actions = async (target: string): Promise<string[]> =>
  (await operator.get('/operator/actions', { target })).body.actions.map(({ action }: { action: string }) => action);

test('a store that an operator adds is found by search, takes no orders before it has a menu, and is in the history', async () => {
  const { status, body, text } = await operator.post('/operator/stores', NOODLES);
  assert.equal(status, 200, text);
  assert.equal(body.merged_into, null);
  const [store] = await found('corner noodle');
  assert.deepEqual([store._id, store.phone_number, store.address.zipcode], [body.store_id, 12125550142, '10013']);
  assert.deepEqual([store.delivery_enabled, store.pickup_enabled], [true, true]);
  const place = { user_latitude: 40.7243, user_longitude: -74.0099, pickup: true, include_quote: true };
  const inventory = await app.get('/details/inventory', { store_id: body.store_id, ...place });
  assert.equal(inventory.body.quote_error.code, 'STORE_NOT_AVAILABLE');
  assert.deepEqual(await actions(body.store_id), ['store.create']);
  const { source } = (await operator.get(`/operator/stores/${body.store_id}`)).body;
  assert.equal(source, 'manual');
});

test('entered stores can be read and replaced; the code invites the owner to the console', async () => {
  const line = { ...NOODLES, name: 'Dumpling Corner', latitude: 40.73, longitude: -73.98 };
  const { store_id: storeId } = (await operator.post('/operator/stores', line)).body;
  const path = `/operator/stores/${storeId}/profile`;
  assert.deepEqual((await operator.get(path)).body, line);
  const changed = { ...line, name: 'Dumpling Palace', fees: { order_minimum: 2000 } };
  assert.equal((await operator.post(path, changed)).status, 200);
  assert.deepEqual((await operator.get(path)).body, changed);
  for (const query of ['dumpling palace', 'dumpling corner']) {
    const names = (await found(query)).map(({ name }: { name: string }) => name);
    assert.deepEqual([names.includes('Dumpling Palace'), names.includes('Dumpling Corner')], [true, false], query);
  }
  assert.deepEqual(await actions(storeId), ['store.set_profile', 'store.create']);
  const { code } = (await operator.post(`/operator/stores/${storeId}/invite`, {})).body;
  assert.match(code, /^\w{4}-\w{4}-\w{4}$/);
});

test('an added store sells its owner’s typed menu for pickup and delivery, also after the line is saved again', async () => {
  const line = {
    ...NOODLES,
    name: 'Menu Keeper',
    latitude: 40.7383,
    longitude: -73.9927,
    hours: { operational: '24/7' },
  };
  const added = await operator.post('/operator/stores', { ...line, terms: { commission: 15, tax: 'store' } });
  const { store_id: storeId } = added.body;
  const { terms } = (await operator.get(`/operator/stores/${storeId}/terms`)).body;
  assert.deepEqual([terms.length, terms[0].commission, terms[0].tax], [1, 15, 'store']);
  const owner = await givenStoreKey(app, storeId);
  const { body } = await owner.post('/store/menu/categories', { name: 'Soups', parent_id: null });
  const { category_id } = body.category;
  const size = { name: 'Size', min_choice_options: 1, options: [{ name: 'Small' }, { name: 'Large', price: 250 }] };
  const item = { name: 'Noodle soup', price: 1250, customizations: [size] };
  await owner.post('/store/menu/items', { category_id, item });
  const card = await givenPaymentMethod(app);
  const menu = async () => {
    await app.catchUp();
    const { categories } = (await app.get('/details/inventory', { store_id: storeId, pickup: true })).body;
    return categories;
  };
  const before = await menu();
  for (const name of ['Menu Keeper', 'Menu Keeper Two']) {
    const saved = await operator.post(`/operator/stores/${storeId}/profile`, { ...line, name });
    assert.equal(saved.status, 200, saved.text);
    assert.deepEqual(await menu(), before);
    const token = (await productTokens(app, storeId))['Noodle soup'];
    for (const pickup of [true, false]) {
      const placed = await app.post(
        '/order/order/v2',
        orderBody(token, card, { pickup, autofill_selected_options: true }),
      );
      assert.deepEqual([placed.status, placed.body.final_quote?.quote.subtotal], [200, 1250], placed.text);
    }
  }
  const after = (await operator.get(`/operator/stores/${storeId}/terms`)).body.terms;
  assert.deepEqual(after, terms, 'the line says nothing of terms');
});

test('the form rejects the same values as a feed, in the same words', async () => {
  const refused = async (changes: object) => {
    const { status, body } = await operator.post('/operator/stores', { ...NOODLES, ...changes });
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    return body.errors.map(({ name }: { name: string }) => name);
  };
  assert.deepEqual(await refused({ latitude: 48.85, longitude: 2.35 }), ['latitude, longitude']);
  assert.deepEqual(await refused({ hours: { operational: 'Mo-Su sunrise-sunset' } }), ['hours.operational']);
  assert.deepEqual(await refused({ fees: { order_minimum: -1 } }), ['fees.order_minimum']);
  assert.deepEqual(await refused({ delivery: { party: 'nobody' } }), ['delivery.party']);
  assert.deepEqual(await refused({ phone: '1' }), ['phone']);
  assert.deepEqual(await refused({ terms: { commission: 1.2345678 } }), ['terms.commission']);
  assert.equal((await operator.post('/operator/stores', { ...NOODLES, description: 'x'.repeat(70_000) })).status, 413);
  const other = await givenStore(app.service.deps.db, { external_id: 'of-a-feed' });
  const ofFeed = await operator.post(`/operator/stores/${other}/profile`, NOODLES);
  assert.deepEqual([ofFeed.status, ofFeed.body.code], [404, 'not_found']);
});

test('the address is geocoded; an unknown address is reported, and coordinates can be entered', async () => {
  const { body } = await operator.get('/operator/geocode', { address: '10013' });
  assert.equal(body.results[0].precision, 'postal_code');
  const none = await operator.get('/operator/geocode', { address: '1 Nowhere Rd, Nome, AK 99762' });
  assert.deepEqual([none.status, none.body.code], [422, 'address_not_found']);
});
