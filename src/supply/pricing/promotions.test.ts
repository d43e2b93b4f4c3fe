import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Fee,
  type Funding,
  type Offer,
  skipWorked,
  WORKED,
  type Worked,
} from '../../../test/given/worked-promotions.ts';
import { carts, orderOf as plainOrderOf } from '../../../test/oracles/carts.ts';
import { DISCOUNT_SOURCES } from '../../../test/reference/tax-sources.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { weeklyHours } from '../stores/hours.ts';
import type { Country } from '../stores/store.ts';
import { isAlcohol, type TaxClass, taxClassOf } from '../stores/tax-class.ts';
import { assumedPlaces, DISCOUNT_TAX_ROWS } from './discount-tax-table.ts';
import { type OrderPrice, type OrderToPrice, PLAIN_RECEIPT, priceOrder } from './price-order.ts';
import { type Discount, PAYERS, type Payer, type Promotion, type PromotionTerms } from './promotion.ts';
import type { Candidate, PromotionQuestion } from './promotions.ts';

const fundingOf = (shares: Funding) =>
  PAYERS.flatMap((payer) => (shares[payer] === undefined ? [] : [{ payer, percent: shares[payer] }]));

function termsOf({ slot, kind, percent = 100, amount = 0, buy = 1, get = 1, ...rest }: Offer): PromotionTerms {
  if (slot === 'delivery') return { kind: 'delivery', toCents: 0 };
  if (kind === 'amount') return { kind, amountCents: amount };
  if (kind === 'buy_get') return { kind, buy, get, percent };
  return {
    kind: 'percent',
    percent,
    ...(rest.max_discount === undefined ? {} : { maxDiscountCents: rest.max_discount }),
  };
}

const promotion = (own: Pick<Promotion, 'promotionId' | 'terms'> & Partial<Promotion>): Promotion => ({
  offeredBy: 'operator',
  funding: [{ payer: 'operator', percent: 100 }],
  firstOrder: false,
  listed: true,
  ...own,
});

function promotionsOf({ input }: Worked): Promotion[] {
  const ofMenu = input.lines.flatMap(({ item_price: lowered }, at) =>
    lowered
      ? [
          promotion({
            promotionId: `menu${at}`,
            offeredBy: 'store',
            terms: { kind: 'item_price', priceCents: lowered.price },
            funding: fundingOf(lowered.funding),
            items: { products: [`i${at}`] },
          }),
        ]
      : [],
  );
  const ofSlots = input.promotions.map((one) =>
    promotion({
      promotionId: one.id,
      offeredBy: one.slot === 'store' ? 'store' : 'operator',
      terms: termsOf(one),
      funding: fundingOf(one.funding),
      ...(one.code ? { code: one.code } : {}),
      ...(one.minimum_subtotal ? { minimumSubtotalCents: one.minimum_subtotal } : {}),
    }),
  );
  return [...ofMenu, ...ofSlots];
}

function orderOf(example: Worked, deliveryOwner = example.input.delivery_owner ?? 'store'): OrderToPrice {
  const { place, mode, lines, fees, taxes, tip } = example.input;
  const { delivery, service } = fees;
  const promotions = promotionsOf(example);
  const fee = ({ flat = 0, percent = 0 }: Fee) => ({ flatCents: flat, percent });
  return {
    mode,
    lines: lines.map(({ unit, base = unit, quantity, taxClass }) => ({
      priceCents: base,
      quantity,
      markedPriceCents: null,
      taxClass: taxClassOf(taxClass) ?? 'general',
      customizations: unit === base ? [] : optionOf(unit - base),
    })),
    fees: {
      deliveryFee: { ...fee(delivery), taxable: delivery.taxable ?? false, thresholds: [] },
      serviceFee: {
        ...fee(service),
        minCents: service.min ?? 0,
        maxCents: service.max ?? null,
        taxable: service.taxable ?? false,
      },
      pickupServiceFee: null,
      smallOrderFee: { minimumOrderCents: 0, flatCents: 0, percent: 0 },
      orderMinimumCents: 0,
      taxes,
    },
    slotDeliveryFee: null,
    tipCents: tip,
    receipt: PLAIN_RECEIPT,
    promotions: question({
      candidates: promotions.map((one) => ({ promotion: one })),
      codes: promotions.flatMap(({ code }) => code ?? []),
      store: { ...STORE, ...place },
      items: lines.map(({ taxClass }, at) => ({
        externalId: `i${at}`,
        categories: [],
        taxClass: taxClassOf(taxClass) ?? 'general',
        isAlcoholic: isAlcohol({ isAlcoholic: false }, [taxClassOf(taxClass)]),
      })),
      deliveryOwner,
      mode,
    }),
  };
}

