import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { ItemAdjustment, Order, QuotedItem, Substitute } from '../order/order.ts';
import {
  adjustItem,
  handedOver,
  orderedItem,
  refuseNewAlcohol,
  refuseTooLate,
  refuseUnwantedSubstitute,
} from './adjust-item.ts';

/** An order of two colas, three teas and a free napkin at 1000, 800 and 0 cents, without fees or tax. */
function givenOrder(adjustments: readonly ItemAdjustment[] = []): Order {
  const lines = [
    { priceCents: 1000, quantity: 2, markedPriceCents: null, taxClass: 'prepared_food' as const, customizations: [] },
    { priceCents: 800, quantity: 3, markedPriceCents: null, taxClass: 'prepared_food' as const, customizations: [] },
    { priceCents: 0, quantity: 4, markedPriceCents: null, taxClass: 'prepared_food' as const, customizations: [] },
  ];
  const noFee = { flatCents: 0, percent: 0, taxable: false };
  const fees = {
    ...DINNER.fees,
    deliveryFee: { ...noFee, thresholds: [] },
    serviceFee: { ...noFee, minCents: 0, maxCents: null },
    taxes: [],
  };
  const receipt = { pricesMarked: false, addedFee: noFee, miscFees: [] };
  const { order } = givenMessageContext({ ...DINNER, lines, fees, receipt, tipCents: 0 });
  const names = ['Cola', 'Tea', 'Napkin'];
  const items = order.quote.items.map((item, index) => ({ ...item, name: names[index] ?? '' }));
  return { ...order, adjustments, quote: { ...order.quote, items } };
}

const JUICE: Substitute = {
  productId: 'juice',
  productNo: 71,
  externalId: 'juice',
  name: 'Juice',
  image: null,
  isAlcoholic: false,
  taxClass: 'general',
  customizations: [],
  unitCents: 700,
  markedUnitCents: 700,
};
const fewer = (index: number, quantity: number): ItemAdjustment => ({ index, quantity, substitute: null });

const refusedWith = (code: string, sentence: string) => (error: unknown) => {
  assert.ok(error instanceof Refusal);
  assert.deepEqual([error.code, error.message], [code, sentence]);
  return true;
};

test('an item is handed over as it was ordered, in fewer units, or as units of a substitute', () => {
  const order = givenOrder([fewer(1, 2), { index: 0, quantity: 1, substitute: JUICE }]);
  assert.deepEqual(
    [0, 1, 2, 3].map((index) => handedOver(order, index)),
    [
      { productNo: 71, quantity: 1 },
      { productNo: null, quantity: 2 },
      { productNo: null, quantity: 4 },
      { productNo: null, quantity: 0 },
    ],
  );
});

test('the event names each replaced item, its substitute, the side and the amount saved', () => {
  const { changed, lessCents, order } = adjustItem(
    givenOrder(),
    { index: 1, quantity: 2, substitute: JUICE },
    'session',
  );
  const said = {
    product_id: 'juice',
    name: 'Juice',
    quantity: 2,
    from_quantity: 3,
    ordered_quantity: 3,
    substituted_for: 'Tea',
  };
  const data = { index: 1, by: 'session', less_cents: 1000, ...said };
  assert.deepEqual([changed, lessCents], [data, 1000]);
  const next = adjustItem(order, fewer(0, 1), 'key');
  assert.deepEqual(next.changed, {
    index: 0,
    by: 'key',
    less_cents: 1000,
    product_id: 'p0',
    name: 'Cola',
    quantity: 1,
    from_quantity: 2,
    ordered_quantity: 2,
    substituted_for: null,
  });
});

test('an order keeps one adjustment per item, in item order, and none for an item as ordered', () => {
  const indexes = ({ adjustments }: Order) => adjustments.map(({ index, quantity }) => [index, quantity]);
  let order = givenOrder();
  for (const [index, quantity] of [
    [2, 3],
    [0, 1],
    [1, 2],
    [1, 1],
  ] as const) {
    ({ order } = adjustItem(order, fewer(index, quantity), 'key'));
  }
  assert.deepEqual(indexes(order), [
    [0, 1],
    [1, 1],
    [2, 3],
  ]);
  const free = { ...JUICE, unitCents: 0, markedUnitCents: 0 };
  const replaced = adjustItem(order, { index: 2, quantity: 4, substitute: free }, 'key').order;
  assert.equal(replaced.adjustments[2]?.substitute, free, 'all units of a substitute are not what was ordered');
  assert.deepEqual(indexes(adjustItem(replaced, fewer(2, 4), 'key').order), [
    [0, 1],
    [1, 1],
  ]);
});

