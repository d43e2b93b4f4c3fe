import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { type OracleCart, oraclePrice } from '../../../test/oracles/price-oracle.ts';
import { priceOrder } from '../../supply/pricing/price-order.ts';
import type { Funding, PromotionTerms } from '../../supply/pricing/promotion.ts';
import { validCandidates } from '../../supply/pricing/promotions.ts';
import { isAlcohol, TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import { type CartTerms, type PricedCart, priceLines, sortCarts } from './sort-carts.ts';

const givenTerms = (orderMinimumCents = 0, deliveryCents = 0): CartTerms => ({
  mode: 'delivery',
  fees: {
    deliveryFee: { flatCents: deliveryCents, percent: 0, taxable: false, thresholds: [] },
    serviceFee: { flatCents: 0, percent: 0, minCents: 0, maxCents: null, taxable: false },
    pickupServiceFee: null,
    smallOrderFee: { minimumOrderCents: 0, flatCents: 0, percent: 0 },
    orderMinimumCents,
    taxes: [],
  },
  slotDeliveryFee: null,
  orderMinimumCents,
  taxClass: 'grocery',
});
const plain = (lineCents: readonly number[]) => ({ lineCents, taxCodes: [] });

function givenCart(storeId: string, lineCents: number[], { minimum = 0, fee = 0, miles = 1 } = {}): PricedCart {
  const cart = priceLines({ storeId, miles, terms: givenTerms(minimum, fee) }, plain(lineCents));
  assert.ok(cart);
  return cart;
}
const joinIds = (list: readonly PricedCart[]) => list.map(({ storeId }) => storeId).join(' ');

/** A cart's lines have the product's class. */
function withoutOptionClasses(cart: OracleCart): OracleCart {
  const lines = cart.lines.map((line) => ({
    ...line,
    options: line.options.map((option) => ({ ...option, taxClass: null })),
  }));
  return { ...cart, lines };
}

test('a cart costs the same as an order of its lines, to the cent', () => {
  fc.assert(
    fc.property(carts.map(withoutOptionClasses), (cart) => {
      const { mode, fees, lines } = orderOf({ ...cart, slot: null });
      const terms = { mode, fees, slotDeliveryFee: null, orderMinimumCents: 0, taxClass: 'candy' as const };
      const order = priceOrder({ ...orderOf({ ...cart, slot: null }), tipCents: 0 });
      const lineCents = order.lines.map(({ totalCents }) => totalCents);
      const codes = lines.map(({ taxClass }) => (taxClass === 'candy' ? 0 : 1 + TAX_CLASSES.indexOf(taxClass)));
      const taxCodes = codes.some((code) => code !== 0) ? codes : [];
      const priced = priceLines({ storeId: 's', miles: 0, terms }, { lineCents, taxCodes });
      if (lines.length === 0) return assert.equal(priced, undefined);
      assert.equal(priced?.price.totalWithoutTipsCents, Number(oraclePrice({ ...cart, slot: null }).totalWithoutTips));
    }),
  );
});

const cents = (max: number) => fc.integer({ min: 1, max });
const terms: fc.Arbitrary<PromotionTerms> = fc.oneof(
  fc.record({ kind: fc.constant('percent' as const), percent: fc.constantFrom(5, 12.5, 33.333333, 100) }),
  fc.record({ kind: fc.constant('percent' as const), percent: fc.constant(50), maxDiscountCents: cents(2000) }),
  fc.record({ kind: fc.constant('amount' as const), amountCents: cents(5000) }),
  fc.record({
    kind: fc.constant('spend' as const),
    tiers: fc.array(fc.record({ minimumSubtotalCents: cents(90_000), amountCents: cents(5000) }), { minLength: 1 }),
  }),
  fc.record({ kind: fc.constant('delivery' as const), amountCents: cents(600) }),
  fc.constant({ kind: 'delivery' as const, toCents: 0 as const }),
);
const fundings: readonly Funding[] = [
  [{ payer: 'operator', percent: 100 }],
  [
    { payer: 'store', percent: 33.3 },
    { payer: 'operator', percent: 66.7 },
  ],
];
const promotions = fc.array(
  fc.record({
    terms,
    funding: fc.constantFrom(...fundings),
    offeredBy: fc.constantFrom('store' as const, 'account' as const, 'operator' as const),
    minimumSubtotalCents: fc.constantFrom(0, 20_000),
    items: fc.constantFrom({}, { taxClasses: ['candy'] as const }),
    ends: fc.constantFrom(50, 200),
  }),
  { maxLength: 6 },
);

test('a cart with promotions costs the same as an order of its lines under all valid promotions', () => {
  fc.assert(
    fc.property(carts.map(withoutOptionClasses), promotions, fc.constantFrom('NY', 'TX'), (cart, offered, state) => {
      const order = orderOf({ ...cart, slot: null });
      const { mode, fees, lines } = order;
      const candidates = offered.map(({ items, ends, ...promotion }, at) => ({
        promotion: { ...promotion, promotionId: `p${at}`, firstOrder: false, listed: true, items, endsEpochS: ends },
      }));
      const place = {
        storeId: 's',
        type: 'grocery',
        country: 'US',
        state,
        timeZone: 'UTC',
        liveSinceEpochS: null,
      } as const;
      const when = { nowEpochS: 100, servedEpochS: 100 };
      const question = { candidates, codes: [], store: place, mode, deliveryOwner: 'store', ...when } as const;
      const items = lines.map(({ taxClass }) => ({
        externalId: '',
        categories: [],
        taxClass,
        isAlcoholic: isAlcohol({ isAlcoholic: false }, [taxClass]),
      }));
      const receipt = { ...order.receipt, pricesMarked: false };
      const priced = priceOrder({ ...order, receipt, tipCents: 0, promotions: { ...question, items } });
      const lineCents = priced.lines.map(({ totalCents }) => totalCents);
      const codes = lines.map(({ taxClass }) => (taxClass === 'candy' ? 0 : 1 + TAX_CLASSES.indexOf(taxClass)));
      const taxCodes = codes.some((code) => code !== 0) ? codes : [];
      const valid = { ...question, candidates: validCandidates(question) };
      const common = { mode, fees, slotDeliveryFee: null, orderMinimumCents: 0, taxClass: 'candy' as const };
      const found = priceLines(
        { storeId: 's', miles: 0, terms: { ...common, promotions: valid } },
        { lineCents, taxCodes },
      );
      assert.equal(found?.price.totalWithoutTipsCents, lines.length === 0 ? undefined : priced.totalWithoutTipsCents);
    }),
  );
});

test('full carts that meet the minimum come first, then full carts under it, then carts that lack fewest lines', () => {
  const list = [
    givenCart('lacks-two', [10, Infinity, Infinity]),
    givenCart('lacks-one', [50, 50, Infinity]),
    givenCart('lacks-one-cheaper', [40, 50, Infinity]),
    givenCart('under-minimum', [1, 1, 1], { minimum: 1000 }),
    givenCart('dear', [100, 100, 100], { fee: 900 }),
    givenCart('cheap', [200, 200, 200], { fee: 100 }),
  ];
  assert.equal(joinIds(sortCarts(list, { fullOnly: true, limit: 20 })), 'cheap dear under-minimum');
  const all = sortCarts(list, { fullOnly: false, limit: 20 });
  assert.equal(joinIds(all), 'cheap dear under-minimum lacks-one-cheaper lacks-one lacks-two');
  assert.equal(joinIds(sortCarts(list, { fullOnly: false, limit: 2 })), 'cheap dear');
});

test('of equal carts the nearest is first, then the lower store id', () => {
  const list = [
    givenCart('c', [5], { miles: 2 }),
    givenCart('b', [5]),
    givenCart('a', [5]),
    givenCart('d', [5], { miles: 0.5 }),
  ];
  assert.equal(joinIds(sortCarts(list, { fullOnly: true, limit: 20 })), 'd a b c');
});

test('a store with none of the lines has no cart, nor a cart above the maximum of an order', () => {
  const seller = { storeId: 's', miles: 0, terms: givenTerms() };
  assert.equal(priceLines(seller, plain([Infinity, Infinity])), undefined);
  assert.equal(priceLines(seller, plain([100_000_000_001])), undefined);
  assert.equal(priceLines(seller, plain([99_999_999_900_000_000])), undefined, 'more than a number holds exactly');
  assert.deepEqual(priceLines(seller, plain([100_000_000_000]))?.price.totalWithoutTipsCents, 100_000_000_000);
});
