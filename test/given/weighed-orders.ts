import assert from 'node:assert/strict';
import { present } from 'doorstep/collections';
import fc from 'fast-check';
import { adjustItem } from '../../src/ordering/money/adjust-item.ts';
import { receiptOfOrder } from '../../src/ordering/money/receipt.ts';
import { highestMarkedCents, substitutePrice } from '../../src/ordering/money/substitute.ts';
import { fulfilledItems } from '../../src/ordering/order/fulfilled-items.ts';
import type { ItemAdjustment, Order } from '../../src/ordering/order/order.ts';
import { repriceOrder } from '../../src/ordering/order/reprice-order.ts';
import { sharesOfOrder, sumOf } from '../../src/ordering/order/shares.ts';
import { heaviest, heldDiscounts, holdCents } from '../../src/ordering/order/weighed-order.ts';
import { sumCents } from '../../src/platform/lib/money.ts';
import type { OrderToPrice } from '../../src/supply/pricing/price-order.ts';
import type { Payer, Promotion, PromotionTerms } from '../../src/supply/pricing/promotion.ts';
import { usesOf } from '../../src/supply/promotions/promotion-use.ts';
import { taxClassOf } from '../../src/supply/stores/tax-class.ts';
import { localeOf } from '../../src/texts/catalogs.ts';
import {
  labelWeight,
  type OracleGoods,
  type OracleHanded,
  type OracleOffer,
  type OracleWeighedCart,
  oracleMax,
  oracleWeighed,
} from '../oracles/weighed-order.ts';
import { givenMessageContext, PLAIN_DINNER } from './message-context.ts';

/** Random orders with goods by weight and by the piece, and what is handed off of them. */

const cents = (max: number) => fc.integer({ min: 0, max }).map(BigInt);
const taxClass = fc.constantFrom('grocery', 'candy', 'prepared_food', 'exempt');
const percent = fc.constantFrom('0', '5', '8.875', '12.5', '33.333333', '70');
const LB = { pers: [1000n], weights: fc.integer({ min: 1, max: 8000 }) };
const GRAMS = { pers: [100_000n, 1000n, 12_000n], weights: fc.integer({ min: 1000, max: 2_000_000 }) };

const weights = fc.constantFrom(LB, GRAMS).chain(({ pers, weights: some }) =>
  fc.record({
    per: fc.constantFrom(...pers),
    ordered: some.map(BigInt),
    tolerance: fc.constantFrom(0n, 5n, 10n, 20n, 25n),
  }),
);
const goods: fc.Arbitrary<OracleGoods> = fc.record({
  price: fc.integer({ min: 1, max: 3000 }).map(BigInt),
  marked: fc.option(cents(3500), { freq: 2 }),
  taxClass,
  option: fc.record({ cents: fc.oneof(fc.constant(0n), cents(300)), taxClass }),
  quantity: fc.integer({ min: 1, max: 6 }).map(BigInt),
  weight: fc.option(weights, { freq: 4 }),
});
const on = fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 });
const offer: fc.Arbitrary<OracleOffer> = fc.record({
  kind: fc.constantFrom('percent', 'amount'),
  percent: fc.constantFrom('5', '10', '12.5', '50', '100'),
  max: fc.option(fc.integer({ min: 1, max: 3000 }).map(BigInt), { freq: 2 }),
  amount: fc.integer({ min: 1, max: 4000 }).map(BigInt),
  lines: on,
  lowersTax: fc.constant(true),
});

/** A line's final amount: as ordered, up to its maximum, missing, or by a label that may say less. */
const finals = fc.record({
  part: fc.oneof(fc.nat({ max: 1000 }), fc.integer({ min: 800, max: 1000 })).map((n) => n / 1000),
  how: fc.constantFrom(...'ordered any any any any missing label'.split(' ')),
});

