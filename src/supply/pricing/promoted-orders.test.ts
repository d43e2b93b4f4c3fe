import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { promotedCarts, promotedOrderOf } from '../../../test/oracles/promotion-carts.ts';
import {
  type OracleDiscount,
  type OraclePayer,
  type OraclePromotedCart,
  oraclePromotions,
} from '../../../test/oracles/promotion-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { priceOrder } from './price-order.ts';
import type { Discount } from './promotion.ts';

const RUNS = runs(200_000, 500);

const bigints = (amounts: readonly number[]) => amounts.map(BigInt);

const shapeOf = (discounts: readonly Discount[] = []): OracleDiscount[] =>
  discounts.map(({ promotionId, slot, parts }) => ({
    id: promotionId,
    slot,
    parts: parts.map(({ payer, lowersTax, lineCents, deliveryCents }) => ({
      payer,
      lowers: lowersTax,
      lines: bigints(lineCents),
      delivery: BigInt(deliveryCents),
    })),
  }));

const byId = (discounts: readonly OracleDiscount[]) => discounts.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const paidBy = (payer: OraclePayer, discounts: readonly OracleDiscount[]) =>
  discounts
    .flatMap(({ parts }) => parts)
    .filter((part) => part.payer === payer)
    .reduce((sum, { lines, delivery }) => lines.reduce((cents, line) => cents + line, sum + delivery), 0n);

function assertSamePrice(cart: OraclePromotedCart): ReturnType<typeof oraclePromotions> {
  const price = priceOrder(promotedOrderOf(cart));
  const oracle = oraclePromotions(cart);
  assert.deepEqual(shapeOf(price.discounts), oracle.discounts);
  assert.deepEqual(byId(shapeOf(price.menuDiscounts)), byId(oracle.menu));
  assert.deepEqual(
    (price.rejectedCodes ?? []).map(({ code, reason, missingCents }) => ({
      code,
      reason,
      missing: missingCents === undefined ? null : BigInt(missingCents),
    })),
    oracle.rejected,
  );
  assert.deepEqual(
    {
      subtotal: price.subtotalCents,
      delivery: price.deliveryFeeCents,
      service: price.serviceFeeCents,
      small: price.smallOrderFeeCents,
      D: price.discountCents ?? 0,
      tax: price.salesTaxCents,
      totalWithoutTips: price.totalWithoutTipsCents,
      markup: price.markupCents,
      addedFee: price.addedFeeCents,
      addedTax: price.addedSalesTaxCents,
      totalWithTip: price.totalWithTipCents,
      profit: price.profitCents,
      taxes: price.taxes.map(({ cents }) => cents),
      shares: price.taxShares,
      units: price.lines.map(({ unitCents }) => unitCents),
      markedUnits: price.lines.map(({ markedUnitCents, unitCents }) =>
        cart.pricesMarked ? markedUnitCents : unitCents,
      ),
      listUnits: price.lines.map(({ listUnitCents, unitCents }) => listUnitCents ?? unitCents),
    },
    {
      subtotal: Number(oracle.subtotal),
      delivery: Number(oracle.delivery),
      service: Number(oracle.service),
      small: Number(oracle.small),
      D: Number(oracle.D),
      tax: Number(oracle.tax),
      totalWithoutTips: Number(oracle.totalWithoutTips),
      markup: Number(oracle.markup),
      addedFee: Number(oracle.addedFee),
      addedTax: Number(oracle.addedTax),
      totalWithTip: Number(oracle.totalWithTip),
      profit: Number(oracle.markup + oracle.addedFee - paidBy('account', [...oracle.discounts, ...oracle.menu])),
      taxes: oracle.taxes.map(Number),
      shares: oracle.shares.map((shares) => shares.map(Number)),
      units: oracle.units.map(Number),
      markedUnits: (cart.pricesMarked ? oracle.markedUnits : oracle.units).map(Number),
      listUnits: oracle.listUnits.map(Number),
    },
  );
  return oracle;
}

test('every discount, tax and total of every order equals the model in exact integers', () => {
  let discounted = 0;
  fc.assert(
    fc.property(promotedCarts, (cart) => {
      const { D, rest, shares } = assertSamePrice(cart);
      if (D > 0n) discounted += 1;
      assert.ok(rest.every((cents) => cents >= 0n) && shares.flat().every((cents) => cents >= 0n));
    }),
    { numRuns: RUNS },
  );
  assert.ok(discounted > RUNS / 4, `${discounted} orders with a discount`);
});