function optionOf(priceCents: number): OrderToPrice['lines'][number]['customizations'] {
  const option = { id: 'o', name: 'o', priceCents, conditionalPrice: {}, defaultQty: 0, quantity: 1 };
  return [{ id: 'c', name: 'c', options: [{ ...option, markedPriceCents: null, customizations: [] }] }];
}

const STORE: PromotionQuestion['store'] = {
  storeId: 'sto_1',
  type: 'restaurant',
  country: 'US',
  state: 'NY',
  timeZone: 'America/New_York',
  liveSinceEpochS: null,
};

/** 2026-06-10, a Wednesday, at noon in New York. */
const NOON_S = Date.UTC(2026, 5, 10, 16) / 1000;

const question = (own: Partial<PromotionQuestion>): PromotionQuestion => ({
  candidates: [],
  codes: [],
  store: STORE,
  mode: 'delivery',
  items: [],
  deliveryOwner: 'store',
  nowEpochS: NOON_S,
  servedEpochS: NOON_S,
  ...own,
});

function summaryOf({ promotionId, slot, parts }: Discount) {
  const lines = parts.reduce<number[]>(
    (sums, { lineCents }) => lineCents.map((cents, at) => cents + (sums[at] ?? 0)),
    [],
  );
  const delivery = sumCents(parts.map(({ deliveryCents }) => deliveryCents));
  const paidBy = parts.map(({ payer, lineCents, deliveryCents }) => [payer, sumCents(lineCents) + deliveryCents]);
  return {
    id: promotionId,
    slot,
    amount: sumCents(lines) + delivery,
    lines,
    delivery,
    paid_by: Object.fromEntries(paidBy),
  };
}

test('the worked examples of the specification have its prices', { skip: skipWorked }, async (t) => {
  for (const example of WORKED)
    await t.test(example.name, () => {
      const { expected } = example;
      const price = priceOrder(orderOf(example));
      assert.deepEqual(
        (price.discounts ?? []).map(summaryOf),
        expected.discounts.map((one) => ({ delivery: 0, ...one })),
      );
      assert.deepEqual(
        {
          subtotal: price.subtotalCents,
          delivery: price.deliveryFeeCents,
          service: price.serviceFeeCents,
          sales_tax: price.salesTaxCents,
          discount_cents: price.discountCents,
          total_without_tips: price.totalWithoutTipsCents,
          total_with_tip: price.totalWithTipCents,
          taxes: price.taxes.map(({ cents }) => cents),
        },
        {
          subtotal: expected.subtotal,
          delivery: expected.delivery,
          service: expected.service,
          sales_tax: expected.sales_tax,
          discount_cents: expected.discount_cents,
          total_without_tips: expected.total_without_tips,
          total_with_tip: expected.total_with_tip,
          taxes: expected.taxes.map(({ cents }) => cents),
        },
      );
      assert.equal(price.rejectedCodes, undefined);
      if (expected.of_the_store !== undefined)
        assert.equal(priceOrder(orderOf(example, 'store')).salesTaxCents, expected.of_the_store);
    });
});

type BuyGet = Extract<PromotionTerms, { kind: 'buy_get' }>;

const PLAIN_FEES = { flatCents: 0, percent: 0 };
const DELIVERY_CENTS = 299;

type Line = { cents: number; quantity?: number; isAlcoholic?: boolean; categories?: string[]; taxClass?: TaxClass };