export const weighedCarts = fc
  .record({
    goods: fc.array(goods, { minLength: 1, maxLength: 4 }),
    isTexas: fc.boolean(),
    menu: fc.option(fc.record({ percent: fc.constantFrom('10', '33.3'), lines: on }), { freq: 2 }),
    store: fc.option(offer, { freq: 2 }),
    market: fc.option(offer, { freq: 2 }),
    delivery: fc.record({ flat: cents(900), from: cents(9000), low: cents(400), taxable: fc.boolean() }),
    service: fc.record({ percent, min: cents(200), max: cents(900), taxable: fc.boolean() }),
    small: fc.record({ flat: cents(300), below: cents(3000) }),
    added: fc.record({ flat: cents(200), percent: fc.constantFrom('0', '2.5'), taxable: fc.boolean() }),
    taxes: fc.array(fc.record({ percent, classes: fc.constantFrom(null, ['candy', 'general'], ['prepared_food']) }), {
      minLength: 1,
      maxLength: 3,
    }),
    tip: cents(500),
    finals: fc.array(finals, { minLength: 4, maxLength: 4 }),
  })
  .filter((one) => one.goods.some(({ weight }) => weight !== null))
  .map(({ store, market, isTexas, menu, finals: final, ...rest }) => {
    // The store pays its own, the account the marketplace's.
    const offers = [
      ...(store ? [{ ...store, lowersTax: true }] : []),
      ...(market ? [{ ...market, lowersTax: isTexas }] : []),
    ];
    const cart: OracleWeighedCart = { ...rest, menu: menu && { ...menu, lowersTax: true }, offers };
    const handed = cart.goods.map((one, at): OracleHanded => handedOf(one, final[at] ?? { part: 1, how: 'any' }));
    return { cart, handed, isTexas, hasStore: store !== null };
  });
export type WeighedCart = typeof weighedCarts extends fc.Arbitrary<infer Value> ? Value : never;

function handedOf(
  { price, weight, quantity }: OracleGoods,
  { part, how }: { part: number; how: string },
): OracleHanded {
  const max = weight ? oracleMax(weight) : quantity;
  const amount = BigInt(Math.round(Number(max) * part));
  if (how === 'missing') return { amount: 0n };
  if (how === 'ordered') return { amount: weight ? weight.ordered : quantity };
  if (!weight || how === 'any') return { amount };
  const label = BigInt(Math.round(Number((price * max) / weight.per) * part));
  const milli = labelWeight(label, price, weight.per);
  return { amount: milli > max ? max : milli, label };
}

/**
 * The same order of the service, placed, and its items as they are handed off. `funding` is who pays for its offers; by
 * default their makers.
 */
export function weighedOrderOf(
  { cart, handed, isTexas, hasStore }: WeighedCart,
  funding?: Promotion['funding'],
  budgets: Readonly<Record<string, number>> = {},
): { estimate: Order; order: Order } {
  const lines = cart.goods.map(({ price, marked, option, quantity, weight, ...one }) => ({
    priceCents: Number(price),
    quantity: weight ? 1 : Number(quantity),
    markedPriceCents: marked === null ? null : Number(marked),
    taxClass: taxClassOf(one.taxClass) ?? 'general',
    customizations: option.cents === 0n ? [] : [{ id: 'c', name: 'c', options: [optionOf(option)] }],
    ...(weight && {
      weight: { milli: Number(weight.ordered), per: Number(weight.per), max: Number(oracleMax(weight)) },
    }),
  }));
  const { fees } = PLAIN_DINNER;
  const { delivery, service, small, added, taxes } = cart;
  const toPrice: OrderToPrice = {
    ...PLAIN_DINNER,
    lines,
    fees: {
      ...fees,
      deliveryFee: {
        flatCents: Number(delivery.flat),
        percent: 0,
        taxable: delivery.taxable,
        thresholds: [{ flatCents: Number(delivery.low), percent: 0, minimumSubtotalCents: Number(delivery.from) }],
      },
      serviceFee: {
        flatCents: 0,
        percent: Number(service.percent),
        minCents: Number(service.min),
        maxCents: Number(service.max),
        taxable: service.taxable,
      },
      smallOrderFee: { flatCents: Number(small.flat), percent: 0, minimumOrderCents: Number(small.below) },
      taxes: taxes.map((tax, at) => ({
        name: `T${at}`,
        percent: Number(tax.percent),
        ...(tax.classes && { classes: tax.classes.map((one) => taxClassOf(one) ?? 'general') }),
      })),
    },
    tipCents: Number(cart.tip),
    receipt: {
      pricesMarked: true,
      addedFee: { flatCents: Number(added.flat), percent: Number(added.percent), taxable: added.taxable },
      miscFees: [],
    },
    promotions: {
      candidates: promotionsOf(cart, hasStore, funding).map((promotion) => ({
        promotion,
        ...present({ budgetLeftCents: budgets[promotion.promotionId] }),
      })),
      codes: [],
      store: {
        storeId: 's',
        type: 'grocery',
        timeZone: 'America/New_York',
        liveSinceEpochS: null,
        country: 'US',
        state: isTexas ? 'TX' : 'NY',
      },
      mode: 'delivery',
      items: lines.map((line, at) => ({
        externalId: `e${at}`,
        categories: [],
        isAlcoholic: false,
        taxClass: line.taxClass,
      })),
      deliveryOwner: 'store',
      nowEpochS: 1_781_107_200,
      servedEpochS: 1_781_107_200,
    },
  };
  const weights = cart.goods.map(({ weight }) => (weight ? { max: Number(oracleMax(weight)) } : undefined));
  const { order } = givenMessageContext(toPrice, { weights });
  const adjustments = handed.map(({ amount, label }, index): ItemAdjustment => {
    const isByWeight = cart.goods[index]?.weight;
    if (!isByWeight || amount === 0n) return { index, quantity: Number(amount), substitute: null };
    const from = label === undefined ? 'scale' : 'label_price';
    const scaled = { milli: Number(amount), from, ...(label !== undefined && { labelCents: Number(label) }) } as const;
    return { index, quantity: 1, substitute: null, scaled };
  });
  const estimate: Order = { ...order, status: 'in_progress', driverStage: 'none' };
  return { estimate, order: { ...estimate, adjustments } };
}

