import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { PAYERS, type Payer } from '../pricing/promotion.ts';
import { presentPromotion, readPromotionBody } from './promotion-shape.ts';

/** Bodies against the table of bad inputs: each error is named, and valid values come back as sent. */

const units = fc.integer({ min: 1, max: 100 });
const amount = fc.integer({ min: 1, max: 100_000 });
const percent = fc.integer({ min: 1, max: 100_000_000 }).map((millionths) => millionths / 1_000_000);
const ids = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 4 });
const items = fc.record({ products: ids });
const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });

const terms = fc.oneof(
  fc.record({ kind: fc.constant('percent'), percent }),
  fc.record({ kind: fc.constant('percent'), percent, max_discount_cents: amount }),
  fc.record({ kind: fc.constant('amount'), amount_cents: amount, items }),
  fc.record({ kind: fc.constant('delivery'), to_cents: fc.constant(0) }),
  fc.record({ kind: fc.constant('delivery'), amount_cents: amount }),
  fc.record({ kind: fc.constant('buy_get'), buy: units, get: units, percent }),
  fc.uniqueArray(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 5 }).map((steps) => ({
    kind: 'spend',
    tiers: steps.toSorted((a, b) => a - b).map((step) => ({ minimum_subtotal: step * 2, amount_cents: step })),
  })),
);
/** Shares that add up to 100, in the order of payers. */
const shares = fc.integer({ min: 1, max: 99 }).map((first) => [
  { payer: 'store', percent: first },
  { payer: 'operator', percent: 100 - first },
]);
const conditions = some({
  title: fc.stringMatching(/^[A-Z][a-z]{1,20}$/),
  code: fc.stringMatching(/^[A-Z0-9-]{4,32}$/),
  minimum_subtotal: fc.nat(100_000),
  mode: fc.constantFrom('delivery', 'pickup'),
  stores: ids,
  country: fc.constantFrom('US', 'CA'),
  store_type: fc.constantFrom('restaurant', 'grocery'),
  first_order: fc.constant(true),
  new_store_days: fc.integer({ min: 1, max: 3650 }),
  starts_at: fc.nat(1_000_000),
  ends_at: fc.integer({ min: 2_000_000, max: 3_000_000 }),
  hours: fc.constant('Mo-Fr 14:00-17:00'),
  max_uses_per_user: fc.constant(1),
  budget_cents: fc.integer({ min: 1, max: 1_000_000_000 }),
});
const valid = fc
  .record({
    terms,
    conditions,
    funding: fc.option(shares, { nil: undefined }),
    maxUses: fc.integer({ min: 1, max: 1e9 }),
  })
  .map(({ terms, conditions, funding, maxUses }): JsonObject => {
    const funded = funding ? { funding } : {};
    // A pickup has no delivery fee.
    if (terms.kind === 'delivery') delete conditions.mode;
    // As it is read from JSON: fast-check makes objects without a prototype.
    return JSON.parse(JSON.stringify({ ...terms, ...conditions, max_uses: maxUses, ...funded }));
  });

const faultsOf = (body: JsonObject, offeredBy: Payer = 'operator') =>
  readPromotionBody(body, offeredBy).faults.map(({ path }) => path);

test('a valid body has no error, and its rendering parses to the same promotion', () => {
  fc.assert(
    fc.property(valid, (body) => {
      const { fields, faults } = readPromotionBody(body, 'operator');
      assert.deepEqual(faults, []);
      const shown = presentPromotion({ ...fields, promotionId: 'promo_1' });
      const { hours: _, ...sent } = body;
      for (const [name, value] of Object.entries(sent))
        assert.deepEqual(shown[name as keyof typeof shown], value, name);
      const again = readPromotionBody(shown as JsonObject, 'operator');
      assert.deepEqual(again, { fields, faults: [] });
    }),
    { numRuns: runs(2000) },
  );
});

const AMOUNT = { kind: 'amount', amount_cents: 500, max_uses: 10 };
const BUY = { kind: 'buy_get', buy: 1, get: 1, max_uses: 10 };
const PRICE = { kind: 'item_price', percent: 20, items: { products: ['soda'] } };
const share = (percent: number, payer = 'operator') => ({ payer, percent });
const tier = (minimum: number, amount: number) => ({ minimum_subtotal: minimum, amount_cents: amount });
const wrong = (body: JsonObject, name: string, values: unknown[]) =>
  values.map((value): [JsonObject, string] => [{ ...body, [name]: value }, name]);
