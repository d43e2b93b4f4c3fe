import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Food } from '../../supply/catalog/food.ts';
import type { CatalogProduct, Customization, Option } from '../../supply/catalog/product.ts';
import type { QuotedItem } from '../order/order.ts';
import { highestMarkedCents, substituteFor, substitutePrice } from './substitute.ts';

const option = (id: string, price: number, rest: Partial<Option> = {}): Option => ({
  id,
  name: id,
  price,
  defaultQty: 0,
  minQty: 0,
  maxQty: 1,
  conditionalPrice: {},
  customizations: [],
  ...rest,
});
const sauce = (options: Option[]): Customization => ({
  id: 'sauce',
  name: 'Sauce',
  minChoiceOptions: 1,
  maxChoiceOptions: 1,
  options,
});

const TACO: CatalogProduct = {
  storeId: 'sto_1',
  productNo: 71,
  externalId: 'taco',
  categoryNo: 1,
  name: 'Taco',
  description: null,
  price: 700,
  pickupPrice: 600,
  originalPrice: 700,
  menuPrice: null,
  menuPickupPrice: null,
  image: 'https://img.example/t.png',
  thumbnailImage: null,
  unitSize: null,
  unitOfMeasurement: '',
  upcCode: null,
  isAlcoholic: false,
  taxClass: null,
  food: null,
  modes: { delivery: true, pickup: true },
  hours: null,
  categoryHours: [],
  optionCount: 2,
  minExtra: 40,
  available: true,
  qtyAvailable: null,
  removed: false,
  customizations: [sauce([option('mole', 90), option('plain', 40)])],
};
const COLA = { unitCents: 1000, markedUnitCents: 1100 } as QuotedItem;
const wanted = { mode: 'delivery', productId: 'token', storeClass: 'prepared_food', taxes: [] } as const;

test('a substitute gets its required options, the order’s fulfillment-type price, and the markup', () => {
  const plain = { id: 'plain', name: 'plain', defaultQty: 0, quantity: 1, priceCents: 40, markedPriceCents: 40 };
  assert.deepEqual(substituteFor(COLA, TACO, wanted), {
    productId: 'token',
    productNo: 71,
    externalId: 'taco',
    name: 'Taco',
    image: 'https://img.example/t.png',
    isAlcoholic: false,
    taxClass: 'prepared_food',
    customizations: [{ id: 'sauce', name: 'Sauce', options: [{ ...plain, customizations: [] }] }],
    unitCents: 740,
    markedUnitCents: 840,
  });
  assert.equal(substituteFor(COLA, TACO, { ...wanted, mode: 'pickup' }).unitCents, 640);
});

test('a substitute keeps its own food facts, and unknown ones stay unknown', () => {
  const food: Food = { allergens: ['milk'], mayContain: null, diets: null, nutrition: null, source: null };
  assert.deepEqual(substituteFor(COLA, { ...TACO, food }, wanted).food, { product: food, options: [] });
  assert.equal('food' in substituteFor(COLA, TACO, wanted), false);
});

test('a product whose required options cannot be chosen is no substitute, and the refusal says why', () => {
  const other = { ...sauce([]), id: 'dip', name: 'Dip' };
  const why = '"Sauce" needs at least 1 chosen option, not 0. "Dip" needs at least 1 chosen option, not 0.';
  assert.throws(
    () => substituteFor(COLA, { ...TACO, customizations: [sauce([]), other] }, wanted),
    (error: unknown) => {
      assert.ok(error instanceof Refusal);
      const sentence = `"Taco" cannot be a substitute as it is: ${why}`;
      assert.deepEqual([error.code, error.message], ['invalid_options', sentence]);
      return true;
    },
  );
});

test('a substitute’s unit costs no more than the original unit with the same markup, and never below zero', () => {
  const cents = fc.integer({ min: 0, max: 3000 });
  fc.assert(
    fc.property(cents, cents, cents, (unitCents, markedUnitCents, listCents) => {
      const price = substitutePrice({ unitCents, markedUnitCents }, listCents);
      assert.equal(price.unitCents, listCents < unitCents ? listCents : unitCents);
      const marked = price.unitCents - unitCents + markedUnitCents;
      assert.equal(price.markedUnitCents, marked < 0 ? 0 : marked);
    }),
  );
});

test('a substitute with higher taxes costs the customer no more than the original, taxes included', () => {
  const taxes = [
    { name: 'GST', percent: 5 },
    { name: 'PST', percent: 7, classes: ['candy' as const] },
  ];
  const milk = { unitCents: 1000, markedUnitCents: 1000, taxClass: 'grocery' as const };
  // 10.50 with its tax; 9.37 with 12 % is 10.4944, and a cent for each rounding.
  assert.equal(highestMarkedCents(milk, 'candy', taxes), 935);
  assert.equal(highestMarkedCents({ ...milk, taxClass: 'candy' }, 'grocery', taxes), 1000);
  const fudge = { ...TACO, customizations: [], price: 5000, taxClass: 'candy' as const };
  const price = substituteFor({ ...milk } as QuotedItem, fudge, { ...wanted, taxes });
  assert.deepEqual([price.unitCents, price.markedUnitCents, price.taxClass], [935, 935, 'candy']);
});
