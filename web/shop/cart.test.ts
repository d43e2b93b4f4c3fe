import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FinalQuote, FullQuote, Order } from '../../clients/typescript/src/main.ts';
import { deliveryRateFor } from '../../src/supply/pricing/price-order.ts';
import type { LineWeight } from '../../src/supply/pricing/weight.ts';
import { runs } from '../../test/runs.ts';
import {
  addLine,
  applyPrices,
  type Cart,
  type CartLine,
  cartOfOrder,
  changeLine,
  deliveryRate,
  hintsOf,
  KEPT_CART,
  lineCents,
  lineFaults,
  orderBody,
  priceKey,
  subtotalCents,
  unitsIn,
} from './cart.ts';

const STORE = {
  storeId: 's1',
  name: 'Lantern & Rye Diner',
  path: '/shop/s/lantern-rye-diner-s1',
  country: 'US' as const,
};
const PLACE = { address: '100 N Sangamon St, Chicago, IL 60607, USA', latitude: 41.88, longitude: -87.65 };
const PARTS = {
  streetNum: '100',
  streetName: 'N Sangamon St',
  aptNum: '4B',
  city: 'Chicago',
  state: 'IL',
  zipcode: '60607',
};

function line(changes: Partial<CartLine> = {}): CartLine {
  const plate = { lineId: 'l1', productId: 'p1', name: 'Two-egg plate', image: '', quantity: 1, unitCents: 1250 };
  return { ...plate, options: [{ optionId: 'o1', quantity: 1, name: 'Scrambled' }], notes: '', ...changes };
}

function cartOf(...lines: CartLine[]): Cart {
  let cart: Cart | undefined;
  for (const each of lines) cart = addLine(cart, STORE, each);
  assert.ok(cart);
  return cart;
}

test('the same item with the same choices is one line; other choices or notes are another', () => {
  const cart = cartOf(
    line(),
    line({ lineId: 'l2', quantity: 2 }),
    line({ lineId: 'l3', options: [] }),
    line({ lineId: 'l4', notes: 'no salt' }),
  );
  assert.deepEqual(
    cart.lines.map(({ lineId, quantity }) => [lineId, quantity]),
    [
      ['l1', 3],
      ['l3', 1],
      ['l4', 1],
    ],
  );
  assert.equal(unitsIn(cart.lines), 5);
  assert.equal(subtotalCents(cart.lines), 5 * 1250);
});

test('a cart is of one store: a line of another store begins a new one', () => {
  const other = addLine(cartOf(line()), { ...STORE, storeId: 's2' }, line({ lineId: 'l9' }));
  assert.deepEqual([other.store.storeId, other.lines.length], ['s2', 1]);
});

test('two tabs that change different lines lose nothing of each other', () => {
  const kept = cartOf(line(), line({ lineId: 'l2', productId: 'p2' }));
  const first = changeLine(kept, line({ quantity: 4 }));
  assert.ok(first);
  const second = changeLine(first, line({ lineId: 'l2', productId: 'p2', quantity: 0 }));
  assert.deepEqual(
    second?.lines.map(({ lineId, quantity }) => [lineId, quantity]),
    [['l1', 4]],
  );
  assert.equal(second && changeLine(second, line({ quantity: 0 })), undefined);
});

test('quantities and lines stay within an order’s limits', () => {
  assert.equal(cartOf(line({ quantity: 98 }), line({ quantity: 5 })).lines[0]?.quantity, 99);
  const lines = Array.from({ length: 120 }, (_, nth) => line({ lineId: `l${nth}`, notes: String(nth) }));
  const full = cartOf(...lines);
  assert.equal(full.lines.length, 100);
  assert.equal(addLine(full, STORE, line({ lineId: 'more', notes: 'more' })), full, 'so that the page can say it');
  assert.equal(addLine(full, STORE, line({ notes: '0' })).lines[0]?.quantity, 2);
});

test('the device’s stored cart reads back equal, and any other data as no cart', () => {
  const cart = { ...cartOf(line()), order: { orderId: 'o', orderKey: 'k' } };
  assert.ok(KEPT_CART.isValue(JSON.parse(JSON.stringify(cart))));
  const broken = [null, 7, 'cart', {}, [], { ...cart, lines: [] }, { ...cart, lines: [{}] }, { ...cart, order: {} }];
  for (const value of [...broken, { ...cart, store: null }, { ...cart, lines: [{ ...line(), quantity: '2' }] }]) {
    assert.equal(KEPT_CART.isValue(value), false, JSON.stringify(value));
  }
});

