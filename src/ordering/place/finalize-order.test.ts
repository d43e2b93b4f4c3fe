import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';

const shop = await givenPizzeria();
after(() => shop.close());

test('an unplaced order is stored, replaced, and placed by finalize at the price it was quoted', async (t) => {
  const body = orderBody(shop.tokens.Margherita, shop.card, { place_order: false, items: [shop.bigPie()] });
  const quoted = await shop.post('/order/order/v2', body);
  const orderId = quoted.body.order_id;
  await t.test('it is unplaced and nothing is charged', async () => {
    assert.deepEqual([quoted.body.order_placed, (await shop.orderOf(orderId)).status], [false, 'unplaced']);
    assert.deepEqual(await shop.chargesOf(orderId), []);
  });
  await t.test('its id in another request replaces it', async () => {
    const replaced = await shop.post('/order/order/v2', { ...body, order_id: orderId, driver_tip_cents: 300 });
    assert.deepEqual([replaced.body.order_id, replaced.body.final_quote.tip], [orderId, 300]);
  });
  await t.test(
    '409 quote_changed with the new quote once the total has changed; the same call again accepts it',
    async () => {
      const raised = pizzeria({ fees: { order_minimum: 500, sales_tax_percent: 10 } });
      await givenStores(shop, [raised]);
      const changed = await shop.post('/order/finalize', { order_id: orderId });
      assert.deepEqual([changed.status, changed.body.code], [409, 'quote_changed']);
      assert.equal(changed.body.final_quote.quote.sales_tax_cents, 250);
      const placed = await shop.post('/order/finalize', { order_id: orderId });
      assert.deepEqual(
        [placed.status, placed.body.order_placed, placed.body.final_quote.total_with_tip],
        [200, true, 3050],
      );
      const again = await shop.post('/order/finalize', { order_id: orderId });
      assert.deepEqual(again.body, placed.body);
      assert.equal((await shop.chargesOf(orderId)).length, 1);
      await givenStores(shop, [pizzeria()]);
    },
  );
  await t.test('409 for replacing a placed order', async () => {
    const late = await shop.post('/order/order/v2', { ...body, order_id: orderId });
    assert.deepEqual([late.status, late.body.code], [409, 'transition_not_allowed']);
  });
});

test('finalize adds missing fields, rejects differing ones, and names ignored ones', async (t) => {
  const whole = orderBody(shop.tokens.Soda, shop.card, {
    place_order: false,
    items: [{ product_id: shop.tokens.Soda, quantity: 4 }],
  });
  const { user_name, user_email, user_phone, user_id, payment_method_id, ...bare } = whole as Record<string, unknown>;
  const missing = { user_name, user_email, user_phone, user_id, payment_method_id };
  const quote = async (more: object = {}) => (await shop.post('/order/order/v2', { ...bare, ...more })).body.order_id;
  const finalize = (order_id: string, more: object = {}) => shop.post('/order/finalize', { order_id, ...more });
  const faultsOf = (reply: { body: { errors: { name: string }[] } }) => reply.body.errors.map(({ name }) => name);
  await t.test('missing fields are named and can then be added', async () => {
    const id = await quote();
    const refused = await finalize(id, { user_name });
    assert.deepEqual(
      [refused.status, faultsOf(refused)],
      [400, ['user_email', 'user_phone', 'user_id', 'payment_method_id']],
    );
    const placed = await finalize(id, missing);
    assert.deepEqual([placed.status, placed.body.order_placed], [200, true]);
    assert.equal((await shop.orderOf(id)).user_name, user_name);
    assert.equal((await shop.chargesOf(id)).length, 1);
  });
  await t.test('a token of the client library is saved and charged', async () => {
    const id = await quote({ user_name, user_email, user_phone });
    const token = { payment_token: 'tok_visa' };
    const refused = await finalize(id, token);
    assert.deepEqual([refused.status, faultsOf(refused)], [400, ['user_id']]);
    const placed = await finalize(id, { ...token, user_id });
    assert.deepEqual([placed.status, placed.body.order_placed], [200, true]);
  });
  await t.test('fields fixed by the quote may be repeated but not changed', async () => {
    const id = await quote(missing);
    const refused = await finalize(id, { ...missing, user_email: 'other@example.com', user_name: 'Another' });
    assert.deepEqual([refused.status, faultsOf(refused)], [400, ['user_name', 'user_email']]);
    const both = await finalize(id, { payment_token: 'tok_visa' });
    assert.deepEqual([both.status, faultsOf(both)], [400, ['payment_token']]);
    const named = await finalize(id, { ...missing, user_apt_num: '5B' });
    assert.deepEqual([named.status, named.headers['doorstep-warning']], [200, 'user_apt_num is ignored.']);
  });
  await t.test('a member that it does not take is named and ignored, whatever its value', async () => {
    for (const value of [5, ['5B'], { a: '5B' }, true]) {
      const others = { user_street_num: value, user_city: value, drop_off: value, metadata: value, items: value };
      const named = await finalize(await quote(missing), others);
      const names = Object.keys(others).map((name) => `${name} is ignored.`);
      assert.deepEqual([named.status, named.headers['doorstep-warning']], [200, names.join(' ')], String(value));
      const strict = await shop.post(
        '/order/finalize',
        { order_id: await quote(missing), ...others },
        { 'doorstep-strict': 'true' },
      );
      assert.deepEqual([strict.status, faultsOf(strict)], [400, Object.keys(others)]);
    }
  });
  await t.test('once placed, the same members are answered as it is, and others are refused', async () => {
    const id = await quote({ user_name, user_email, user_phone, user_id });
    const token = { payment_token: 'tok_visa' };
    assert.equal((await finalize(id, token)).status, 200);
    assert.equal((await finalize(id, token)).body.order_placed, true);
    const refused = await finalize(id, { payment_method_id });
    assert.deepEqual([refused.status, faultsOf(refused)], [400, ['payment_method_id']]);
    assert.equal((await shop.chargesOf(id)).length, 1);
  });
  await t.test('an address that the quote lacks is not taken, and the refusal says to quote again', async () => {
    const { user_street_num, user_street_name, user_city, user_state, user_zipcode, ...noAddress } = whole as Record<
      string,
      unknown
    >;
    const delivery = { ...noAddress, pickup: false, ...NEAR_DOOR };
    const id = (await shop.post('/order/order/v2', delivery)).body.order_id;
    const refused = await finalize(id);
    const message = 'is required: quote the order again with its order_id and an address';
    assert.deepEqual([refused.status, refused.body.errors[0]], [400, { in: 'body', name: 'user_street_num', message }]);
    const address = { user_street_num, user_street_name, user_city, user_state, user_zipcode };
    const quoted = await shop.post('/order/order/v2', { ...delivery, ...address, order_id: id });
    assert.equal(quoted.body.order_id, id);
    assert.equal((await finalize(id)).body.order_placed, true);
  });
  await t.test('a declined card can be replaced', async () => {
    const id = await quote({ user_name, user_email, user_phone, user_id });
    for (const card of ['4000000000000002', '4000000000009995']) {
      const declined = await finalize(id, { payment_method_id: await givenPaymentMethod(shop, card) });
      assert.deepEqual([declined.status, declined.body.code], [402, 'payment_declined']);
    }
    const both = await finalize(id, { payment_token: 'tok_visa', payment_method_id });
    assert.deepEqual([both.status, faultsOf(both)], [400, ['payment_token']]);
    assert.equal((await finalize(id, { payment_method_id })).body.order_placed, true);
  });
});

