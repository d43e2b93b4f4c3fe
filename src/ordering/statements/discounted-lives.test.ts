import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DiscountedLine, discountedOrders } from '../../../test/given/discounted-orders.ts';
import { assertOwners, STEPS, takeAny } from '../../../test/lives/any-step.ts';
import { ledgerOf, storeTerms } from '../../../test/lives/ledger-lives.ts';
import { type PureLife, placedLife, refund, takeStep } from '../../../test/lives/pure-life.ts';
import {
  type ByPayer,
  type DiscountedCart,
  type DiscountedOrder,
  half,
  oracleDiscounted,
} from '../../../test/oracles/discounted-order.ts';
import { runs } from '../../../test/runs.ts';
import { type Discount, PAYERS } from '../../supply/pricing/promotion.ts';
import { fulfilledItems } from '../order/fulfilled-items.ts';
import { type Order, refundableCents } from '../order/order.ts';
import { repriceOrder } from '../order/reprice-order.ts';
import { partsOf, sharesOfOrder, sumOf } from '../order/shares.ts';
import type { LedgerStore } from './ledger-entry.ts';

const LIVES = runs(40_000, 1_000);

const big = (cents: number | undefined) => BigInt(cents ?? 0);

/** A line's reduction by these discounts, by payer, and the part of it off the taxed price. */
function cutOn(
  discounts: readonly Discount[] | undefined,
  centsOf: (part: Discount['parts'][number]) => number | undefined,
) {
  const parts = (discounts ?? []).flatMap((discount) => discount.parts);
  const sumBig = (some: typeof parts) => some.reduce((sum, part) => sum + big(centsOf(part)), 0n);
  const byPayer: ByPayer = PAYERS.map((payer) => sumBig(parts.filter((part) => part.payer === payer)));
  const after = sumBig(parts.filter(({ lowersTax }) => lowersTax));
  return { byPayer, after, taxed: sumBig(parts) - after };
}

/** The frozen order as the oracle reads it. */
function cartOf(
  order: Order,
  lines: readonly DiscountedLine[],
  delivery: { flat: number; low: number; from: number },
): DiscountedCart {
  const { quote } = order;
  return {
    lines: quote.items.map((item, at) => {
      const menu = cutOn(quote.menuDiscounts, ({ lineCents }) => lineCents[at]);
      const slots = cutOn(quote.discounts, ({ lineCents }) => lineCents[at]);
      return {
        quantity: big(item.quantity),
        list: big(item.listUnitCents ?? item.unitCents),
        unit: big(item.unitCents),
        marked: big(item.markedUnitCents),
        rates: [8_875_000n, lines[at]?.isCandy ? 3_300_000n : 0n],
        menu: menu.byPayer,
        slots: slots.byPayer,
        menuTaxed: menu.taxed,
        slotsAfter: slots.after,
      };
    }),
    delivery: { flat: big(delivery.flat), low: big(delivery.low), from: big(delivery.from) },
    onDelivery: cutOn(quote.discounts, ({ deliveryCents }) => deliveryCents).byPayer,
    service: 10n,
    tip: big(quote.tipCents),
  };
}

/** The shares of an order as the service has them. */
function shownOf(order: Order): DiscountedOrder {
  const shares = sharesOfOrder(order);
  const { salesCents, deliveryFeesCents, serviceFeesCents, taxesCents, tipCents } = partsOf(shares);
  const off = [shares.storeDiscountCents, shares.accountDiscountCents, shares.operatorDiscountCents].map(big);
  return {
    sales: big(salesCents),
    delivery: big(deliveryFeesCents),
    service: big(serviceFeesCents),
    taxes: big(taxesCents),
    tip: big(tipCents),
    off,
    offDelivery: big(shares.storeDeliveryDiscountCents),
    total: big(repriceOrder(order).totalWithTipCents),
  };
}

const { adjust, refund: byAccount, storeRefund, cancel } = STEPS;
const moves = fc.oneof(
  { weight: 4, arbitrary: adjust },
  { weight: 4, arbitrary: byAccount },
  { weight: 1, arbitrary: storeRefund },
  { weight: 1, arbitrary: cancel },
);

const sumBy = <Of>(list: readonly Of[], centsOf: (one: Of) => number) =>
  list.reduce((sum, one) => sum + centsOf(one), 0);
const PARTS = [
  'salesCents',
  'storeDiscountCents',
  'accountDiscountCents',
  'operatorDiscountCents',
  'commissionCents',
] as const;

