import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OrderFault, refusalOfFaults, stockFaults } from './order-faults.ts';

const sold: OrderFault = {
  code: 'product_unavailable',
  name: 'items[0].product_id',
  message: 'Sold.',
  productIds: ['p', 'p'],
};
const missing: OrderFault = { code: 'invalid_options', name: 'items[0].selected_options', message: 'Choose.' };
const mixed: OrderFault = { code: 'mixed_stores', name: 'items', message: 'Mixed.' };

test("the first fault in the error table's order gives the code, with the number of others", () => {
  const three = refusalOfFaults([mixed, missing, sold]);
  assert.equal(three.code, 'product_unavailable');
  assert.equal(three.message, 'Sold. There are 2 more errors, listed in errors.');
  assert.equal(refusalOfFaults([mixed, sold]).message, 'Sold. There is 1 more error, listed in errors.');
  assert.equal(refusalOfFaults([mixed]).message, 'Mixed.');
});

test('the ids at fault are listed once; options that are only missing list none, and have the member', () => {
  assert.deepEqual(refusalOfFaults([sold, missing]).extras.members, {
    invalid_product_ids: ['p'],
    invalid_option_ids: [],
  });
  const wrong = { ...missing, optionIds: ['o', 'o', 'q'] };
  assert.deepEqual(refusalOfFaults([wrong]).extras.members, { invalid_option_ids: ['o', 'q'] });
  assert.deepEqual(refusalOfFaults([mixed]).extras.members, {});
});

test('faults are listed whole up to half a million characters, and then how many more there are', () => {
  const long = { ...missing, message: 'm'.repeat(1000) };
  const few = refusalOfFaults(Array.from({ length: 400 }, () => long)).extras.errors ?? [];
  assert.deepEqual([few.length, few.at(-1)?.message], [400, long.message]);
  const refusal = refusalOfFaults([...Array.from({ length: 5000 }, () => long), sold]);
  const { errors = [], members } = refusal.extras;
  assert.ok(JSON.stringify(errors).length < 501_000);
  assert.equal(errors[0]?.message, 'Sold.');
  assert.equal(errors.at(-1)?.message, `At least ${5001 - (errors.length - 1)} more errors are not listed.`);
  assert.match(refusal.message, /There are 5000 more errors, some of them listed in errors\.$/);
  assert.deepEqual([refusal.code, members?.invalid_product_ids], ['product_unavailable', ['p']]);
});

test('a single error of any length is always listed', () => {
  const [first, more] = refusalOfFaults([{ ...sold, message: 'm'.repeat(600_000) }, mixed]).extras.errors ?? [];
  assert.deepEqual([first?.message.length, more?.message], [600_000, 'At least 1 more errors are not listed.']);
});

const product = (name: string, qtyAvailable: number | null) => [name, { name, qtyAvailable }] as const;
const PRODUCTS = new Map([product('few', 3), product('many', 1000), product('uncounted', null), product('none', 0)]);
const items = (...wanted: [string, number][]) => wanted.map(([productId, quantity]) => ({ productId, quantity }));
const faultNames = (...wanted: [string, number][]) => stockFaults(items(...wanted), PRODUCTS).map(({ name }) => name);

test('the fault names the item whose units are not all there, and the product', () => {
  assert.deepEqual(stockFaults(items(['many', 1], ['few', 4]), PRODUCTS), [
    {
      code: 'product_unavailable',
      name: 'items[1].quantity',
      message: 'Only 3 of "few" are left.',
      left: 3,
      productIds: ['few'],
    },
  ]);
});

test('items of one product share its stock, and have one fault together', () => {
  assert.deepEqual(faultNames(['few', 2], ['many', 1], ['few', 1]), []);
  assert.deepEqual(faultNames(['few', 2], ['many', 1], ['few', 2], ['few', 9], ['few', 1]), ['items[2].quantity']);
  assert.deepEqual(faultNames(['few', 4], ['few', 1], ['many', 1001]), ['items[0].quantity', 'items[2].quantity']);
});

test('uncounted stock never runs out; a product that is sold out or unknown isn’t a stock error', () => {
  assert.deepEqual(faultNames(['uncounted', 99], ['none', 1], ['unknown', 1]), []);
});
