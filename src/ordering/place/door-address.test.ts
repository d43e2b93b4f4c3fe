import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenApp } from '../../../test/harness.ts';

/** Addresses of doors, from the order's body to the Order element. */

const shop = await givenPizzeria(givenApp);

const bodyOf = (changes: object) =>
  shop.bodyOf('Soda', { items: [{ product_id: shop.tokens.Soda, quantity: 4 }], place_order: false, ...changes });
const quote = (changes: object, headers = {}) => shop.post('/order/order/v2', bodyOf(changes), headers);

test('a region that is none is refused, and one by any of its names is kept as its code', async () => {
  for (const user_state of ['ZZ', 'Atlantis', 'x'.repeat(100)]) {
    const { status, body } = await shop.place('Soda', { user_state });
    assert.deepEqual([status, body.code, body.errors[0].name], [400, 'invalid_request', 'user_state'], user_state);
  }
  for (const user_state of ['New York', 'N.Y.', 'US-NY', 'ny']) {
    const placed = await quote({ user_state });
    assert.equal(placed.status, 200, placed.text);
    assert.equal((await shop.orderOf(placed.body.order_id)).user_state, 'NY');
  }
});

test('a delivery needs a house number, or a street that names its box or route', async () => {
  const place = (user_street_num: string, user_street_name: string) =>
    quote({ user_street_num, user_street_name, place_order: true });
  const refused = await place('', 'W 21st St');
  assert.deepEqual([refused.status, refused.body.errors[0].name], [400, 'user_street_num']);
  for (const [number, name] of [
    ['', 'RR 2 Box 15'],
    ['', 'One Apple Park Way'],
    ['N6W23001', 'Bluemound Rd'],
  ] as const) {
    const placed = await place(number, name);
    assert.equal(placed.status, 200, placed.text);
    const order = await shop.orderOf(placed.body.order_id);
    assert.deepEqual([order.user_street_num, order.user_street_name], [number, name]);
  }
});

test('a postal code or region far from the coordinate is named in a warning, and refused where strict', async () => {
  const far = { user_zipcode: '98101', user_state: 'WA' };
  const placed = await quote(far);
  assert.equal(placed.status, 200, placed.text);
  assert.equal(
    placed.headers['doorstep-warning'],
    'user_state is over 100 miles from user_latitude and user_longitude. user_zipcode is over 100 miles from user_latitude and user_longitude.',
  );
  const strict = await quote(far, { 'doorstep-strict': 'true' });
  assert.deepEqual([strict.status, strict.body.code, strict.body.errors.length], [400, 'invalid_request', 2]);
  const foreign = { user_state: 'Ontario', user_country: 'USA' };
  assert.match(
    String((await quote(foreign)).headers['doorstep-warning']),
    /^user_country does not have the user_state\./,
  );
  assert.equal((await quote(foreign, { 'doorstep-strict': 'true' })).status, 400);
  assert.equal((await quote({})).headers['doorstep-warning'], undefined);
});

test('a postal code or region far from where the street is found is named and refused as one far from the coordinate', async () => {
  const found = {
    user_latitude: undefined,
    user_longitude: undefined,
    user_street_num: '120',
    user_street_name: '5th Ave',
    user_zipcode: '10011',
  };
  const far = { ...found, user_state: 'WA' };
  const quoted = await quote(far);
  assert.equal(quoted.status, 200, quoted.text);
  assert.equal(quoted.headers['doorstep-warning'], 'user_state is over 100 miles from where the street was found.');
  const strict = await quote(far, { 'doorstep-strict': 'true' });
  assert.deepEqual([strict.status, strict.body.code, strict.body.errors.length], [400, 'invalid_request', 1]);
  assert.equal((await quote(found)).headers['doorstep-warning'], undefined);
});
