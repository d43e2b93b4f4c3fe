import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import fc from 'fast-check';
import { MAX_WRONG_CODES } from '../../src/supply/promotions/code-guesses.flow.ts';
import { bindPlatform, unbindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { AMOUNT_5, endPromotions, type GivenPromotion, givenPromotion } from '../given/promotions.ts';
import { givenStores } from '../given/stores.ts';
import { runs } from '../runs.ts';
import { assertShape, type Got, givenShopApp, HOME, openShop, SHOPPING } from './given-shop.ts';
import { profileOf } from './platform.ts';

const bounds = { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' };
const app = await givenShopApp([...SHOPPING, 'dev.ucp.shopping.discount'], bounds);
const plain = app.platform.publish('/plain', profileOf([], SHOPPING));
const products = [
  { id: 'pie', name: 'Pie', price: 900 },
  { id: 'tea', name: 'Tea', price: 333 },
  { id: 'none', name: 'None Left', price: 900, qty_available: 0 },
];
const [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
const items = await openShop(app, [storeId]);
after(() => app.close());
afterEach(() => endPromotions(app.service.deps.db));

const given = (promotion: Partial<GivenPromotion>) =>
  givenPromotion(app.service.deps.db, { terms: AMOUNT_5, ...promotion });
const line = (name: string, quantity = 1) => ({ item: { id: items[name] }, quantity });
const buyer = (phone: string) => ({
  first_name: 'Dana',
  last_name: 'Reyes',
  email: 'dana@example.com',
  phone_number: phone,
});
const delivery = { fulfillment: { methods: [{ type: 'shipping', destinations: [HOME] }] } };
const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
const withCodes = (...codes: string[]) => ({ discounts: { codes } });

const CARTS = '/carts';
const CHECKOUTS = '/checkout-sessions';
const WANTED = { [CARTS]: {}, [CHECKOUTS]: { buyer: buyer('+12125550142'), ...delivery } };
type Path = keyof typeof WANTED;
type Amount = { type: string; amount: number };
const amountOf = (totals: readonly Amount[], wanted: string) =>
  totals.filter(({ type }) => type === wanted).reduce((sum, { amount }) => sum + amount, 0);

/** Lines include their discounts: their subtotals, discounts and totals add up to the whole. */
function checkLines({ line_items: lines, totals }: { line_items: { totals: Amount[] }[]; totals: Amount[] }): void {
  const sum = (type: string) => lines.reduce((before, line) => before + amountOf(line.totals, type), 0);
  for (const type of ['subtotal', 'items_discount']) assert.equal(sum(type), amountOf(totals, type), type);
  assert.equal(sum('total'), sum('subtotal') + sum('items_discount'));
}

/** Checks the shape, and that discounts, allocations, lines and totals add up. */
function check({ status, body }: Got): void {
  assert.ok(status === 200 || status === 201, JSON.stringify(body));
  const name = body.id.startsWith('crt_') ? 'cart' : 'checkout';
  assertShape(`shopping/discount.json#/$defs/dev.ucp.shopping.${name}`, body);
  const { totals, line_items: lines, discounts: { applied } = { applied: [] } } = body;
  const details = totals.filter(({ type }: Amount) => type !== 'total');
  assert.equal(
    details.reduce((sum: number, { amount }: Amount) => sum + amount, 0),
    amountOf(totals, 'total'),
  );
  checkLines(body);
  const byPath = new Map<string, number>();
  for (const { amount, allocations } of applied) {
    assert.equal(
      allocations.reduce((sum: number, one: Amount) => sum + one.amount, 0),
      amount,
    );
    for (const one of allocations) byPath.set(one.path, (byPath.get(one.path) ?? 0) + one.amount);
  }
  for (const [nth, { totals: ofLine }] of lines.entries()) {
    assert.equal(amountOf(ofLine, 'items_discount') + (byPath.get(`$.line_items[${nth}]`) ?? 0), 0);
    byPath.delete(`$.line_items[${nth}]`);
  }
  const fee = totals.findIndex(({ type }: Amount) => type === 'fulfillment');
  assert.equal(amountOf(totals, 'discount') + (byPath.get(`$.totals[${fee}]`) ?? 0), 0);
  byPath.delete(`$.totals[${fee}]`);
  assert.deepEqual([...byPath], []);
}

const create = async (path: Path, body: object): Promise<Got> => {
  const got = await app.ask(path, { ...WANTED[path], ...body });
  if (got.body.id) check(got);
  return got;
};
const warnings = ({ body }: Got) =>
  body.messages
    .filter(({ code }: { code: string }) => code.startsWith('discount_code_'))
    .map(({ type, code, path }: Record<string, string>) => [type, code?.replace('discount_code_', ''), path]);
const refused = async (path: Path, body: object) => {
  const got = await create(path, body);
  assert.deepEqual(got.body.discounts.codes, (body as ReturnType<typeof withCodes>).discounts.codes);
  return warnings(got);
};

test('the profile names the extension of carts and checkouts', async () => {
  const { body } = await app.open('/.well-known/ucp');
  const [{ extends: parents }] = body.ucp.capabilities['dev.ucp.shopping.discount'];
  assert.deepEqual(parents, ['dev.ucp.shopping.cart', 'dev.ucp.shopping.checkout']);
});

test('a code applies in any letter case, in carts and checkouts, and a removed code leaves no trace', async () => {
  await given({ code: 'WELCOME5', title: 'Welcome' });
  for (const path of [CARTS, CHECKOUTS] as const) {
    const made = await create(path, { line_items: [line('None Left'), line('Pie')] });
    const bare = await app.ask(`${path}/${made.body.id}`, {}, { method: 'GET' });
    assert.equal('discounts' in bare.body, false);
    const { body } = await create(path, { line_items: [line('None Left'), line('Pie')], ...withCodes('welcome5') });
    assert.deepEqual(body.discounts.codes, ['welcome5']);
    const [{ title, amount, code, automatic, allocations }] = body.discounts.applied;
    const at = path === CARTS ? 1 : 0;
    assert.deepEqual(
      [title, amount, code, automatic, allocations],
      ['Welcome', 500, 'WELCOME5', undefined, [{ path: `$.line_items[${at}]`, amount: 500 }]],
    );
    assert.equal(amountOf(body.totals, 'items_discount'), -500);
    const read = await app.ask(`${path}/${body.id}`, {}, { method: 'GET' });
    assert.deepEqual([read.body.discounts, read.body.totals], [body.discounts, body.totals]);
    for (const removed of [{ discounts: { codes: [] } }, {}]) {
      const lines = [
        { id: 'li_1', ...line('None Left') },
        { id: 'li_2', ...line('Pie') },
      ];
      const put = { ...WANTED[path], line_items: lines, ...removed };
      const without = await app.ask(`${path}/${body.id}`, put, { method: 'PUT' });
      check(without);
      const { id: _, continue_url: _url, expires_at: _at, ucp: _ucp, ...same } = without.body;
      const { id: _id, continue_url: _own, expires_at: _own2, ucp: _own3, ...first } = bare.body;
      assert.deepEqual(same, first);
    }
  }
});

test('each refused code is a warning, never an error', async () => {
  await given({ code: 'SMALL', terms: { kind: 'amount', amountCents: 100 } });
  await given({ code: 'LARGE', terms: { kind: 'amount', amountCents: 200 } });
  await given({ code: 'MUCH', minimumSubtotalCents: 99_000 });
  await given({ code: 'SPENT', budgetCents: 100 });
  await given({ code: 'PAST', endsEpochS: 1 });
  const lines = { line_items: [line('Pie')] };
  for (const path of [CARTS, CHECKOUTS] as const) {
    const found = await refused(path, { ...lines, ...withCodes('SMALL', 'LARGE', 'large', 'MUCH', 'SPENT') });
    assert.deepEqual(found, [
      ['warning', 'combination_disallowed', '$.discounts.codes[0]'],
      ['warning', 'already_applied', '$.discounts.codes[2]'],
      ['warning', 'invalid', '$.discounts.codes[3]'],
      ['warning', 'expired', '$.discounts.codes[4]'],
    ]);
    assert.deepEqual(await refused(path, { ...lines, ...withCodes('PAST', 'no code!') }), [
      ['warning', 'invalid', '$.discounts.codes[0]'],
      ['warning', 'invalid', '$.discounts.codes[1]'],
    ]);
  }
});

test('a code that misses its minimum says how much of which items to add', async () => {
  await given({ code: 'TEAS', minimumSubtotalCents: 1000, items: { products: ['tea'] } });
  for (const path of [CARTS, CHECKOUTS] as const) {
    const { body } = await app.ask(path, { ...WANTED[path], line_items: [line('Tea', 2)], ...withCodes('TEAS') });
    const said = body.messages.map(({ content }: { content: string }) => content);
    assert.ok(said.includes('Add $3.34 more of Tea to use TEAS.'), said.join());
  }
});

test('a first order needs a known user: a cart has none, a checkout its phone’s', async () => {
  await given({ code: 'FIRST', firstOrder: true });
  const lines = { line_items: [line('Pie')], ...withCodes('FIRST') };
  assert.deepEqual(await refused(CARTS, lines), [['warning', 'user_not_logged_in', '$.discounts.codes[0]']]);
  const nobody = await app.ask(CHECKOUTS, { ...lines, ...pickup });
  const said = nobody.body.messages.map(({ content }: { content: string }) => content).join(' ');
  assert.match(said, /FIRST is for first orders\. We’ll check when you place yours\./);
  assert.deepEqual(warnings(nobody), [['warning', 'user_not_logged_in', '$.discounts.codes[0]']]);
  const known = { ...lines, buyer: buyer('+12125550199'), ...pickup };
  const first = await create(CHECKOUTS, known);
  assert.deepEqual(warnings(first), []);
  const { orderId } = await app.service.deps.db
    .selectFrom('ucpCheckouts')
    .select('orderId')
    .where('checkoutId', '=', first.body.id)
    .executeTakeFirstOrThrow();
  const placed = await app.post('/order/finalize', { order_id: orderId, payment_token: 'tok_visa' });
  assert.equal(placed.status, 200, placed.text);
  const done = await app.ask(`${CHECKOUTS}/${first.body.id}`, {}, { method: 'GET' });
  check(done);
  assert.deepEqual([done.body.status, done.body.discounts.applied[0].amount], ['completed', 500]);
  const bound = { profileUrl: app.profile, accountId: app.accountId, mode: 'sandbox', orders: 'handover' } as const;
  await bindPlatform(app.service.deps.db, bound, app.now());
  const read = await app.ask(`/orders/${orderId}`, {}, { method: 'GET', headers: { 'x-api-key': app.key } });
  await unbindPlatform(app.service.deps.db, bound);
  assertShape('shopping/order.json', read.body);
  checkLines(read.body);
  assert.equal(amountOf(read.body.line_items[0].totals, 'items_discount'), -500);
  assert.deepEqual(await refused(CHECKOUTS, known), [['warning', 'user_ineligible', '$.discounts.codes[0]']]);
});

test('a cart keeps its codes when it becomes a checkout, and on the shop’s page', async () => {
  await given({ code: 'WELCOME5' });
  await given({ terms: { kind: 'delivery', toCents: 0 } });
  const cart = await create(CARTS, { line_items: [line('Pie')], ...withCodes('welcome5') });
  assert.equal(amountOf(cart.body.totals, 'total'), 400);
  const checkout = await create(CHECKOUTS, { cart_id: cart.body.id });
  assert.deepEqual(checkout.body.discounts.codes, ['welcome5']);
  const [coded, free] = checkout.body.discounts.applied;
  assert.deepEqual([coded.code, free.automatic], ['WELCOME5', true]);
  assert.ok(free.amount > 0 && free.amount === -amountOf(checkout.body.totals, 'discount'));
  const { pathname, search } = new URL(cart.body.continue_url);
  const page = await app.open(pathname + search);
  assert.match(page.body, /"codes":\["WELCOME5"\]/);
  const hosted = await app.open(new URL(checkout.body.continue_url).pathname);
  assert.match(hosted.body, /remove-WELCOME5/);
});

test('a platform that does not speak of discounts sends no codes and is shown none', async () => {
  await given({ code: 'WELCOME5' });
  const sent = { line_items: [line('Pie')], ...withCodes('WELCOME5') };
  for (const path of [CARTS, CHECKOUTS] as const) {
    const { body } = await app.ask(path, { ...WANTED[path], ...sent }, { profile: plain });
    assert.equal('discounts' in body, false);
    assert.equal(amountOf(body.totals, 'items_discount'), 0);
    const bare = await app.ask(path, { ...WANTED[path], line_items: [line('Pie')] }, { profile: plain });
    assert.deepEqual(bare.body.totals, body.totals);
  }
});

test('allocations and totals add up for any cart and codes', async () => {
  await given({ code: 'ODD3', terms: { kind: 'percent', percent: 33.3 } });
  await given({ offeredBy: 'store', ownerId: storeId, terms: { kind: 'percent', percent: 7 } });
  await given({ code: 'AMOUNT', terms: { kind: 'amount', amountCents: 777 } });
  await given({ terms: { kind: 'delivery', amountCents: 1 } });
  const wanted = fc.record({
    lines: fc.uniqueArray(fc.tuple(fc.constantFrom('Pie', 'Tea', 'None Left'), fc.integer({ min: 1, max: 9 })), {
      selector: ([name]) => name,
      minLength: 1,
    }),
    codes: fc.subarray(['ODD3', 'amount', 'ODD3', '?']),
  });
  await fc.assert(
    fc.asyncProperty(wanted, async ({ lines, codes }) => {
      const body = { line_items: lines.map(([name, quantity]) => line(name, quantity)), ...withCodes(...codes) };
      const cart = await create(CARTS, body);
      const checkout = await create(CHECKOUTS, body);
      if (!cart.body.id) return;
      assert.equal(
        amountOf(cart.body.totals, 'items_discount'),
        amountOf(checkout.body.totals, 'items_discount'),
        'a cart has the discounts of its checkout',
      );
    }),
    { numRuns: runs(10) },
  );
});

test('over MCP alike; too many codes are a fault of the request', async () => {
  await given({ code: 'WELCOME5' });
  const made = await app.tool('create_cart', { cart: { line_items: [line('Pie')], ...withCodes('WELCOME5', 'NOPE') } });
  check(made);
  assert.equal(made.body.discounts.applied[0].amount, 500);
  assert.deepEqual(warnings(made), [['warning', 'invalid', '$.discounts.codes[1]']]);
  const cleared = await app.tool('update_cart', { id: made.body.id, cart: { line_items: [line('Pie')] } });
  assert.equal('discounts' in cleared.body, false);
  const many = await app.ask(CARTS, { line_items: [line('Pie')], ...withCodes(...'ABCDEFGHIJK') });
  assert.deepEqual([many.status, many.body.code], [400, 'invalid_request']);
});

test('guesses are limited, in carts too, and reading a cart guesses nothing', async () => {
  await app.advance({ hours: 2 });
  const lines = { line_items: [line('Pie')] };
  const { body: cart } = await app.ask(CARTS, lines);
  const guess = (code: string) => app.ask(`${CARTS}/${cart.id}`, { ...lines, ...withCodes(code) }, { method: 'PUT' });
  for (let nth = 0; nth < MAX_WRONG_CODES; nth += 1) assert.equal((await guess(`WRONG-${nth}`)).status, 200);
  for (let nth = 0; nth < 3; nth += 1) {
    const read = await app.ask(`${CARTS}/${cart.id}`, {}, { method: 'GET' });
    assert.deepEqual([read.status, read.body.discounts.codes], [200, [`WRONG-${MAX_WRONG_CODES - 1}`]]);
  }
  const over = await guess('WRONG-X');
  assert.deepEqual([over.status, over.body.code], [429, 'rate_limit_exceeded']);
  const kept = await app.ask(`${CARTS}/${cart.id}`, {}, { method: 'GET' });
  assert.deepEqual(kept.body.discounts.codes, [`WRONG-${MAX_WRONG_CODES - 1}`], 'what was refused is not kept');
});
