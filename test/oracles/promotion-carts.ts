import fc from 'fast-check';
import type { OrderToPrice } from '../../src/supply/pricing/price-order.ts';
import { PAYERS, type Promotion, type PromotionTerms, REJECTIONS } from '../../src/supply/pricing/promotion.ts';
import type { Candidate } from '../../src/supply/pricing/promotions.ts';
import { taxClassOf } from '../../src/supply/stores/tax-class.ts';
import { carts, cents, orderOf } from './carts.ts';
import type { OraclePromotedCart, OraclePromotion, OracleTerms } from './promotion-oracle.ts';

/** Random orders with promotions, in the oracle's flat shape and converted to the pricing shape. */

const percents = fc.constantFrom('0.5', '5', '12.5', '20', '33.333333', '50', '70', '100');
const counts = fc.integer({ min: 1, max: 3 }).map(BigInt);
const MAX_LINES = 4;

/** Bought from the first lines and got from the others, or both from the same. */
const bought = fc.record({
  kind: fc.constant('buy_get' as const),
  buy: counts,
  get: counts,
  percent: percents,
  times: fc.option(counts),
  getLines: fc.option(fc.constant([2, 3])),
});

const terms: fc.Arbitrary<OracleTerms> = fc.oneof(
  fc.record({ kind: fc.constant('item_price' as const), price: cents(5000) }),
  fc.record({ kind: fc.constant('item_price' as const), percent: percents }),
  fc.record({ kind: fc.constant('percent' as const), percent: percents, max: fc.option(cents(2000)) }),
  fc.record({ kind: fc.constant('amount' as const), amount: cents(5000) }),
  fc.record({
    kind: fc.constant('spend' as const),
    tiers: fc.array(fc.record({ minimum: cents(20_000), amount: cents(3000) }), { minLength: 1, maxLength: 3 }),
  }),
  bought,
  fc.record({ kind: fc.constant('delivery' as const), amount: fc.option(cents(600)) }),
);

const fundings: fc.Arbitrary<OraclePromotion['funding']> = fc.constantFrom(
  ['100', '0', '0'] as const,
  ['0', '100', '0'] as const,
  ['0', '0', '100'] as const,
  ['50', '0', '50'] as const,
  ['33.333333', '33.333333', '33.333334'] as const,
  ['0', '12.5', '87.5'] as const,
);

const seeds = fc.record({
  by: fc.constantFrom(...PAYERS),
  terms,
  funding: fundings,
  code: fc.option(fc.constantFrom('A', 'B', 'C')),
  lines: fc.option(fc.uniqueArray(fc.nat({ max: MAX_LINES - 1 }), { maxLength: 3 }), { freq: 1 }),
  minimum: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, cents(20_000)),
  budget: fc.option(cents(5000), { freq: 1 }),
  refused: fc.option(fc.constantFrom('first_order_only', 'already_used', 'used_up'), { freq: 1 }),
});

/** Menu prices have neither code nor minimum nor limit, and the reduced items aren't the bought ones. */
function promotionOf(seed: Omit<OraclePromotion, 'id'>, id: string): OraclePromotion {
  if (seed.terms.kind === 'item_price') return { ...seed, id, code: null, minimum: 0n, budget: null, refused: null };
  if (seed.terms.kind === 'buy_get' && seed.terms.getLines) return { ...seed, id, lines: [0, 1] };
  return { ...seed, id };
}