test('an order of the cart has its items, its door, its key and where to return', () => {
  const cart = { ...cartOf(line({ notes: 'no salt' })), notes: 'Ring twice', order: { orderId: 'o', orderKey: 'k' } };
  const terms = { place: PLACE, parts: PARTS, pickup: false, language: 'fr', returnUrl: 'https://shop.example/orders' };
  const { items, ...rest } = orderBody(cart, terms);
  assert.deepEqual(items, [
    {
      product_id: 'p1',
      quantity: 1,
      selected_options: [{ option_id: 'o1', quantity: 1 }],
      notes: 'no salt',
      substitution: { preference: 'store_choice' },
    },
  ]);
  assert.deepEqual(rest, {
    order_id: 'o',
    order_key: 'k',
    pickup: false,
    user_latitude: 41.88,
    user_longitude: -87.65,
    user_street_num: '100',
    user_street_name: 'N Sangamon St',
    user_apt_num: '4B',
    user_city: 'Chicago',
    user_state: 'IL',
    user_zipcode: '60607',
    user_dropoff_notes: 'Ring twice',
    user_language: 'fr',
    include_final_quote: true,
    checkout_return_url: 'https://shop.example/orders#order=o&key=k',
  });
  const pickup = orderBody({ ...cart, slotId: 'slot' }, { ...terms, pickup: true });
  assert.equal(pickup.user_latitude, undefined);
  assert.deepEqual([pickup.user_pickup_notes, pickup.scheduled_id], ['Ring twice', 'slot']);
  const dropOff = { where: 'leave_at_door', utensils: true, code: false } as const;
  assert.deepEqual(orderBody({ ...cart, dropOff }, terms).drop_off, dropOff);
  assert.ok(KEPT_CART.isValue({ ...cart, dropOff }) && !KEPT_CART.isValue({ ...cart, dropOff: { where: 'roof' } }));
});

test('a cart is priced again after priced changes, and not after notes', () => {
  const cart = cartOf(line());
  const terms = { place: PLACE, parts: PARTS, pickup: false, language: 'en', returnUrl: 'https://shop.example/orders' };
  const key = priceKey(cart, terms);
  const same = { ...cart, notes: 'Ring twice', substitution: 'refund' as const, lines: [line({ notes: 'no salt' })] };
  assert.equal(priceKey(same, { ...terms, parts: { ...PARTS, aptNum: '5' } }), key);
  for (const other of [cartOf(line({ quantity: 2 })), { ...cart, slotId: 'slot' }]) {
    assert.notEqual(priceKey(other, terms), key);
  }
  for (const other of [{ pickup: true }, { parts: { ...PARTS, zipcode: '60608' } }, { place: null }]) {
    assert.notEqual(priceKey(cart, { ...terms, ...other }), key);
  }
});

test('the quote’s prices replace the cart’s, and each changed price is named', () => {
  const { lines } = cartOf(line(), line({ lineId: 'l2', productId: 'p2', unitCents: 300, options: [] }));
  const items = [
    {
      product_id: 'p1',
      base_price: 1100,
      customizations: [
        {
          selected_options: [
            {
              price: 100,
              quantity: 2,
              customizations: [{ selected_options: [{ price: 50, quantity: 1, customizations: [] }] }],
            },
          ],
        },
      ],
    },
    { product_id: 'p2', base_price: 300, customizations: [] },
  ] as unknown as FinalQuote['items'];
  const priced = applyPrices(lines, { items });
  assert.deepEqual(
    priced.lines.map(({ unitCents }) => unitCents),
    [1400, 300],
  );
  assert.deepEqual(
    priced.changes.map(({ line: { name }, beforeCents }) => [name, beforeCents]),
    [['Two-egg plate', 1250]],
  );
  const same = applyPrices(priced.lines, { items });
  assert.equal(same.lines, priced.lines);
});

test('a refusal is said at the lines that it is about', () => {
  const { lines } = cartOf(
    line(),
    line({ lineId: 'l2', productId: 'p2' }),
    line({ lineId: 'l3', productId: 'p3' }),
    line({ lineId: 'l4', productId: 'p4' }),
  );
  const at = (name: string) => ({ in: 'body' as const, name, message: 'is wrong' });
  const faults = lineFaults(lines, {
    invalid_product_ids: ['p1', 'p2', 'p4'],
    errors: [at('items[0].product_id'), at('items[1].quantity'), at('items[2].selected_options'), at('items')],
  });
  assert.deepEqual(
    [...faults],
    [
      ['l1', 'gone'],
      ['l2', 'few'],
      ['l3', 'options'],
      ['l4', 'gone'],
    ],
  );
  assert.equal(lineFaults(lines, {}).size, 0);
});

test('hints say what is missing to the minimum, to no small-order fee and to the next delivery fee', () => {
  const quote = {
    order_minimum: 1500,
    small_order_fee: { minimum_order_value: 2000, small_order_fee_flat: 250, small_order_fee_percent: 0 },
    time_estimate: { scheduled: [] },
    delivery_fee: {
      delivery_fee_flat: 399,
      delivery_fee_percent: 0,
      threshold_fees: [
        { minimum_subtotal: 5000, delivery_fee_flat: 0, delivery_fee_percent: 0 },
        { minimum_subtotal: 3000, delivery_fee_flat: 199, delivery_fee_percent: 0 },
      ],
    },
  } as unknown as FullQuote;
  const hint = { toMinimum: 300, toNoSmallFee: 800, smallFeeCents: 250, toLowerFee: 1800, lowerFeeCents: 199 };
  assert.deepEqual(hintsOf(1200, quote), hint);
  assert.deepEqual([hintsOf(3000, quote).toLowerFee, hintsOf(3000, quote).lowerFeeCents], [2000, 0]);
  assert.equal(hintsOf(5000, quote).toLowerFee, 0);
});

