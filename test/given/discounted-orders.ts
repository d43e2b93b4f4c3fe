import fc from 'fast-check';
import type { OrderToPrice } from '../../src/supply/pricing/price-order.ts';
import { PAYERS, type Promotion, type PromotionTerms } from '../../src/supply/pricing/promotion.ts';
import { givenMessageContext, PLAIN_DINNER } from './message-context.ts';

/** Random orders with promotions in every slot, by any payers, in places that tax discounts differently. */

const STATES = [
  { country: 'US', state: 'NY' },
  { country: 'US', state: 'TX' },
  { country: 'CA', state: 'ON' },
] as const;

const line = fc.record({
  priceCents: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 3000 })),
  quantity: fc.integer({ min: 1, max: 6 }),
  marked: fc.option(fc.nat({ max: 3500 }), { freq: 2 }),
  isCandy: fc.boolean(),
});
export type DiscountedLine = typeof line extends fc.Arbitrary<infer Value> ? Value : never;

const fundings = fc.constantFrom(
  [100, 0, 0],
  [0, 100, 0],
  [0, 0, 100],
  [50, 0, 50],
  [33.3, 33.3, 33.4],
  [0, 12.5, 87.5],
);
const products = fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 });
const percents = fc.constantFrom(5, 12.5, 20, 50, 70, 100);
const ofStore: fc.Arbitrary<PromotionTerms> = fc.oneof(
  percents.map((percent) => ({ kind: 'percent', percent }) as const),
  fc.integer({ min: 1, max: 4000 }).map((amountCents) => ({ kind: 'amount', amountCents }) as const),
  fc
    .record({ buy: fc.integer({ min: 1, max: 2 }), get: fc.integer({ min: 1, max: 2 }) })
    .map(({ buy, get }) => ({ kind: 'buy_get', buy, get, percent: 100 }) as const),
);
const promotion = (terms: fc.Arbitrary<PromotionTerms>, offeredBy: Promotion['offeredBy']) =>
  fc.option(fc.record({ terms, funding: fundings, on: fc.option(products) }), { freq: 4 }).map((one) => {
    if (!one) return [];
    const funding = PAYERS.flatMap((payer, at) => {
      const percent = one.funding[at] ?? 0;
      return percent > 0 ? [{ payer, percent }] : [];
    });
    const items = one.on && { products: one.on.map((at) => `e${at}`) };
    const own = { promotionId: `${offeredBy}_${one.terms.kind}`, terms: one.terms, ...(items && { items }) };
    return [{ ...own, offeredBy, funding, firstOrder: false, listed: true } satisfies Promotion];
  });

export const discountedOrders = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    place: fc.constantFrom(...STATES),
    delivery: fc.record({
      flat: fc.nat({ max: 900 }),
      low: fc.nat({ max: 400 }),
      from: fc.integer({ min: 1, max: 9000 }),
    }),
    tip: fc.nat({ max: 500 }),
    menu: promotion(
      percents.map((percent) => ({ kind: 'item_price', percent }) as const),
      'store',
    ),
    store: promotion(ofStore, 'store'),
    market: promotion(ofStore, 'operator'),
    free: promotion(
      fc.oneof(
        fc.constant({ kind: 'delivery', toCents: 0 } as const),
        fc.integer({ min: 1, max: 500 }).map((amountCents) => ({ kind: 'delivery', amountCents }) as const),
      ),
      'account',
    ),
  })
  .map(({ lines, place, delivery, tip, ...promotions }) => {
    const items = lines.map(({ isCandy }, at) => ({
      externalId: `e${at}`,
      categories: [],
      isAlcoholic: false,
      taxClass: isCandy ? ('candy' as const) : ('grocery' as const),
    }));
    const candidates = Object.values(promotions)
      .flat()
      .map((one) => ({ promotion: one }));
    const store = {
      storeId: 's',
      type: 'restaurant',
      timeZone: 'America/New_York',
      liveSinceEpochS: null,
      ...place,
    } as const;
    const { fees } = PLAIN_DINNER;
    const toPrice: OrderToPrice = {
      ...PLAIN_DINNER,
      lines: lines.map(({ priceCents, quantity, marked }, at) => ({
        priceCents,
        quantity,
        markedPriceCents: marked,
        customizations: [],
        taxClass: items[at]?.taxClass ?? 'grocery',
      })),
      fees: {
        ...fees,
        deliveryFee: {
          ...fees.deliveryFee,
          flatCents: delivery.flat,
          thresholds: [{ flatCents: delivery.low, percent: 0, minimumSubtotalCents: delivery.from }],
        },
        serviceFee: { flatCents: 0, percent: 10, minCents: 0, maxCents: null, taxable: false },
        taxes: TAXES,
      },
      tipCents: tip,
      receipt: { ...PLAIN_DINNER.receipt, pricesMarked: true },
      promotions: {
        candidates,
        codes: [],
        store,
        mode: 'delivery',
        items,
        deliveryOwner: 'store',
        nowEpochS: 1_781_107_200,
        servedEpochS: 1_781_107_200,
      },
    };
    return { order: givenMessageContext(toPrice, { country: place.country }).order, lines, delivery };
  });

const TAXES = [
  { name: 'State', percent: 8.875 },
  { name: 'Candy', percent: 3.3, classes: ['candy'] },
] as const satisfies OrderToPrice['fees']['taxes'];