/** An order of delivery in New York without fees but the delivery's, and with its promotions. */
function quoteOf(
  lines: readonly Line[],
  candidates: readonly (Promotion | Candidate)[],
  { own = {}, ...order }: Partial<OrderToPrice> & { own?: Partial<PromotionQuestion> } = {},
): OrderPrice {
  const mode = own.mode ?? 'delivery';
  return priceOrder({
    mode,
    lines: lines.map(({ cents, quantity = 1, taxClass = 'prepared_food' }) => ({
      priceCents: cents,
      quantity,
      markedPriceCents: null,
      taxClass,
      customizations: [],
    })),
    fees: {
      deliveryFee: { flatCents: DELIVERY_CENTS, percent: 0, taxable: false, thresholds: [] },
      serviceFee: { ...PLAIN_FEES, minCents: 0, maxCents: null, taxable: false },
      pickupServiceFee: null,
      smallOrderFee: { ...PLAIN_FEES, minimumOrderCents: 0 },
      orderMinimumCents: 0,
      taxes: [],
    },
    slotDeliveryFee: null,
    tipCents: 0,
    receipt: PLAIN_RECEIPT,
    ...order,
    promotions: question({
      candidates: candidates.map((one) => ('promotion' in one ? one : { promotion: one })),
      items: lines.map(({ isAlcoholic = false, categories = [], taxClass = 'prepared_food' }, at) => ({
        externalId: `i${at}`,
        categories,
        taxClass,
        isAlcoholic,
      })),
      ...own,
      mode,
    }),
  });
}

const percentOff = (percent: number, own: Partial<Promotion> = {}) =>
  promotion({ promotionId: 'p', terms: { kind: 'percent', percent }, ...own });
const amountOff = (amountCents: number, own: Partial<Promotion> = {}) =>
  promotion({ promotionId: 'p', terms: { kind: 'amount', amountCents }, ...own });
const buyGet = (buy: number, get: number, own: Partial<BuyGet> = {}) =>
  promotion({ promotionId: 'p', offeredBy: 'store', terms: { kind: 'buy_get', buy, get, percent: 100, ...own } });

/** Each line's reduction. */
const cutsOf = ({ discounts = [] }: OrderPrice) => discounts.map((discount) => summaryOf(discount).lines);
const amountsOf = ({ discounts = [] }: OrderPrice) =>
  Object.fromEntries(discounts.map((discount) => [discount.promotionId, summaryOf(discount).amount]));

test('a code says why it does not apply', () => {
  const food: Line[] = [{ cents: 1000, categories: ['mains'] }];
  const cases: [string, Partial<Promotion>, Partial<PromotionQuestion>, Line[]?][] = [
    ['not_valid', { endsEpochS: NOON_S }, {}],
    ['not_yet', { startsEpochS: NOON_S + 1 }, {}],
    ['wrong_store', { stores: ['sto_2'] }, {}],
    ['wrong_store', { country: 'CA' }, {}],
    ['wrong_store', { storeType: 'grocery' }, {}],
    ['wrong_store', { newStoreDays: 30 }, { store: { ...STORE, liveSinceEpochS: NOON_S - 30 * 86_400 } }],
    ['wrong_mode', { mode: 'pickup' }, {}],
    ['wrong_mode', { terms: { kind: 'delivery', toCents: 0 } }, { mode: 'pickup' }],
    ['wrong_time', { hours: weeklyHours(() => [{ startMinute: 0, endMinute: 720 }]) }, {}],
    ['minimum_not_met', { minimumSubtotalCents: 1001 }, {}],
    ['no_matching_items', { items: { categories: ['drinks'] } }, {}],
    ['only_alcohol', {}, {}, [{ cents: 1000, isAlcoholic: true }]],
    ['only_alcohol', { terms: { kind: 'delivery', toCents: 0 } }, {}, [{ cents: 1000, isAlcoholic: true }]],
  ];
  for (const [reason, own, facts, lines = food] of cases) {
    const price = quoteOf(lines, [amountOff(100, { code: 'CODE', ...own })], { own: { codes: ['CODE'], ...facts } });
    assert.deepEqual(
      (price.rejectedCodes ?? []).map(({ code, reason: why }) => [code, why]),
      [['CODE', reason]],
      JSON.stringify(own),
    );
    assert.equal(price.discountCents, undefined);
  }
});

