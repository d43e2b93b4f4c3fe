import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenAgent } from '../../../test/given/agent.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import type { Reply } from '../../../test/harness.ts';
import { dispatchAllEvents } from '../order/dispatch-events.flow.ts';

const TAXES = [
  { name: 'GST', percent: 5 },
  { name: 'QST', percent: 9.975 },
];
const FREE = { order_minimum: 0 };

const shop = await givenPizzeria();
const address = { street_addr: '1 rue Peel', city: 'Montréal', state: 'QC', zipcode: 'H3B 4G1', country: 'CA' };
const products = [{ id: 'poutine', name: 'Poutine', price: 1010 }];
const categories = [{ id: 'all', name: 'All', products }];
const [storeId = ''] = await givenStores(shop, [
  pizzeria({ external_id: 'casse-croute', name: 'Casse-croûte', address, categories, fees: { ...FREE, taxes: TAXES } }),
]);
const poutine = (await productTokens(shop, storeId)).Poutine ?? '';
const kitchen = await givenStoreKey(shop, storeId, shop.accountId);
const agent = await givenAgent(await shop.service.listen(), shop.key);
after(async () => {
  await agent.close();
  await shop.close();
});

const order = (quantity: number, changes: object = {}): Promise<Reply> =>
  shop.place('', { items: [{ product_id: poutine, quantity }], driver_tip_cents: 0, ...changes });
const named = (gst: number, qst: number) => [
  { name: 'GST', amount: gst },
  { name: 'QST', amount: qst },
];

test('each named tax is rounded once, and responses list it next to the sum', async (t) => {
  await t.test('the inventory’s quote contains the rates', async () => {
    const query = { store_id: storeId, pickup: false, include_quote: true, ...NEAR_DOOR };
    const { quote } = (await shop.get('/details/inventory', query)).body;
    assert.deepEqual([quote.sales_tax_percent, quote.taxes], [14.975, TAXES]);
  });
  await t.test('a cart has the amounts', async () => {
    const place = { user_latitude: NEAR_DOOR.user_latitude, user_longitude: NEAR_DOOR.user_longitude };
    const { body } = await shop.get('/search/cart', { query: '{"Poutine":1}', pickup: false, ...place });
    const [cart] = body.carts;
    assert.deepEqual([cart.sales_tax_cents, cart.taxes, cart.grand_total], [152, named(51, 101), 1162]);
  });
  await t.test('an order’s amounts agree in its response and element, and their sum is charged', async () => {
    // 5 % of 10.10 is 50.5 cents and 9.975 % is 100.7475; a combined rate would give 151.2475.
    const { final_quote: quote, order_id: orderId } = (await order(1)).body;
    assert.deepEqual([quote.quote.sales_tax_cents, quote.quote.taxes], [152, named(51, 101)]);
    assert.deepEqual([quote.added_fees.sales_tax_cents, quote.added_fees.taxes], [0, named(0, 0)]);
    const element = (await shop.orderOf(orderId)).final_quote.quote;
    assert.deepEqual([element.sales_tax_cents, element.taxes, element.total], [152, named(51, 101), 1162]);
    assert.deepEqual(
      (await shop.chargesOf(orderId)).map(({ amount }: { amount: number }) => amount),
      [1162],
    );
  });
  await t.test('the tax of a markup and of an added fee is rounded for each tax too', async () => {
    const receipt = { prices_marked: true, added_fee: { added_fee_flat: 100, is_added_fee_taxable: true } };
    const items = [{ product_id: poutine, quantity: 1, product_marked_price: 1120 }];
    const { final_quote: quote } = (await order(1, { items, email_receipt_specifications: receipt })).body;
    // Of 2.10: 10.5 and 20.9475 cents.
    assert.deepEqual([quote.added_fees.sales_tax_cents, quote.added_fees.taxes], [32, named(11, 21)]);
    assert.equal(quote.total_with_tip, 1120 + 152 + 100 + 32);
  });
  await t.test('an agent reads them next to sales_tax', async () => {
    const quote = await agent.ask('quote_order', { items: [{ product_id: poutine }], pickup: true, user_id: 'u1' });
    assert.deepEqual(quote.taxes, [
      { name: 'GST', amount_cents: 51, amount: '$0.51' },
      { name: 'QST', amount_cents: 101, amount: '$1.01' },
    ]);
    assert.deepEqual([quote.sales_tax_cents, quote.total_cents], [152, 1162]);
  });
  await t.test('a store that names no taxes has one, of the name that is usual where it is', async () => {
    const { final_quote: quote, order_id: orderId } = (await shop.place('Last Slice', { pickup: true })).body;
    const element = (await shop.orderOf(orderId)).final_quote.quote;
    for (const amounts of [quote.quote, quote.added_fees, element]) {
      assert.deepEqual(amounts.taxes, [{ name: 'Sales tax', amount: amounts.sales_tax_cents }]);
    }
  });
});