test('an adjustment that would raise the price is rejected with the difference', () => {
  const order = givenOrder([fewer(1, 1)]);
  const sentence = "This change would raise the order's total by $16.00. A refunded amount can't be charged again.";
  assert.throws(() => adjustItem(order, fewer(1, 3), 'key'), refusedWith('transition_not_allowed', sentence));
});

test('as many units as were ordered can be handed over, of an item that the order has', () => {
  const order = givenOrder();
  assert.deepEqual(
    [0, 2].map((quantity) => orderedItem(order, { index: 0, quantity }).name),
    ['Cola', 'Cola'],
  );
  const unknown = 'This order has no item 3. Items are numbered from 0.';
  assert.throws(() => orderedItem(order, { index: 3, quantity: 0 }), refusedWith('not_found', unknown));
  assert.throws(
    () => orderedItem(order, { index: 1, quantity: 4 }),
    (error: unknown) => {
      assert.ok(error instanceof Refusal);
      const fault = { in: 'body', name: 'quantity', message: 'must be at most 3, as ordered' };
      assert.deepEqual([error.code, error.extras.errors], ['invalid_request', [fault]]);
      return true;
    },
  );
});

test('the items of an order change until it has ended or has left its store', () => {
  const at = (status: Order['status'], driverStage: Order['driverStage'] = 'none') =>
    refuseTooLate({ ...givenOrder(), status, driverStage });
  at('awaiting_confirmation');
  at('in_progress');
  at('in_progress', 'assigned');
  const late = (state: string) =>
    refusedWith('transition_not_allowed', `The order is ${state}, so its items can no longer be changed.`);
  assert.throws(() => at('in_progress', 'picked_up'), late('with the driver'));
  assert.throws(() => at('completed'), late('completed'));
  assert.throws(() => at('canceled'), late('canceled'));
});

test('an alcoholic substitute replaces only an alcoholic item', () => {
  const of = (item: boolean | undefined, isAlcoholic: boolean) => {
    const ordered = { name: 'Cola', ...(item === undefined ? {} : { isAlcoholic: item }) } as QuotedItem;
    refuseNewAlcohol(ordered, { name: 'Beer', isAlcoholic });
  };
  of(true, true);
  of(true, false);
  of(false, false);
  of(undefined, false);
  const sentence = '"Beer" is alcoholic, and "Cola" is not: it cannot take its place.';
  for (const item of [false, undefined]) {
    assert.throws(() => of(item, true), refusedWith('transition_not_allowed', sentence));
  }
});

test('a substitute takes the place of an item as far as its customer agreed: none, those named, or any', () => {
  const named = (productNo: number, name: string) => ({ productNo, productId: name, name });
  const wants = (substitution: object | undefined, productNo: number) => {
    const order = givenOrder();
    const [cola] = order.quote.items as [QuotedItem];
    const items = [{ ...cola, namedSubstitutes: [named(5, 'Tea'), named(6, 'Juice')] }];
    const request = { ...order.request, items: [{ substitution }] } as unknown as Order['request'];
    refuseUnwantedSubstitute({ ...order, request, quote: { ...order.quote, items } }, 0, productNo);
  };
  wants({ preference: 'store_choice' }, 7);
  wants({ preference: 'specific' }, 5);
  wants({ preference: 'specific' }, 6);
  const refund = 'The customer chose a refund instead of a substitute for "Cola".';
  assert.throws(() => wants({ preference: 'refund' }, 5), refusedWith('transition_not_allowed', refund));
  assert.throws(() => wants(undefined, 5), refusedWith('transition_not_allowed', refund));
  const only = 'The customer accepts only "Tea", "Juice" as a substitute for "Cola".';
  assert.throws(() => wants({ preference: 'specific' }, 7), refusedWith('transition_not_allowed', only));
});