test('conditions hold from their first to their last moment, in the store’s time and for the slot', () => {
  const food: Line[] = [{ cents: 1000, categories: ['soups', 'mains'] }];
  const cases: [Partial<Promotion>, Partial<PromotionQuestion>][] = [
    [{ startsEpochS: NOON_S, endsEpochS: NOON_S + 1 }, {}],
    [{ stores: ['sto_2', 'sto_1'], country: 'US', storeType: 'restaurant', mode: 'delivery' }, {}],
    [{ newStoreDays: 30 }, { store: { ...STORE, liveSinceEpochS: NOON_S - 30 * 86_400 + 1 } }],
    [{ newStoreDays: 30 }, {}],
    [{ hours: weeklyHours(() => [{ startMinute: 720, endMinute: 721 }]) }, {}],
    [
      { hours: weeklyHours((day) => (day === 3 ? [{ startMinute: 720, endMinute: 721 }] : [])) },
      { servedEpochS: NOON_S + 86_400 },
    ],
    [{ minimumSubtotalCents: 1000 }, {}],
    [{ items: { categories: ['mains'] } }, {}],
    [{ items: { taxClasses: ['prepared_food'], products: ['other'] } }, {}],
    [{ items: { except: { products: ['other'] } } }, {}],
  ];
  for (const [own, facts] of cases)
    assert.equal(quoteOf(food, [amountOff(100, own)], { own: facts }).discountCents, 100, JSON.stringify(own));
  const excepted = { items: { categories: ['mains'], except: { products: ['i0'] } } };
  assert.equal(quoteOf(food, [amountOff(100, excepted)]).discountCents, undefined);
});

test('a minimum counts the menu prices of the promotion’s lines, and the missing amount is stated', () => {
  const lines: Line[] = [{ cents: 1000 }, { cents: 500 }, { cents: 2000, isAlcoholic: true }];
  const menu = promotion({
    promotionId: 'm',
    terms: { kind: 'item_price', priceCents: 800 },
    items: { products: ['i0'] },
  });
  const store = percentOff(50, { promotionId: 's', offeredBy: 'store' });
  const needs = (minimumSubtotalCents: number) =>
    quoteOf(lines, [menu, store, amountOff(100, { code: 'CODE', minimumSubtotalCents })], { own: { codes: ['CODE'] } });
  assert.deepEqual(amountsOf(needs(1300)), { s: 650, p: 100 });
  assert.deepEqual(needs(1301).rejectedCodes, [{ code: 'CODE', reason: 'minimum_not_met', missingCents: 1 }]);
  const tiers = [
    { minimumSubtotalCents: 1500, amountCents: 100 },
    { minimumSubtotalCents: 2000, amountCents: 500 },
  ];
  const spend = promotion({ promotionId: 'p', code: 'CODE', terms: { kind: 'spend', tiers } });
  const spent = (cents: number) => quoteOf([{ cents }], [spend], { own: { codes: ['CODE'] } });
  assert.deepEqual(spent(1499).rejectedCodes, [{ code: 'CODE', reason: 'minimum_not_met', missingCents: 1 }]);
  assert.deepEqual(
    [1500, 1999, 2000].map((cents) => spent(cents).discountCents),
    [100, 100, 500],
  );
  assert.deepEqual(
    [1999, 2000].map((cents) => spent(cents).discounts?.map(({ terms }) => terms)),
    tiers.map((tier) => [{ kind: 'spend', tiers: [tier] }]),
    'it says which tier counts',
  );
});

test('in a slot the largest discount wins, then an entered code, then the smaller id', () => {
  const lines = [{ cents: 1000 }];
  const codes = ['CODE'];
  const entered = (cents: number, own: Partial<Promotion> = {}) =>
    amountOff(cents, { promotionId: 'z', code: 'CODE', ...own });
  const larger = quoteOf(lines, [amountOff(200), entered(100)], { own: { codes } });
  assert.deepEqual(
    [amountsOf(larger), larger.rejectedCodes],
    [{ p: 200 }, [{ code: 'CODE', reason: 'better_offer_applied' }]],
  );
  const equal = quoteOf(lines, [amountOff(100), entered(100)], { own: { codes } });
  assert.deepEqual([amountsOf(equal), equal.rejectedCodes], [{ z: 100 }, undefined]);
  assert.deepEqual(amountsOf(quoteOf(lines, [amountOff(100, { promotionId: 'q' }), amountOff(100)])), { p: 100 });
  assert.deepEqual(amountsOf(quoteOf(lines, [entered(100)])), {});
});

