import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { CARD } from '../../../test/given/orders.ts';
import { givenPizzeria, type Pizzeria } from '../../../test/given/pizzeria.ts';
import { adjustmentOf } from '../../../test/given/ticket.ts';
import { type Client, givenApp } from '../../../test/harness.ts';
import { lives } from '../../../test/lives/ledger-lives.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import type { OracleCart } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { presentStoreOrder } from '../../fulfillment/store-channels/present-store-order.ts';
import type { Order } from '../../ordering/order/order.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { repriceOrder } from '../../ordering/order/reprice-order.ts';

let shop: Pizzeria;
let store: Client;
let card: string;
/** A placed order as it is stored. */
let base: Order;
before(async () => {
  shop = await givenPizzeria(givenApp);
  store = await givenStoreKey(shop, shop.storeId, shop.accountId);
  const payment = { payment_method: CARD, user_email: 'ada.lovelace@example.com', user_id: USER };
  card = (await shop.post('/payment/create', payment)).body.payment_method_id;
  const body = await placeMarked();
  base = (await findAnyOrder(shop.service.deps.db, body.order_id)) ?? assert.fail('no order');
});

const USER = 'user-of-the-app';
const MARKED_CENTS = 987;
const seenBy = (order: Order) =>
  presentStoreOrder(order, { refunds: [], siteUrl: 'https://track.example' }, shop.now());

/** A delivery with everything that an account may add to an order. */
const placeMarked = async () => {
  const items = [{ product_id: shop.tokens.Soda, quantity: 4, product_marked_price: MARKED_CENTS }];
  const specifications = {
    prices_marked: true,
    added_fee: { added_fee_flat: 377, added_fee_percent: 0 },
    misc_fees: [{ fee_name: 'Membership', fee_amount: 121 }],
  };
  const { body, text } = await shop.place('Soda', {
    items,
    user_name: 'Ada King Lovelace',
    user_email: 'ada.lovelace@example.com',
    user_id: USER,
    payment_method_id: card,
    customer_order_id: 'basket-of-the-app',
    metadata: { campaign: 'spring-of-the-app' },
    email_receipt_specifications: specifications,
    include_final_quote: true,
  });
  assert.equal(body.order_placed, true, text);
  return body;
};

test('no answer to a store has the account’s prices, fees and notes, or the customer’s last name and email', async () => {
  const { order_id: orderId, final_quote: quote } = await placeMarked();
  const shown = ['King', 'Lovelace', 'ada.', 'of-the-app', 'Membership', 'profit', 'markup', 'added_fee', 'misc_fee'];
  const amounts = [MARKED_CENTS, 4 * MARKED_CENTS, 377, 121, quote.total_with_tip];
  const hidden = [
    ...shown,
    ...amounts.flatMap((cents) => [`:${cents},`, `${Math.trunc(cents / 100)}.${`${cents % 100}`.padStart(2, '0')}`]),
  ];
  const paths = [
    '/store/orders',
    `/console/orders/${orderId}/ticket?document=kitchen`,
    `/console/orders/${orderId}/ticket?document=receipt`,
    `/store/orders.csv?from=${shop.now().toString().slice(0, 10)}`,
  ];
  const steps = [
    await store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 }),
    await store.post(`/store/orders/${orderId}/items/0`, { quantity: 3 }),
    await store.post(`/store/orders/${orderId}/assign_driver`, { name: 'Bo', phone: 13125550123, vehicle_type: 'car' }),
  ];
  const answers = [...steps, ...(await Promise.all(paths.map((path) => store.get(path))))];
  for (const { status, text } of answers) {
    assert.equal(status, 200, text);
    for (const word of hidden) assert.ok(!text.includes(word), `${word} in ${text}`);
  }
});

test('a ticket is a page that only the console frames', async () => {
  const { order_id: orderId } = await placeMarked();
  const path = `/console/orders/${orderId}/ticket`;
  const { headers } = await store.get(path, { document: 'kitchen' });
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN');
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'self'/);
});

test('a store reads the customer as first name and last initial, with phone and door', async () => {
  const { order_id: orderId } = await placeMarked();
  const { body } = await store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 });
  const account = await shop.orderOf(orderId);
  assert.equal(body.user_name, 'Ada L.');
  for (const member of ['user_phone', 'user_street_num', 'user_street_name', 'user_latitude', 'user_dropoff_notes']) {
    assert.deepEqual(body[member], account[member], member);
  }
});