test('the page, the receipt by mail and the checkout name the taxes in the language of their reader', async () => {
  const { order_id: orderId, tracking_link: link } = (await order(1, { user_language: 'fr-CA' })).body;
  const page = await shop.get(`${new URL(link).pathname}${new URL(link).search}`);
  assert.match(page.text, /<th scope="row">TPS \(5\u00a0%\)<\/th><td>0,51\u00a0\$<\/td>/);
  assert.match(page.text, /<th scope="row">TVQ \(9,975\u00a0%\)<\/th><td>1,01\u00a0\$<\/td>/);
  const { messages } = (await shop.get('/sandbox/messages', { order_id: orderId })).body;
  const mail = messages.find(({ kind }: { kind: string }) => kind === 'order_confirmation');
  assert.match(mail.text, /TPS \(5\s%\)\W+0,51\s\$\s+TVQ \(9,975\s%\)\W+1,01\s\$/);

  const { checkout_url: url } = (await order(1, { place_order: false })).body;
  const rows = async (lang: string) => {
    const { text } = await shop.get(new URL(url).pathname, { lang });
    return [...text.matchAll(/<th scope="row">([^<]*%\))<\/th><td>([^<]*)<\/td>/g)].map(([, ...row]) => row);
  };
  assert.deepEqual(await rows('en'), [
    ['GST (5%)', '$0.51'],
    ['QST (9.975%)', '$1.01'],
  ]);
  assert.deepEqual(await rows('fr'), [
    ['TPS (5\u00a0%)', '0,51\u00a0$'],
    ['TVQ (9,975\u00a0%)', '1,01\u00a0$'],
  ]);
  assert.deepEqual(await rows('es'), await rows('en'));
});

test('the statement names the taxes of each line, day and total, refunds included, and its CSV has a column for each', async () => {
  const { order_id: orderId } = (await order(3)).body;
  await shop.step(orderId, 'confirm');
  await shop.post('/order/refund', { order_id: orderId, items: [{ index: 0, quantity: 1 }] });
  await dispatchAllEvents(shop.service.deps);
  const { body } = await kitchen.get('/store/statements');
  type Row = { order_id: string; taxes: number; tax_lines: { name: string; amount: number }[] };
  const lines: Row[] = body.lines.filter((line: Row) => line.order_id === orderId);
  assert.deepEqual(
    lines.map(({ taxes, tax_lines: named }) => [taxes, named]),
    [
      [454, named(152, 302)],
      [-151, named(-51, -100)],
    ],
  );
  const sumOf = (rows: readonly Row[], tax: string) =>
    rows
      .flatMap(({ tax_lines: each }) => each.filter(({ name }) => name === tax))
      .reduce((sum, { amount }) => sum + amount, 0);
  for (const { name, amount } of body.totals.tax_lines) {
    assert.deepEqual([sumOf(body.lines, name), sumOf(body.days, name)], [amount, amount]);
  }
  assert.equal(
    body.totals.tax_lines.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
    body.totals.taxes,
  );
  const [heads = '', ...rows] = (await kitchen.get('/store/statements.csv')).text.trimEnd().split('\r\n');
  assert.match(heads, /,tax: GST,tax: QST,tax_ids$/);
  assert.deepEqual(
    rows.filter((row) => row.includes(orderId)).map((row) => row.split(',').slice(-3, -1)),
    [
      ['1.52', '3.02'],
      ['-0.51', '-1.00'],
    ],
  );
});