test('unknown, repeated and removed codes leave no discount behind', () => {
  const lines = [{ cents: 1000 }];
  const coded = amountOff(100, { code: 'CODE' });
  const quote = (...codes: string[]) => quoteOf(lines, [coded], { own: { codes } });
  assert.deepEqual(quote('NONE', 'CODE', 'CODE').rejectedCodes, [
    { code: 'NONE', reason: 'not_valid' },
    { code: 'CODE', reason: 'duplicate' },
  ]);
  assert.equal(quote('CODE', 'CODE').discountCents, 100);
  assert.deepEqual(quote('CODE'), quote('CODE'));
  assert.deepEqual(quote(), { ...quoteOf(lines, []) });
});

test('limits and conditions on users refuse automatic promotions too, and the next largest applies', () => {
  const lines = [{ cents: 1000 }];
  const other = amountOff(100, { promotionId: 'q' });
  for (const candidate of [
    { promotion: amountOff(300), budgetLeftCents: 299 },
    { promotion: amountOff(300), refusedAs: 'used_up' as const },
    { promotion: amountOff(300), refusedAs: 'first_order_only' as const },
  ])
    assert.deepEqual(amountsOf(quoteOf(lines, [candidate, other])), { q: 100 });
  assert.deepEqual(amountsOf(quoteOf(lines, [{ promotion: amountOff(300), budgetLeftCents: 300 }, other])), { p: 300 });
  const coded = { promotion: amountOff(300, { code: 'CODE' }), budgetLeftCents: 299 };
  assert.deepEqual(quoteOf(lines, [coded], { own: { codes: ['CODE'] } }).rejectedCodes, [
    { code: 'CODE', reason: 'used_up' },
  ]);
});

test('a cart that other discounts have made free stays free, and keeps its codes', () => {
  const lines = [{ cents: 1000 }];
  const free = percentOff(100, { promotionId: 's', offeredBy: 'store' });
  const price = quoteOf(lines, [free, amountOff(500, { code: 'CODE' })], { own: { codes: ['CODE'] } });
  assert.deepEqual([amountsOf(price), price.totalWithTipCents], [{ s: 1000 }, DELIVERY_CENTS]);
  assert.deepEqual(price.rejectedCodes, [{ code: 'CODE', reason: 'better_offer_applied' }]);
  const coded = percentOff(100, { code: 'CODE' });
  assert.equal(quoteOf(lines, [coded], { own: { codes: ['CODE'] } }).rejectedCodes, undefined);
});

test('two promotions of free delivery take the fee off once', () => {
  const free = (promotionId: string, offeredBy: Payer) =>
    promotion({ promotionId, offeredBy, terms: { kind: 'delivery', toCents: 0 } });
  const price = quoteOf([{ cents: 1000 }], [free('a', 'store'), free('b', 'operator')]);
  assert.deepEqual([amountsOf(price), price.totalWithTipCents], [{ a: DELIVERY_CENTS }, 1000]);
  const off = promotion({ promotionId: 'c', terms: { kind: 'delivery', amountCents: 1000 } });
  assert.equal(quoteOf([{ cents: 1000 }], [off]).totalWithTipCents, 1000);
  const nothing = quoteOf([{ cents: 1000 }], [{ ...off, code: 'CODE' }], {
    own: { codes: ['CODE'] },
    slotDeliveryFee: { ...PLAIN_FEES, taxable: false },
  });
  assert.deepEqual(nothing.rejectedCodes, [{ code: 'CODE', reason: 'nothing_to_discount' }]);
});

