import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import { assertShape, BUYER, type Got, givenShopApp, HOME, openShop, SHOPPING } from './given-shop.ts';
import { profileOf } from './platform.ts';

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const products = [
  { id: 'beans', name: 'Plain Beans', price: 100, pickup_price: 90 },
  { id: 'pie', name: 'Plain Pie', price: 900 },
  { id: 'wine', name: 'Wine', price: 2000, is_alcoholic: true },
  { id: 'none', name: 'None Left', price: 900, qty_available: 0 },
];
const [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
const items = await openShop(app, [storeId]);
after(() => app.close());

const delivery = { fulfillment: { methods: [{ type: 'shipping', destinations: [HOME] }] } };
const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
const line = (name: string, quantity = 2) => ({ item: { id: items[name] }, quantity });

const SHAPE = 'shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout';
type Amounts = { type: string; amount: number }[];
function check({ status, body }: Got): void {
  assert.ok(status === 200 || status === 201, JSON.stringify(body));
  assertShape(SHAPE, body);
  const of = (wanted: string) => body.totals.filter(({ type }: Amounts[number]) => type === wanted);
  assert.deepEqual([of('subtotal').length, of('total').length], [1, 1]);
  const others = body.totals.filter(({ type }: Amounts[number]) => type !== 'total');
  assert.equal(
    others.reduce((sum: number, { amount }: Amounts[number]) => sum + amount, 0),
    of('total')[0].amount,
  );
  const lines = body.line_items.map(({ totals }: { totals: Amounts }) => totals[1]?.amount ?? 0);
  assert.equal(
    lines.reduce((sum: number, one: number) => sum + one, 0),
    of('subtotal')[0].amount,
  );
}
const create = async (body: object): Promise<Got> => {
  const got = await app.ask('/checkout-sessions', body);
  if (got.body.id) check(got);
  return got;
};
const codes = ({ body }: Got) => (body.messages ?? []).map(({ code, path }: Record<string, string>) => [code, path]);

test('a checkout without a place says where it must go; with one it is priced, and a person finishes it', async () => {
  const bare = await create({ line_items: [line('Plain Pie')] });
  assert.deepEqual([bare.status, bare.body.status], [201, 'incomplete']);
  assert.deepEqual(codes(bare)[0], ['missing', '$.fulfillment.methods[0].destinations']);
  assert.deepEqual(
    bare.body.totals.map(({ type, amount }: Amounts[number]) => [type, amount]),
    [
      ['subtotal', 1800],
      ['total', 1800],
    ],
  );
  const { id } = bare.body;
  const priced = await app.ask(
    `/checkout-sessions/${id}`,
    { line_items: [{ id: 'li_1', ...line('Plain Pie') }], buyer: BUYER, ...delivery },
    { method: 'PUT' },
  );
  check(priced);
  assert.equal(priced.body.status, 'requires_escalation', JSON.stringify(priced.body));
  assert.deepEqual(
    priced.body.messages
      .filter(({ type }: { type: string }) => type === 'error')
      .map(({ severity }: { severity: string }) => severity),
    ['requires_buyer_review'],
  );
  assert.ok(priced.body.totals.some(({ type }: Amounts[number]) => type === 'fulfillment'));
  const [method] = priced.body.fulfillment.methods;
  assert.deepEqual(
    [method.type, method.selected_destination_id, method.line_item_ids],
    ['shipping', 'dest_1', ['li_1']],
  );
  assert.equal(method.groups[0].selected_option_id, 'asap');
  assert.match(priced.body.continue_url, /\/checkout\//);
  const page = await app.open(new URL(priced.body.continue_url).pathname);
  assert.equal(page.status, 200, 'the hosted checkout');
  const read = await app.ask(`/checkout-sessions/${id}`, {}, { method: 'GET' });
  assert.deepEqual(read.body, priced.body);
});

test('a country is read as people write it, and a fault of the recipient is at the destination that names it', async () => {
  const to = async (more: object) => {
    const fulfillment = { methods: [{ type: 'shipping', destinations: [{ ...HOME, ...more }] }] };
    const got = await create({ line_items: [line('Plain Pie')], buyer: BUYER, fulfillment });
    return codes(got).filter(([code]: string[]) => /^(invalid|address_undeliverable)$/.test(code ?? ''));
  };
  const at = (member: string) => `$.fulfillment.methods[0].destinations[0].${member}`;
  assert.deepEqual(await to({ address_country: 'United States' }), []);
  for (const address_country of ['Germany', 'United Arab Emirates']) {
    assert.deepEqual(await to({ address_country }), [['address_undeliverable', at('address_country')]]);
  }
  assert.deepEqual(await to({ phone_number: '5550123' }), [['invalid', at('phone_number')]]);
  assert.deepEqual(await to({ first_name: 'Zoe', phone_number: '(212) 555-0123' }), []);
});

test('of members that are not known nothing is kept or shown', async () => {
  const odd = { number: '4242424242424242', evil: { a: 1 } };
  const methods = [{ type: 'shipping', destinations: [{ ...HOME, ...odd }], ...odd }];
  const body = { line_items: [line('Plain Pie')], buyer: { ...BUYER, ...odd }, fulfillment: { methods }, ...odd };
  const got = await create(body);
  assert.equal(got.body.fulfillment.methods[0].destinations[0].street_address, HOME.street_address);
  const { db } = app.service.deps;
  const rows = await db.selectFrom('ucpCheckouts').selectAll().where('checkoutId', '=', got.body.id).execute();
  assert.match(JSON.stringify(rows), /dana@example\.com/);
  for (const text of [JSON.stringify(got.body), JSON.stringify(rows)]) assert.doesNotMatch(text, /4242|evil/);
});

test('a price that the chosen method changes is shown, with a warning once', async () => {
  const given = { line_items: [line('Plain Beans')], buyer: BUYER };
  const warned = ({ body }: Got) => body.messages.filter(({ code }: { code: string }) => code === 'price_changed');
  const first = await create({ ...given, ...pickup });
  assert.deepEqual([first.body.line_items[0].item.price, first.body.totals[0].amount], [90, 180]);
  assert.deepEqual(
    warned(first).map(({ path }: { path: string }) => path),
    ['$.line_items[0].item.price'],
  );
  const lines = [{ ...line('Plain Beans'), id: first.body.line_items[0].id }];
  const again = await app.ask(
    `/checkout-sessions/${first.body.id}`,
    { ...given, ...pickup, line_items: lines },
    { method: 'PUT' },
  );
  check(again);
  assert.deepEqual([again.body.line_items[0].item.price, warned(again)], [90, []]);
});

test('as soon as possible comes first, then the next windows to choose from', async () => {
  const choose = (id?: string) => ({
    fulfillment: { methods: [{ type: 'pickup', ...(id ? { groups: [{ selected_option_id: id }] } : {}) }] },
  });
  const groupOf = ({ body }: Got) => body.fulfillment.methods[0].groups[0];
  const given = { line_items: [line('Plain Pie')], buyer: BUYER };
  const { options, selected_option_id: selected } = groupOf(await create({ ...given, ...choose() }));
  assert.deepEqual([options[0].id, selected], ['asap', 'asap']);
  assert.ok(options.length > 2 && options.length <= 25, `${options.length}`);
  const starts = options.map((option: { earliest_fulfillment_time: string }) =>
    Date.parse(option.earliest_fulfillment_time),
  );
  assert.deepEqual(starts.slice(1), starts.slice(1).toSorted());
  assert.ok(options.every(({ totals }: { totals: Amounts }) => totals.length === 1));
  const chosen = await create({ ...given, ...choose(options[2].id) });
  assert.equal(groupOf(chosen).selected_option_id, options[2].id);
  assert.deepEqual(groupOf(chosen).options, options);
});

test('a window that is gone is a recoverable fault at its choice', async () => {
  const methods = [{ type: 'pickup', groups: [{ selected_option_id: 'gone' }] }];
  const got = await create({ line_items: [line('Plain Pie')], buyer: BUYER, fulfillment: { methods } });
  const fault = got.body.messages.find(({ code }: { code: string }) => code === 'slot_unavailable');
  assert.deepEqual(
    [got.body.status, fault?.severity, fault?.path],
    ['incomplete', 'recoverable', '$.fulfillment.methods[0].groups[0].selected_option_id'],
    JSON.stringify(got.body.messages),
  );
});

test('a pickup has the store as its destination', async () => {
  const got = await create({ line_items: [line('Plain Pie')], buyer: BUYER, ...pickup });
  const [{ type, destinations, selected_destination_id: chosen }] = got.body.fulfillment.methods;
  assert.deepEqual(
    [type, destinations[0].id, destinations[0].type, chosen],
    ['pickup', storeId, 'business_location', storeId],
  );
  assert.equal(got.body.status, 'requires_escalation');
  const methods = [{ type: 'pickup', selected_destination_id: 'elsewhere' }];
  const at = `/checkout-sessions/${got.body.id}`;
  const moved = await app.ask(at, { line_items: [line('Plain Pie', 5)], fulfillment: { methods } }, { method: 'PUT' });
  const path = '$.fulfillment.methods[0].selected_destination_id';
  assert.deepEqual(codes(moved).at(-1), ['location_not_found', path]);
  assert.deepEqual(moved.body.line_items, got.body.line_items, 'nothing was changed');
});

test('a cart becomes one unfinished checkout, however often it is converted, and lives on', async () => {
  const cart = (await app.ask('/carts', { line_items: [line('Plain Pie', 3)] })).body;
  const first = await create({ cart_id: cart.id, line_items: [] });
  assert.deepEqual([first.status, first.body.line_items[0].quantity], [201, 3]);
  const again = await create({ cart_id: cart.id });
  assert.deepEqual([again.status, again.body.id], [200, first.body.id]);
  assert.equal((await app.ask(`/carts/${cart.id}`, {}, { method: 'GET' })).body.id, cart.id);
  const none = await create({ cart_id: 'crt_none' });
  assert.deepEqual([none.status, none.body.ucp.status, none.body.messages[0].code], [200, 'error', 'not_found']);
});

test('sold-out items stay with their error; a checkout without available items isn’t created', async () => {
  const some = await create({ line_items: [line('None Left'), line('Plain Pie')], buyer: BUYER, ...pickup });
  assert.equal(some.body.status, 'incomplete');
  assert.deepEqual(codes(some)[0], ['out_of_stock', '$.line_items[1]']);
  assert.equal(some.body.line_items[1].item.title, 'None Left');
  const none = await create({ line_items: [line('None Left')] });
  assert.deepEqual([none.status, none.body.id, none.body.messages[0].severity], [200, undefined, 'unrecoverable']);
});

test('an update without available items keeps its lines with their errors, and nothing is bought', async () => {
  const { body } = await create({ line_items: [line('Plain Pie')], buyer: BUYER, ...pickup });
  const at = `/checkout-sessions/${body.id}`;
  const given = { line_items: [line('None Left')], buyer: BUYER, ...pickup };
  const got = await app.ask(at, given, { method: 'PUT' });
  check(got);
  assert.deepEqual(
    [got.body.status, got.body.line_items[0].item.title, got.body.totals.at(-1).amount],
    ['incomplete', 'None Left', 0],
  );
  assert.deepEqual(codes(got), [['out_of_stock', '$.line_items[0]']]);
  const back = await app.ask(at, { ...given, line_items: [line('Plain Pie')] }, { method: 'PUT' });
  assert.deepEqual([back.body.status, back.body.totals], ['requires_escalation', body.totals]);
});

test('alcohol is for a person; several and unknown methods are rejected', async () => {
  const wine = await create({ line_items: [line('Wine')], buyer: BUYER, ...pickup });
  assert.equal(wine.body.status, 'requires_escalation');
  assert.ok(codes(wine).some(([code]: string[]) => code === 'age_verification_required'));
  const methods = [{ type: 'pickup' }, { type: 'shipping' }];
  const two = await create({ line_items: [line('Plain Pie')], fulfillment: { methods } });
  assert.ok(
    codes(two).some(
      ([code, path]: string[]) => code === 'multiple_methods_unsupported' && path === '$.fulfillment.methods[1]',
    ),
  );
  const other = await create({
    line_items: [line('Plain Pie')],
    buyer: BUYER,
    fulfillment: { methods: [{ type: 'curbside' }] },
  });
  assert.deepEqual([other.body.status, codes(other)[0]], ['incomplete', ['invalid', '$.fulfillment.methods[0].type']]);
});

test('once a person has placed it, the checkout is completed with its order', async () => {
  const cart = (await app.ask('/carts', { line_items: [line('Plain Pie')] })).body;
  const { body } = await create({ cart_id: cart.id, buyer: BUYER, ...pickup });
  const { db } = app.service.deps;
  const { orderId } = await db
    .selectFrom('ucpCheckouts')
    .select('orderId')
    .where('checkoutId', '=', body.id)
    .executeTakeFirstOrThrow();
  const card = { payment_token: 'tok_visa' };
  const placed = await app.post('/order/finalize', { order_id: orderId, ...card });
  assert.equal(placed.status, 200, placed.text);
  const done = await app.ask(`/checkout-sessions/${body.id}`, {}, { method: 'GET' });
  check(done);
  assert.deepEqual([done.body.status, done.body.order.id, done.body.continue_url], ['completed', orderId, undefined]);
  assert.match(done.body.order.permalink_url, /tracking_id=/);
  await app.advance({ seconds: 1 });
  assert.deepEqual(codes(await app.ask(`/carts/${cart.id}`, {}, { method: 'GET' })), [['not_found', undefined]]);
});

test('completing changes nothing and returns it with its link; after cancel it is over; others do not see it', async () => {
  const { body } = await create({ line_items: [line('Plain Pie')], buyer: BUYER, ...pickup });
  const at = `/checkout-sessions/${body.id}`;
  const keyless = await app.ask(`${at}/complete`, {});
  assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required']);
  const completed = await app.tool('complete_checkout', { id: body.id, checkout: {} }, { 'idempotency-key': 'c1' });
  assert.deepEqual([completed.body.status, completed.body.continue_url], ['requires_escalation', body.continue_url]);
  const other = app.platform.publish('/other', profileOf([], SHOPPING));
  const foreign = await app.ask(at, {}, { method: 'GET', profile: other });
  assert.deepEqual([foreign.status, foreign.body.messages[0].code], [200, 'not_found']);
  const canceled = await app.ask(`${at}/cancel`, {}, { headers: { 'idempotency-key': 'c2' } });
  check(canceled);
  assert.equal(canceled.body.status, 'canceled');
  const ended = await app.ask(at, { line_items: [line('Plain Pie')] }, { method: 'PUT' });
  assert.deepEqual([ended.status, ended.body.code], [409, 'session_ended']);
  assert.equal((await app.ask(at, {}, { method: 'GET' })).body.status, 'canceled');
});