export const promotedCarts: fc.Arbitrary<OraclePromotedCart> = fc
  .record({
    cart: carts,
    more: carts,
    quantities: fc.array(fc.integer({ min: 1, max: 6 }).map(BigInt), { minLength: MAX_LINES, maxLength: MAX_LINES }),
    promotions: fc.array(seeds, { maxLength: 8 }),
    codes: fc.array(fc.constantFrom('A', 'B', 'C', 'UNKNOWN'), { maxLength: 3 }),
    alcohol: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()), {
      minLength: MAX_LINES,
      maxLength: MAX_LINES,
    }),
    place: fc.constantFrom<OraclePromotedCart['place'][]>(
      { country: 'US', state: 'NY' },
      { country: 'US', state: 'TX' },
      { country: 'US', state: 'MA' },
      { country: 'US', state: 'OR' },
      { country: 'CA', state: 'ON' },
      { country: 'CA', state: 'BC' },
    ),
    deliveryOwner: fc.constantFrom('store' as const, 'operator' as const),
  })
  .map(({ cart, more, quantities, promotions, ...rest }) => ({
    ...cart,
    ...rest,
    lines: [...cart.lines, ...more.lines]
      .slice(0, MAX_LINES)
      .map((line, at) => ({ ...line, quantity: quantities[at] ?? 1n })),
    promotions: promotions.map((seed, at) => promotionOf(seed, `p${at}`)),
  }));

const productsOf = (lines: readonly number[]) => ({ products: lines.map((at) => `i${at}`) });

function termsOf(own: OracleTerms): PromotionTerms {
  switch (own.kind) {
    case 'item_price':
      return 'price' in own
        ? { kind: own.kind, priceCents: Number(own.price) }
        : { kind: own.kind, percent: Number(own.percent) };
    case 'percent': {
      const { kind, percent, max } = own;
      return { kind, percent: Number(percent), ...(max === null ? {} : { maxDiscountCents: Number(max) }) };
    }
    case 'amount':
      return { kind: own.kind, amountCents: Number(own.amount) };
    case 'spend': {
      const tiers = own.tiers.map(({ minimum, amount }) => ({
        minimumSubtotalCents: Number(minimum),
        amountCents: Number(amount),
      }));
      return { kind: own.kind, tiers };
    }
    case 'buy_get': {
      const { kind, buy, get, percent, times, getLines } = own;
      return {
        kind,
        buy: Number(buy),
        get: Number(get),
        percent: Number(percent),
        ...(times === null ? {} : { times: Number(times) }),
        ...(getLines ? { getItems: productsOf(getLines) } : {}),
      };
    }
    case 'delivery':
      return own.amount === null ? { kind: own.kind, toCents: 0 } : { kind: own.kind, amountCents: Number(own.amount) };
  }
}

function candidateOf({
  id,
  by,
  terms: own,
  funding,
  code,
  lines,
  minimum,
  budget,
  refused,
}: OraclePromotion): Candidate {
  const promotion: Promotion = {
    promotionId: id,
    offeredBy: by,
    terms: termsOf(own),
    funding: PAYERS.map((payer, at) => ({ payer, percent: Number(funding[at]) })).filter(({ percent }) => percent > 0),
    ...(code === null ? {} : { code }),
    ...(lines ? { items: productsOf(lines) } : {}),
    ...(minimum > 0n ? { minimumSubtotalCents: Number(minimum) } : {}),
    firstOrder: false,
    listed: true,
  };
  const refusedAs = REJECTIONS.find((reason) => reason === refused);
  return {
    promotion,
    ...(refusedAs ? { refusedAs } : {}),
    ...(budget === null ? {} : { budgetLeftCents: Number(budget) }),
  };
}

export function promotedOrderOf(cart: OraclePromotedCart): OrderToPrice {
  const order = orderOf(cart);
  const at = Date.UTC(2026, 5, 10, 16) / 1000;
  const { country, state } = cart.place;
  return {
    ...order,
    promotions: {
      candidates: cart.promotions.map(candidateOf),
      codes: cart.codes,
      store: { storeId: 's', type: 'grocery', country, state, timeZone: 'America/New_York', liveSinceEpochS: null },
      mode: order.mode,
      items: cart.lines.map(({ taxClass }, line) => ({
        externalId: `i${line}`,
        categories: [],
        taxClass: taxClassOf(taxClass) ?? 'general',
        isAlcoholic: cart.alcohol[line] ?? false,
      })),
      deliveryOwner: cart.deliveryOwner,
      nowEpochS: at,
      servedEpochS: at,
    },
  };
}