test('free units buy nothing and are not got, as listed or by a lower price in the menu', () => {
  const [napkins, dessert] = [
    { cents: 0, quantity: 3 },
    { cents: 600, quantity: 3 },
  ];
  const getDessert = promotion({
    promotionId: 'b',
    items: { products: ['i0'] },
    terms: { kind: 'buy_get', buy: 1, get: 1, percent: 100, getItems: { products: ['i1'] } },
  });
  assert.deepEqual(amountsOf(quoteOf([napkins, dessert], [getDessert])), {});
  assert.deepEqual(amountsOf(quoteOf([{ cents: 100, quantity: 3 }, dessert], [getDessert])), { b: 1800 });
  const lowered = promotion({
    promotionId: 'm',
    items: { products: ['i0'] },
    terms: { kind: 'item_price', priceCents: 0 },
  });
  const { discounts = [] } = quoteOf([{ cents: 100, quantity: 3 }, dessert], [getDessert, lowered]);
  assert.deepEqual(discounts, []);
  assert.deepEqual(amountsOf(quoteOf([dessert, { cents: 0, quantity: 9 }], [buyGet(1, 1)])), { p: 600 });
});

test('a code with nothing to take off says so, and a code beaten by a better offer says that', () => {
  const reasonOf = (lines: { cents: number; quantity?: number }[], one: Promotion, own: object = {}) =>
    quoteOf(lines, [{ ...one, code: 'CODE' }], { own: { codes: ['CODE'] }, ...own }).rejectedCodes?.[0]?.reason;
  const free = [{ cents: 0, quantity: 2 }];
  for (const one of [percentOff(20), amountOff(500), buyGet(1, 1)])
    assert.equal(reasonOf(free, one), 'nothing_to_discount');
  assert.equal(reasonOf([{ cents: 500 }], buyGet(1, 1)), 'no_matching_items');
});

test('without items there is no discount, whatever the minimum', () => {
  const free = promotion({ promotionId: 'd', terms: { kind: 'delivery', toCents: 0 } });
  assert.deepEqual(amountsOf(quoteOf([], [percentOff(100), amountOff(100), free, buyGet(1, 1)])), {});
});

test('an amount is taken off once an order, on the lines that it covers', () => {
  const lines = [{ cents: 1000, quantity: 3 }, { cents: 100 }, { cents: 2000 }];
  assert.equal(quoteOf(lines, [amountOff(500)]).discountCents, 500);
  assert.deepEqual(cutsOf(quoteOf(lines, [amountOff(5000, { items: { products: ['i1', 'i2'] } })])), [[0, 100, 2000]]);
});

test('buy-get follows quantities, only full groups count, and missing units lower nothing', () => {
  assert.deepEqual(cutsOf(quoteOf([{ cents: 500, quantity: 10 }], [buyGet(10, 20)])), []);
  const lacking = quoteOf([{ cents: 500 }], [{ ...buyGet(1, 1), code: 'CODE' }], { own: { codes: ['CODE'] } });
  assert.deepEqual(lacking.rejectedCodes, [{ code: 'CODE', reason: 'no_matching_items' }]);
  const lowered = (quantity: number, own: Partial<BuyGet> = {}) =>
    quoteOf([{ cents: 500, quantity }], [buyGet(2, 1, own)]).discountCents ?? 0;
  assert.deepEqual(
    [2, 3, 5, 6, 9].map((quantity) => lowered(quantity)),
    [0, 500, 500, 1000, 1500],
  );
  assert.equal(lowered(9, { times: 2 }), 1000);
  assert.equal(lowered(3, { percent: 50 }), 250);
  const pair = (wings: number, cola: number) =>
    cutsOf(
      quoteOf(
        [{ cents: 900, quantity: wings }, { cents: 250, quantity: cola }, { cents: 300 }],
        [{ ...buyGet(2, 1, { getItems: { products: ['i1', 'i2'] } }), items: { products: ['i0'] } }],
      ),
    );
  assert.deepEqual(
    [pair(1, 5), pair(2, 5), pair(4, 5), pair(99, 1)],
    [[], [[0, 0, 300]], [[0, 250, 300]], [[0, 250, 300]]],
  );
});