const optionOf = ({ cents: price, taxClass: ofClass }: OracleGoods['option']) => ({
  id: 'o',
  name: 'o',
  priceCents: Number(price),
  conditionalPrice: {},
  defaultQty: 0,
  quantity: 1,
  markedPriceCents: null,
  customizations: [],
  taxClass: taxClassOf(ofClass) ?? ('general' as const),
});

function promotionsOf(
  { menu, offers }: OracleWeighedCart,
  hasStore: boolean,
  funding?: Promotion['funding'],
): Promotion[] {
  const one = (offeredBy: Payer, terms: PromotionTerms, lines: readonly number[]): Promotion => ({
    promotionId: `${offeredBy} ${terms.kind}`,
    offeredBy,
    terms,
    firstOrder: false,
    listed: true,
    funding: [{ payer: offeredBy, percent: 100 }],
    items: { products: lines.map((at) => `e${at}`) },
  });
  const lowered = menu ? [one('store', { kind: 'item_price', percent: Number(menu.percent) }, menu.lines)] : [];
  return [
    ...lowered,
    ...offers.map(({ kind, percent: off, max, amount, lines }, nth) => ({
      ...one(
        nth === 0 && hasStore ? 'store' : 'account',
        kind === 'amount'
          ? { kind, amountCents: Number(amount) }
          : { kind, percent: Number(off), ...(max !== null && { maxDiscountCents: Number(max) }) },
        lines,
      ),
      ...(funding && { funding }),
    })),
  ];
}

const others = fc.record({
  listCents: fc.integer({ min: 1, max: 6000 }),
  taxClass,
  milli: fc.option(fc.integer({ min: 1, max: 9000 })),
});

/** Such orders with substitutes of some lines, and how the lines are mixed when they are adjusted one by one. */
export const substitutedCarts = fc.record({
  one: weighedCarts,
  substitutes: fc.array(fc.option(others), { minLength: 4, maxLength: 4 }),
  mix: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
});
type SubstitutedCart = typeof substitutedCarts extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Whether an order that its store adjusts line by line, in any order, comes to the algebra's price with substitutes,
 * of which none costs more than the most of the line that it replaces.
 */