/**
 * The store's own drivers are expensive nearby, a courier is slow and cheap, and a marketplace is fast but has a
 * minimum.
 */
const PARTIES = {
  prep_minutes: [10, 20],
  parties: [
    {
      party: 'first',
      zones: [
        { radius_miles: 0.1, delivery_fee: { delivery_fee_flat: 1 } },
        { area: squareAround(0.02), delivery_fee: { delivery_fee_flat: 400 }, order_minimum: 1000 },
      ],
    },
    { party: 'courier', radius_miles: 5, prep_minutes: [30, 60], fees: { delivery_fee: { delivery_fee_flat: 100 } } },
    { party: 'third', radius_miles: 5, prep_minutes: [5, 10], fees: { order_minimum: 2000 } },
  ],
};
const SLOTS = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 0, capacity: null };
const PREFERENCES = ['first_available', 'fastest', 'first_party', 'cheapest'] as const;

/** A square around the pizzeria with this half side in degrees. */
function squareAround(half: number) {
  const { longitude = 0, latitude = 0 } = pizzeria() as { longitude?: number; latitude?: number };
  const corner = (east: number, north: number) => [longitude + east * half, latitude + north * half];
  return {
    type: 'Polygon',
    coordinates: [[corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)]],
  };
}

test('the preference chooses the party of a quote and of an order, with its fee, minimum, minutes and slots', async (t) => {
  await givenStores(shop, [pizzeria({ delivery: PARTIES, scheduling: SLOTS })]);
  const readQuote = async (query: object = {}) =>
    (
      await shop.get('/details/inventory', {
        store_id: shop.storeId,
        pickup: false,
        include_quote: true,
        ...NEAR_DOOR,
        ...query,
      })
    ).body.quote;
  const figuresOf = (quote: Awaited<ReturnType<typeof readQuote>>) => [
    ['first', 'third', 'courier'].filter((party) => quote[`${party}_party_quote`] ?? quote[`${party}_quote`]).join(),
    quote.delivery_fee.delivery_fee_flat,
    quote.time_estimate.scheduled[0].delivery_fee.delivery_fee_flat,
    quote.order_minimum,
    quote.time_estimate.maximum,
  ];
  await t.test('each quote comes from one delivery provider', async () => {
    const third = ['third', 299, 299, 2000, 12];
    assert.deepEqual(figuresOf(await readQuote()), third);
    assert.deepEqual(figuresOf(await readQuote({ quote_preference: 'fastest' })), third);
    assert.deepEqual(figuresOf(await readQuote({ quote_preference: 'first_party' })), ['first', 400, 400, 1000, 22]);
    assert.deepEqual(figuresOf(await readQuote({ quote_preference: 'cheapest' })), ['courier', 100, 100, 500, 62]);
    const far = { user_latitude: 40.79, user_longitude: -73.99, quote_preference: 'first_party' };
    assert.deepEqual(
      figuresOf(await readQuote(far)).slice(0, 2),
      ['third', 299],
      'the store itself does not come so far',
    );
  });
  await t.test('an order costs its quote’s price, and shows its preference and delivery provider', async () => {
    for (const preference of PREFERENCES) {
      const quote = await readQuote({ quote_preference: preference });
      const placed = await shop.place('Last Slice', { items: [shop.bigPie()], quote_preference: preference });
      const { delivery_fee_cents: fee, delivery_time_max: most } = placed.body.final_quote.quote;
      assert.deepEqual([fee, most], [quote.delivery_fee.delivery_fee_flat, quote.time_estimate.maximum], preference);
      const order = await shop.orderOf(placed.body.order_id);
      assert.deepEqual([order.quote_preference, order.delivery_party], [preference, figuresOf(quote)[0]]);
    }
  });
  await t.test('the minimum of the chosen zone holds', async () => {
    const few = await shop.place('Soda', {
      items: [{ product_id: shop.tokens.Soda, quantity: 3 }],
      quote_preference: 'first_party',
    });
    assert.deepEqual([few.status, few.body.code], [422, 'order_minimum_not_met']);
    const same = { items: [{ product_id: shop.tokens.Soda, quantity: 3 }], quote_preference: 'cheapest' };
    assert.equal((await shop.place('Soda', same)).status, 200);
  });
  await t.test('an unplaced order keeps its preference: finalizing quotes again by it', async () => {
    const quoted = await shop.place('Soda', {
      items: [shop.bigPie()],
      quote_preference: 'cheapest',
      place_order: false,
    });
    const dearer = structuredClone(PARTIES);
    Object.assign(dearer.parties[1] ?? {}, { fees: { delivery_fee: { delivery_fee_flat: 150 } } });
    await givenStores(shop, [pizzeria({ delivery: dearer, scheduling: SLOTS })]);
    const { order_id: orderId } = quoted.body;
    const changed = await shop.post('/order/finalize', { order_id: orderId });
    assert.deepEqual([changed.body.code, changed.body.final_quote.quote.delivery_fee_cents], ['quote_changed', 150]);
    assert.equal((await shop.post('/order/finalize', { order_id: orderId })).body.order_placed, true);
    assert.equal((await shop.orderOf(orderId)).delivery_party, 'courier');
  });
  await t.test('a cart costs the same as an order without a preference', async () => {
    const query = { query: JSON.stringify({ soda: 10 }), store_id: shop.storeId, pickup: false, ...NEAR_DOOR };
    const [cart] = (await shop.get('/search/cart', query)).body.carts;
    const order = { items: [{ product_id: shop.tokens.Soda, quantity: 10 }], place_order: false, driver_tip_cents: 0 };
    const { final_quote: quote } = (await shop.place('Soda', order)).body;
    assert.deepEqual(
      [cart.delivery_fee_cents, cart.order_minimum, cart.grand_total],
      [299, 2000, quote.total_with_tip],
    );
  });
  await t.test('the live switch covers all providers', async () => {
    const delivery = { ...PARTIES, accepting: false };
    await givenStores(shop, [pizzeria({ delivery, scheduling: SLOTS })]);
    assert.deepEqual(await readQuote(), { error: 'Delivery is currently unavailable for this store.' });
    await givenStores(shop, [pizzeria()]);
  });
});

test('a canceled order can’t be finalized; a placed one returns its status', async () => {
  const body = orderBody(shop.tokens.Margherita, shop.card, { place_order: false, items: [shop.bigPie()] });
  const { order_id } = (await shop.post('/order/order/v2', body)).body;
  const first = await shop.post('/order/finalize', { order_id });
  assert.deepEqual([first.body.order_placed, first.body.status], [true, 'awaiting_confirmation']);
  await shop.post(`/sandbox/orders/${order_id}/advance`, { event: 'confirm' });
  const again = await shop.post('/order/finalize', { order_id });
  assert.deepEqual([again.status, again.body], [200, { ...first.body, status: 'in_progress' }]);
  await shop.post(`/sandbox/orders/${order_id}/advance`, { event: 'cancel' });
  const canceled = await shop.post('/order/finalize', { order_id });
  assert.deepEqual([canceled.status, canceled.body.code], [409, 'transition_not_allowed'], canceled.text);
  assert.match(canceled.body.detail, /canceled/);
});