test('names of one word, of spaces and none are shown without an initial', () => {
  const nameOf = (customer: string) => {
    const request = { ...base.request, customer: { ...base.request.customer, name: customer } };
    return seenBy({ ...base, request }).user_name;
  };
  assert.deepEqual(['Ada', '  ', '', ' Ada  Lovelace '].map(nameOf), ['Ada', '', '', 'Ada L.']);
});

test('a marked-up order’s bag gets a receipt of the items without amounts, naming the place of the prices', async () => {
  const { order_id: orderId } = await placeMarked();
  const { text } = await store.get(`/console/orders/${orderId}/ticket?document=receipt`);
  assert.match(text, /Soda/);
  assert.match(text, /See your order page for prices/);
  assert.doesNotMatch(text, /\$\d/);
});

/** The substitute of this test has the class of the replaced item. */
const inOneClass = (cart: OracleCart): OracleCart => ({
  ...cart,
  lines: cart.lines.map((line) => ({
    ...line,
    taxClass: 'general',
    options: line.options.map((option) => ({ ...option, taxClass: null })),
  })),
});

test('the amounts of a StoreOrder add up in the store’s prices, whatever the account adds and the store lacks', () => {
  fc.assert(
    fc.property(carts.map(inOneClass), fc.nat({ max: 99 }), fc.boolean(), (cart, units, isReplaced) => {
      const { quote: priced } = givenMessageContext(orderOf(cart)).order;
      const [first] = priced.items;
      const [ordered] = base.request.items;
      if (!first || !ordered) return;
      const quote = { ...base.quote, ...priced, store: base.quote.store };
      const items = priced.items.map(({ quantity }) => ({ ...ordered, quantity }));
      const placed = { ...base, quote, request: { ...base.request, items }, chargedCents: quote.totalWithTipCents };
      const order = { ...placed, adjustments: [adjustmentOf(placed, units % (first.quantity + 1), isReplaced)] };
      const seen = seenBy(order);
      const { quote: amounts } = seen.final_quote;
      const itemsCents = seen.items.reduce((sum, { total_price: cents }) => sum + cents, 0);
      const fees = amounts.delivery_fee_cents + amounts.service_fee_cents + amounts.small_order_fee_cents;
      assert.equal(itemsCents, amounts.subtotal);
      assert.equal(amounts.subtotal + fees + amounts.sales_tax_cents, amounts.total);
      assert.equal(seen.total_with_tip, amounts.total + seen.driver_tip_cents);
      const tip = repriceOrder(order).totalWithTipCents === 0 ? 0 : seen.driver_tip_cents;
      assert.equal(seen.total_with_tip - seen.adjusted_amount, seen.store_part.total + tip);
    }),
    { numRuns: runs(1000) },
  );
});

test('a store sees refunds at its own prices under any account markup, and all of them after a full refund', () => {
  let all = 0;
  const property = fc.property(lives, ({ events }) => {
    let seen = 0;
    for (const { event, order } of events) {
      if (event.type !== 'order.refunded') continue;
      const { quote, addedTipCents, chargedCents, refundedCents } = order;
      const before = seen;
      seen = seenBy({ ...base, ...order, quote: { ...base.quote, ...quote, store: base.quote.store } }).refunded_amount;
      const { data } = event;
      if (data.items.length > 0 && data.kind === 'requested' && !quote.taxes.some(({ percent }) => percent !== 0)) {
        assert.equal(seen - before, data.shares.salesCents);
      }
      if (refundedCents < chargedCents) continue;
      all += 1;
      assert.equal(seen, quote.totalWithoutTipsCents + quote.tipCents + addedTipCents);
    }
  });
  fc.assert(property, { numRuns: runs(2000) });
  assert.ok(all > 10);
});

test('a store cancels again with 200; another side gets 409', async () => {
  const cancelAs = {
    store: (id: string) => store.post(`/store/orders/${id}/cancel`, { reason: 'store_closed' }),
    account: (id: string) => shop.post('/order/cancel', { order_id: id }),
  };
  for (const [first, second] of [
    ['store', 'account'],
    ['account', 'store'],
  ] as const) {
    const { order_id: orderId } = await placeMarked();
    for (const side of [first, first]) {
      const { status, body } = await cancelAs[side](orderId);
      assert.deepEqual([status, body.status], [200, 'canceled'], side);
    }
    const refused = await cancelAs[second](orderId);
    assert.deepEqual([refused.status, refused.body.code], [409, 'transition_not_allowed'], second);
  }
});