const BAD: readonly [body: JsonObject, fault: string][] = [
  ...wrong({ kind: 'percent', max_uses: 10 }, 'percent', [0, 100.5, -1, 0.1234567, '20', Number.NaN]),
  ...wrong(AMOUNT, 'amount_cents', [0, 100_001, 1.5, '500', null]),
  ...wrong(AMOUNT, 'funding', [[share(99)], [share(50), share(50)], []]),
  [{ ...AMOUNT, funding: [{ payer: 'bank', percent: 100 }] }, 'funding[0].payer'],
  [{ ...AMOUNT, funding: [share(0, 'store'), share(100)] }, 'funding[0].percent'],
  [{ ...BUY, buy: 0 }, 'buy'],
  [{ ...BUY, get: 0 }, 'get'],
  [{ ...BUY, get_items: { products: ['soda'] } }, 'get_items'],
  [{ ...BUY, items: { products: ['soda', 'pie'] }, get_items: { products: ['pie'] } }, 'get_items'],
  [{ ...PRICE, code: 'CHEAP' }, 'code'],
  [{ ...PRICE, max_uses: 10 }, 'max_uses'],
  [{ ...PRICE, first_order: true }, 'first_order'],
  [{ ...PRICE, price_cents: 100 }, 'price_cents'],
  [{ kind: 'item_price', percent: 20 }, 'items'],
  [{ ...AMOUNT, starts_at: 200, ends_at: 200 }, 'ends_at'],
  [{ kind: 'amount', amount_cents: 500 }, 'max_uses'],
  [{ ...AMOUNT, code: 'ABC' }, 'code'],
  [{ ...AMOUNT, code: 'WEL_COME' }, 'code'],
  [{ ...AMOUNT, hours: 'never' }, 'hours'],
  [{ ...AMOUNT, hours: 'Dec 24 10:00-12:00' }, 'hours'],
  [{ ...AMOUNT, items: {} }, 'items'],
  [{ ...AMOUNT, items: { tax_classes: ['food'] } }, 'items.tax_classes[0]'],
  [{ ...AMOUNT, stores: [] }, 'stores'],
  [{ kind: 'spend', tiers: [], max_uses: 1 }, 'tiers'],
  [{ kind: 'spend', max_uses: 1, tiers: [tier(2000, 300), tier(1000, 400)] }, 'tiers'],
  [{ kind: 'delivery', max_uses: 1 }, 'to_cents'],
  [{ kind: 'delivery', to_cents: 0, mode: 'pickup', max_uses: 1 }, 'mode'],
  ...[{}, { Monday: null }, 'Mo-Fr 14:00-17:00; PH off'].map((hours): [JsonObject, string] => [
    { ...AMOUNT, hours },
    'hours',
  ]),
  [{ ...AMOUNT, max_discount_cents: 300 }, 'max_discount_cents'],
  [{ kind: 'percent', percent: 20, max_uses: 1, amount_cents: 500 }, 'amount_cents'],
  [{ kind: 'spend', tiers: [{ minimum_subtotal: 2, amount_cents: 1 }], max_uses: 1, percent: 5 }, 'percent'],
  [{ kind: 'delivery', to_cents: 100, max_uses: 1 }, 'to_cents'],
  [{ kind: 'points', max_uses: 1 }, 'kind'],
  [{ max_uses: 1 }, 'kind'],
];

test('each bad input is a fault with its path, and several are named together', () => {
  for (const [body, fault] of BAD) assert.ok(faultsOf(body).includes(fault), `${fault}: ${JSON.stringify(body)}`);
  const all = {
    ...BUY,
    percent: 0,
    buy: 0,
    get: 0,
    starts_at: 2,
    ends_at: 1,
    code: 'A',
    funding: [],
    items: {},
    max_uses: 0,
  };
  for (const name of ['percent', 'buy', 'get', 'ends_at', 'code', 'funding', 'items', 'max_uses']) {
    assert.ok(faultsOf(all).includes(name), name);
  }
});

test('promotions spend only their own payer’s money: a store its own, an account its own and its stores’', () => {
  const paidBy = (payer: Payer) => ({ ...AMOUNT, funding: [{ payer, percent: 100 }] });
  const allowed = PAYERS.map((owner) => PAYERS.filter((payer) => faultsOf(paidBy(payer), owner).length === 0));
  assert.deepEqual(allowed, [['store'], ['store', 'account'], ['store', 'account', 'operator']]);
  assert.deepEqual(faultsOf({ ...AMOUNT, stores: ['a'], country: 'US' }, 'store'), ['stores', 'country']);
  assert.deepEqual(faultsOf({ kind: 'amount', amount_cents: 500 }, 'store'), [], 'a store needs no limit');
});

test('any JSON is read without an exception', () => {
  const names = fc.constantFrom(
    ...'kind percent funding items get_items tiers hours code stores ends_at first_order budget_cents'.split(' '),
  );
  const hostile = fc.dictionary(
    names,
    fc.oneof(fc.jsonValue(), fc.constantFrom('item_price', 'spend', 'buy_get', 'delivery')),
  ) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(hostile, fc.constantFrom(...PAYERS), (body, offeredBy) => {
      const { fields, faults } = readPromotionBody(body, offeredBy);
      if (faults.length === 0) presentPromotion({ ...fields, promotionId: 'promo_1' });
    }),
    { numRuns: runs(3000) },
  );
});