test('one more unit never shrinks a buy-get of the store', () => {
  const line = fc.record({ cents: fc.integer({ min: 0, max: 3000 }), quantity: fc.integer({ min: 1, max: 5 }) });
  const terms = fc.record(
    { buy: fc.integer({ min: 1, max: 3 }), get: fc.integer({ min: 1, max: 3 }), times: fc.integer({ min: 1, max: 3 }) },
    { requiredKeys: ['buy', 'get'] },
  );
  const property = fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), terms, fc.nat(4), (lines, own, more) => {
    const offered = [buyGet(own.buy, own.get, own)];
    const grown = lines.map((one, at) => ({ ...one, quantity: one.quantity + Number(at === more % lines.length) }));
    const cents = (cart: readonly Line[]) => quoteOf(cart, offered).discountCents ?? 0;
    assert.ok(cents(grown) >= cents(lines));
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test('no discount exceeds the price of a line or its marked price', () => {
  const marked = (cents: number, markedPriceCents: number | null) => ({
    priceCents: cents,
    quantity: 2,
    markedPriceCents,
    taxClass: 'general' as const,
    customizations: [],
  });
  const price = quoteOf([{ cents: 1000 }, { cents: 1000 }, { cents: 1000 }], [percentOff(100)], {
    lines: [marked(1000, 600), marked(1000, 1500), marked(1000, null)],
    receipt: { ...PLAIN_RECEIPT, pricesMarked: true },
  });
  assert.deepEqual(cutsOf(price), [[1200, 2000, 2000]]);
  assert.equal(price.totalWithTipCents, DELIVERY_CENTS + 1000);
});

test('the lowest menu price counts, never one above the list price, and options keep theirs', () => {
  const menu = (promotionId: string, terms: PromotionTerms) => promotion({ promotionId, terms });
  const lowered = [
    menu('a', { kind: 'item_price', priceCents: 900 }),
    menu('c', { kind: 'item_price', percent: 20 }),
    menu('b', { kind: 'item_price', priceCents: 800 }),
  ];
  const price = quoteOf([{ cents: 1000 }, { cents: 1000, isAlcoholic: true }, { cents: 300, quantity: 2 }], lowered);
  assert.deepEqual(
    price.lines.map(({ unitCents, listUnitCents }) => [unitCents, listUnitCents]),
    [
      [800, 1000],
      [1000, undefined],
      [240, 300],
    ],
  );
  assert.deepEqual(
    (price.menuDiscounts ?? []).map(summaryOf).map(({ id, lines }) => [id, lines]),
    [
      ['b', [200, 0, 0]],
      ['c', [0, 0, 120]],
    ],
  );
  assert.deepEqual([price.subtotalCents, price.discountCents], [2280, undefined]);
});

test('an order that no promotion is for is priced as without any', () => {
  const property = fc.property(carts, (cart) => {
    const order = plainOrderOf(cart);
    assert.deepEqual(priceOrder({ ...order, promotions: question({ mode: order.mode }) }), priceOrder(order));
  });
  fc.assert(property, { numRuns: runs(20_000) });
});

test('discounts that no source confirms are assumed: of places without a row, and of fixed amounts without a code in Canada', () => {
  const discount = (country: Country, state: string, kind: PromotionTerms['kind'], payer: Payer, hasCode = false) => ({
    country,
    state,
    kind,
    payer,
    hasCode,
    priceOwner: 'store' as const,
  });
  const assumed = assumedPlaces([
    discount('US', 'NY', 'amount', 'operator'),
    discount('US', 'Texas', 'amount', 'operator'),
    discount('US', 'TX', 'percent', 'account'),
    discount('US', 'OH', 'amount', 'operator'),
    discount('US', 'OR', 'amount', 'store'),
    discount('CA', 'ON', 'amount', 'operator', true),
    discount('CA', 'QC', 'amount', 'operator'),
    discount('CA', 'AB', 'percent', 'account'),
    discount('CA', 'BC', 'percent', 'account'),
  ]);
  assert.deepEqual(assumed, ['British Columbia', 'Ohio', 'Quebec', 'Texas']);
  for (const { sources } of DISCOUNT_TAX_ROWS)
    for (const source of sources.split(' ')) assert.ok(DISCOUNT_SOURCES[source], source);
  const cited = new Set(DISCOUNT_TAX_ROWS.flatMap(({ sources }) => sources.split(' ')));
  assert.deepEqual(Object.keys(DISCOUNT_SOURCES).sort(), [...cited].sort());
});