export function assertSubstituted({ one, substitutes, mix }: SubstitutedCart): void {
  const { estimate, order: weighed } = weighedOrderOf(one);
  const { quote } = estimate;
  const most = fulfilledItems({ quote, adjustments: heaviest(quote.items) });
  const wanted = weighed.adjustments.map((own, at): ItemAdjustment => {
    const [other, replaced, ordered] = [substitutes[at], most[at], quote.items[at]];
    if (!other || !replaced || !ordered || own.quantity === 0) return own;
    const ofClass = taxClassOf(other.taxClass) ?? 'general';
    const highest = highestMarkedCents(replaced, ofClass, quote.terms.fees.taxes);
    const prices = substitutePrice(replaced, other.listCents, highest);
    assert.ok(prices.markedUnitCents <= replaced.markedUnitCents, 'a substitute is dearer than the most of its line');
    const product = { productId: 'other', productNo: 99, externalId: 'other', name: 'Other', image: null };
    const facts = { isAlcoholic: false, customizations: [], taxClass: ofClass };
    const { weight } = ordered;
    const { milli } = other;
    if (!weight || milli === null) {
      return { index: at, quantity: own.quantity, substitute: { ...product, ...facts, ...prices } };
    }
    const substitute = { ...product, ...facts, ...prices, weight: { ...weight, ordered: milli } };
    return { index: at, quantity: 1, substitute, scaled: { milli, from: 'scale' } };
  });
  const handed = wanted.map(({ quantity, substitute }, at): OracleHanded => {
    if (!substitute) return one.handed[at] ?? assert.fail();
    const { unitCents, markedUnitCents } = substitute;
    const { taxClass: ofClass = '' } = substitutes[at] ?? {};
    const unit = BigInt(unitCents);
    return { amount: BigInt(quantity), substitute: { unit, marked: BigInt(markedUnitCents), taxClass: ofClass } };
  });
  const steps = wanted.toSorted((a, b) => (mix[a.index] ?? 0) - (mix[b.index] ?? 0));
  let [order, lessCents] = [estimate, 0];
  for (const step of steps) {
    const adjusted = adjustItem(order, step, 'key');
    order = adjusted.order;
    lessCents += adjusted.lessCents;
  }
  assertAlgebra({ ...one, handed }, { estimate, order });
  const { totalWithTipCents } = repriceOrder(order);
  assert.equal(quote.totalWithTipCents - lessCents, totalWithTipCents);
  const { subtotalCents, charges, totalCents } = receiptOfOrder(order, [], localeOf('en', 'US'));
  assert.deepEqual(
    [subtotalCents + sumCents(charges.map((row) => row.cents)), totalCents],
    [totalCents, totalWithTipCents],
  );
}

/** Whether each offer applies with a budget of exactly what placing takes of it, and not with a cent less. */
export function assertBudgets(one: WeighedCart): void {
  const quoteOf = (budgets: Record<string, number>) => weighedOrderOf(one, undefined, budgets).estimate.quote;
  for (const { promotionId, cents: taken } of usesOf({ ...heldDiscounts(quoteOf({})), menuDiscounts: [] })) {
    const isApplied = (cents: number) =>
      quoteOf({ [promotionId]: cents }).discounts?.some((discount) => discount.promotionId === promotionId) === true;
    assert.deepEqual([isApplied(taken), isApplied(taken - 1)], [true, false], promotionId);
  }
}

/** Whether estimate, hold and final price are those of the algebra, to the cent. */
export function assertAlgebra(one: WeighedCart, { estimate, order } = weighedOrderOf(one)): void {
  const { estimate: E, held, final, captured, isAbove } = oracleWeighed(one.cart, one.handed);
  const { quote } = estimate;
  const price = repriceOrder(order);
  assert.deepEqual([quote.totalWithTipCents, holdCents(quote), price.totalWithTipCents].map(BigInt), [
    E.total,
    held,
    captured,
  ]);
  if (captured > 0n) {
    const { deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, addedFeeCents } = price;
    const { delivery, service, small, added } = final;
    const fees = [deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, addedFeeCents];
    assert.deepEqual(fees.map(BigInt), [delivery, service, small, added]);
  }
  assert.ok(captured <= held && E.total <= held && captured >= 0n);
  assert.ok(isAbove || captured <= E.total);
  assert.equal(sumOf(sharesOfOrder(order)), price.totalWithTipCents);
}