const rates = fc.record({ flatCents: fc.nat({ max: 999 }), percent: fc.constantFrom(0, 5, 12.5) });
const thresholds = fc
  .tuple(rates, fc.nat({ max: 5000 }))
  .map(([rate, from]) => ({ ...rate, minimumSubtotalCents: from }));
const wire = ({ flatCents, percent }: { flatCents: number; percent: number }) => ({
  delivery_fee_flat: flatCents,
  delivery_fee_percent: percent,
});

test('the displayed delivery fee is the fee an order pays, and a hint names a lower one', () => {
  const fees = fc.record({ own: rates, slot: fc.option(rates), list: fc.array(thresholds, { maxLength: 4 }) });
  const property = fc.property(fees, fc.nat({ max: 6000 }), ({ own, slot, list }, subtotal) => {
    const quote = {
      order_minimum: 0,
      small_order_fee: { minimum_order_value: 0, small_order_fee_flat: 0, small_order_fee_percent: 0 },
      time_estimate: { scheduled: slot ? [{ id: 'slot', delivery_fee: wire(slot) }] : [] },
      delivery_fee: {
        ...wire(own),
        threshold_fees: list.map((one) => ({ ...wire(one), minimum_subtotal: one.minimumSubtotalCents })),
      },
    } as unknown as FullQuote;
    const paid = (cents: number) =>
      deliveryRateFor({ ...own, taxable: false, thresholds: list }, slot && { ...slot, taxable: false }, cents);
    const feeOf = (rate: { flatCents: number; percent: number }) =>
      rate.flatCents + Math.round((subtotal * rate.percent) / 100);
    const { flatCents, percent } = paid(subtotal);
    const shown = deliveryRate(quote, 'slot', subtotal);
    assert.deepEqual([shown.delivery_fee_flat, shown.delivery_fee_percent], [flatCents, percent]);
    const { toLowerFee, lowerFeeCents } = hintsOf(subtotal, quote, 'slot');
    if (toLowerFee === 0) return;
    assert.ok(lowerFeeCents < feeOf(paid(subtotal)));
    assert.equal(lowerFeeCents, feeOf(paid(subtotal + toLowerFee)));
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('items sold by weight are reordered in the product’s steps, or in the ordered amount', () => {
  const item = { name: 'Chicken', image: '', unit: 'lb', unit_price: 899, notes: '', selected_options: [] };
  const chicken = { ...item, product_id: 'p1', quantity: 1.5, total_price: 1349, substituted_for: null };
  const bananas = { ...item, product_id: 'p2', quantity: 1.101, pieces: 3, total_price: 990, substituted_for: null };
  const order = { items: [chicken, bananas] } as unknown as Order;
  const sold = { unit: 'lb', per: 1000, isByPiece: false, min: 1 } as const;
  const weights = new Map([
    ['p1', { ...sold, one: 250, max: 200 }],
    ['p2', { ...sold, one: 367, isByPiece: true, max: 99 }],
  ]);
  const shown = (weightOf?: (id: string) => LineWeight | undefined) =>
    cartOfOrder(order, STORE, () => '', weightOf)?.lines.map((line) => [
      line.quantity,
      line.weight?.one,
      line.weight?.max,
      lineCents(line),
    ]);
  assert.deepEqual(
    shown((id) => weights.get(id)),
    [
      [6, 250, 200, 1349],
      [3, 367, 99, 990],
    ],
  );
  assert.deepEqual(shown(), [
    [1, 1500, 1, 1349],
    [3, 367, 3, 990],
  ]);
});

test('an order can be repeated, without its substitutes', () => {
  const item = {
    name: 'Soup',
    image: '',
    quantity: 2,
    unit_price: 500,
    notes: '',
    selected_options: [],
    substituted_for: null,
  };
  const order = {
    items: [
      { ...item, product_id: 'p1', selected_options: [{ option_id: 'o1', quantity: 1, name: 'Large' }] },
      { ...item, product_id: 'p9', substituted_for: 'p2' },
    ],
  } as unknown as Order;
  const ids = ['l1', 'l2'];
  const cart = cartOfOrder(order, STORE, () => ids.pop() ?? '');
  assert.deepEqual(
    cart?.lines.map(({ productId, quantity, options }) => [productId, quantity, options.map(({ name }) => name)]),
    [
      ['p1', 2, ['Large']],
      ['p2', 2, []],
    ],
  );
});