test(`${LIVES} random lives of discounted orders: missing units and refunds as the algebra says, and every cent has its owner`, (t) => {
  const counts = { discounted: 0, adjusted: 0, refunded: 0, canceled: 0, free: 0 };
  const property = fc.property(
    discountedOrders,
    fc.array(moves, { maxLength: 7 }),
    storeTerms,
    ({ order, lines, delivery }, all, store) => {
      const cart = cartOf(order, lines, delivery);
      const whole = oracleDiscounted(
        cart,
        cart.lines.map(({ quantity }) => quantity),
      );
      const life = placedLife(order, 'card');
      assert.deepEqual(shownOf(life.order), whole, 'as it was ordered');
      takeStep(life, 'confirm');
      const total = life.order.quote.totalWithTipCents;
      for (const one of all) {
        takeAny(life, one, { hasDeliveryFee: store.terms.deliveryFee === 'store' });
        const handed = fulfilledItems(life.order).map(({ quantity }) => BigInt(quantity));
        assert.deepEqual(shownOf(life.order), oracleDiscounted(cart, handed, whole), 'as it is handed over');
        assert.ok(repriceOrder(life.order).totalWithTipCents <= total, 'missing units never raise the total');
        assert.ok(refundableCents(life.order) >= 0);
      }
      for (const one of life.ledger) {
        assert.equal(sumOf(one.shares) + one.tipCents <= one.cents, true);
        for (const item of one.items) assert.ok(item.cents >= 0 && item.taxCents >= 0, 'no refund is below zero');
      }
      assertBooks(life, store, whole);
      counts.discounted += Number(order.quote.discounts !== undefined || order.quote.menuDiscounts !== undefined);
      counts.adjusted += Number(life.order.adjustments.length > 0);
      counts.refunded += Number(life.ledger.length > 0);
      counts.canceled += Number(life.order.status === 'canceled');
      counts.free += Number(life.ledger.some(({ cents }) => cents === 0));
    },
  );
  fc.assert(property, { numRuns: LIVES });
  t.diagnostic(JSON.stringify(counts));
  for (const [name, count] of Object.entries(counts)) assert.ok(count > LIVES / 500, `${name}: ${count}`);
});

/** The entries of a life: their owners share its charges less its refunds, and a canceled order leaves nothing. */
function assertBooks(life: PureLife, store: LedgerStore, whole: DiscountedOrder): void {
  const all = ledgerOf(life.log, store);
  assertOwners(life, all);
  const entries = all.flatMap((entry) => entry ?? []);
  const [sale = assert.fail()] = entries;
  const base = whole.sales + (whole.off[0] ?? 0n) - whole.offDelivery;
  const percent = BigInt(Math.round(store.terms.commissionPercent * 10));
  assert.equal(BigInt(sale.commissionCents), half(percent * base, 1000n) + BigInt(store.terms.perOrderCents));
  assert.equal(BigInt(sale.operatorDiscountCents), whole.off[2]);
  for (const name of PARTS)
    if (life.order.status === 'canceled') {
      const left = sumBy(entries, (entry) => entry[name]);
      assert.equal(left, name === 'commissionCents' ? store.terms.perOrderCents : 0, name);
    }
}

test('refunding a line unit by unit returns the line’s cost, as the model computes it', () => {
  const property = fc.property(
    discountedOrders,
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 }),
    ({ order }, sizes) => {
      for (const [index, item] of order.quote.items.entries()) {
        const life = placedLife(order, 'card');
        takeStep(life, 'confirm');
        const d = (order.quote.discounts ?? [])
          .flatMap(({ parts }) => parts)
          .reduce((sum, { lineCents }) => sum + big(lineCents[index]), 0n);
        const q = BigInt(item.quantity);
        let e = 0n;
        for (let nth = 0; e < q; nth += 1) {
          const k = [BigInt(sizes[nth % sizes.length] ?? 1), q - e].reduce((a, b) => (a < b ? a : b));
          if (refund(life, { items: [{ index, quantity: Number(k) }], reason: '' }) === undefined) return;
          const [given = assert.fail()] = life.ledger.at(-1)?.items ?? [];
          const price = big(item.markedUnitCents) * k;
          const cut = half(d * (e + k), q) - half(d * e, q);
          assert.equal(BigInt(given.cents), price - cut);
          e += k;
        }
        const given = life.ledger.flatMap(({ items }) => items);
        assert.equal(BigInt(sumBy(given, ({ cents }) => cents)), big(item.markedUnitCents) * q - d);
        for (const [at] of PAYERS.entries()) {
          const left = given.reduce((sum, { discounts }) => sum + (discounts?.[at] ?? 0), 0);
          const all = [...(order.quote.discounts ?? []), ...(order.quote.menuDiscounts ?? [])]
            .flatMap(({ parts }) => parts)
            .filter(({ payer }) => payer === PAYERS[at]);
          assert.equal(
            left,
            sumBy(all, ({ lineCents }) => lineCents[index] ?? 0),
          );
        }
      }
    },
  );
  fc.assert(property, { numRuns: runs(5_000, 500) });
});
