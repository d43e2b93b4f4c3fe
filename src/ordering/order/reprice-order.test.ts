import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { type HandedOver, oracleAdjusted } from '../../../test/oracles/adjusted-price.ts';
import { cartLines, carts, lineOf, orderOf, taxName } from '../../../test/oracles/carts.ts';
import type { OracleCart } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { priceUnit } from '../../supply/pricing/price-order.ts';
import { adjustItem, handedOver as handedItem } from '../money/adjust-item.ts';
import { highestMarkedCents, substitutePrice } from '../money/substitute.ts';
import { fulfilledItems } from './fulfilled-items.ts';
import type { ItemAdjustment, Order } from './order.ts';
import { adjustedCents, repriceOrder } from './reprice-order.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);

/** The fulfillment of each line: some of its units, of the product itself or a substitute. */
const handedSeeds = fc.array(
  fc.record({ part: fc.double({ min: 0, max: 1, noNaN: true }), substitute: fc.option(cartLines) }),
  { minLength: 3, maxLength: 3 },
);
type Seeds = typeof handedSeeds extends fc.Arbitrary<infer Value> ? Value : never;
const filled = carts.filter(({ lines }) => lines.length > 0);

function handedOver(cart: OracleCart, seeds: Seeds): HandedOver[] {
  return cart.lines.map((line, index) => {
    const { part = 1, substitute = null } = seeds[index] ?? {};
    const quantity = BigInt(Math.round(Number(line.quantity) * part));
    // A substitute here has its original's class; substitute.test.ts has the others.
    const alike = substitute && { ...substitute, taxClass: line.taxClass ?? 'general' };
    return { quantity, substitute: quantity === 0n ? null : alike };
  });
}

/** The placed order of a cart whose customer accepts any substitute. */
function orderOfCart(cart: OracleCart): Order {
  const { order } = givenMessageContext(orderOf(cart));
  const item = { productId: '', quantity: 1, selectedOptions: [], notes: '', markedPriceCents: null };
  const substitution = { preference: 'store_choice' } as const;
  const items = cart.lines.map(() => ({ ...item, substitution }));
  return { ...order, status: 'in_progress', driverStage: 'none', request: { ...order.request, items } };
}

function adjustmentOf(order: Order, { quantity, substitute }: HandedOver, index: number): ItemAdjustment {
  const item = order.quote.items[index];
  assert.ok(item);
  if (!substitute) return { index, quantity: Number(quantity), substitute: null };
  const { unitCents, customizations } = priceUnit(lineOf(substitute), false);
  const taxClass = lineOf(substitute).taxClass;
  const price = substitutePrice(item, unitCents, highestMarkedCents(item, taxClass, order.quote.terms.fees.taxes));
  // Products of a different price are different products.
  const productNo = 1000 + price.unitCents;
  const other = { productId: 'other', externalId: 'other', productNo, name: 'Other', image: null, isAlcoholic: false };
  return { index, quantity: Number(quantity), substitute: { ...other, taxClass, customizations, ...price } };
}

const adjusted = (order: Order, handed: readonly HandedOver[]): Order => ({
  ...order,
  adjustments: handed.map((each, index) => adjustmentOf(order, each, index)),
});

test('every adjusted price equals rational arithmetic, and never exceeds the agreed price', () => {
  fc.assert(
    fc.property(filled, handedSeeds, (cart, seeds) => {
      const handed = handedOver(cart, seeds);
      const oracle = oracleAdjusted(cart, handed);
      const order = adjusted(orderOfCart(cart), handed);
      const price = repriceOrder(order);
      assert.equal(BigInt(price.totalWithTipCents), oracle.total);
      if (handed.some(({ quantity }) => quantity > 0n)) {
        const { subtotalCents, deliveryFeeCents, serviceFeeCents, smallOrderFeeCents } = price;
        assert.deepEqual([subtotalCents, deliveryFeeCents, serviceFeeCents, smallOrderFeeCents].map(BigInt), [
          oracle.S,
          oracle.delivery,
          oracle.service,
          oracle.small,
        ]);
        const { quote } = order;
        assert.equal(
          price.taxes.length,
          new Set(cart.namedTaxes?.map((_, at) => taxName(cart, at)) ?? ['Sales tax']).size,
        );
        if (price.taxes) assert.equal(sum(price.taxes.map(({ cents }) => cents)), price.salesTaxCents);
        assert.ok(deliveryFeeCents <= quote.deliveryFeeCents && deliveryFeeCents >= 0);
        assert.ok(serviceFeeCents <= quote.serviceFeeCents && smallOrderFeeCents <= quote.smallOrderFeeCents);
      }
      assert.ok(price.totalWithTipCents <= order.quote.totalWithTipCents);
      assert.equal(adjustedCents(order), order.quote.totalWithTipCents - price.totalWithTipCents);
      for (const item of fulfilledItems(order)) {
        assert.ok(item.unitCents <= (item.replaces?.unitCents ?? item.unitCents));
        assert.ok(item.markedUnitCents >= 0);
      }
    }),
    { numRuns: runs(20_000) },
  );
});

test('with every unit handed over as it was ordered, the price is the agreed price', () => {
  fc.assert(
    fc.property(filled, (cart) => {
      const all = cart.lines.map(({ quantity }) => ({ quantity, substitute: null }));
      const order = adjusted(orderOfCart(cart), all);
      assert.equal(repriceOrder(order).totalWithTipCents, order.quote.totalWithTipCents);
    }),
    { numRuns: runs(5_000) },
  );
});

/** The items of an order in random order, each adjusted in one or two steps. */
const paths = fc.tuple(
  fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
);

test('the same handed-off items give the same total by every path, and no adjustment costs the customer a cent', () => {
  fc.assert(
    fc.property(filled, handedSeeds, paths, (cart, seeds, [sequence, parts]) => {
      const handed = handedOver(cart, seeds);
      const start = orderOfCart(cart);
      let order = start;
      let lessCents = 0;
      const take = (wanted: ItemAdjustment) => {
        const step = adjustItem(order, wanted, 'key');
        assert.ok(step.lessCents >= 0);
        lessCents += step.lessCents;
        order = step.order;
      };
      for (const index of sequence.filter((each) => each < handed.length)) {
        const end = adjustmentOf(start, handed[index] as HandedOver, index);
        const ordered = start.quote.items[index]?.quantity ?? 0;
        const part = end.quantity + Math.round((ordered - end.quantity) * (parts[index] ?? 0));
        take({ index, quantity: part, substitute: null });
        take(end);
      }
      assert.equal(lessCents, adjustedCents(adjusted(start, handed)));
      assert.equal(order.quote.totalWithTipCents - lessCents, repriceOrder(order).totalWithTipCents);
    }),
    { numRuns: runs(10_000) },
  );
});

test('an adjustment that would make the order dearer again is refused', () => {
  fc.assert(
    fc.property(filled, handedSeeds, handedSeeds, (cart, first, second) => {
      const start = orderOfCart(cart);
      const before = adjusted(start, handedOver(cart, first));
      const wanted = adjustmentOf(start, handedOver(cart, second)[0] as HandedOver, 0);
      const after = { ...before, adjustments: [wanted, ...before.adjustments.slice(1)] };
      const lessCents = repriceOrder(before).totalWithTipCents - repriceOrder(after).totalWithTipCents;
      const from = handedItem(before, 0);
      // Two roundings of a tax may make fewer units a cent more expensive, for each tax.
      const isSame = wanted.quantity === 0 || [null, wanted.substitute?.productNo ?? null].includes(from.productNo);
      const isRounded = isSame && wanted.quantity <= from.quantity && -lessCents <= start.quote.terms.fees.taxes.length;
      if (lessCents >= 0 || isRounded)
        assert.equal(adjustItem(before, wanted, 'key').lessCents, Math.max(0, lessCents));
      else {
        const refused = (error: unknown) => error instanceof Refusal && error.code === 'transition_not_allowed';
        assert.throws(() => adjustItem(before, wanted, 'key'), refused);
      }
    }),
    { numRuns: runs(5_000) },
  );
});

/** Carts of a few dollars, small enough to enumerate every subtotal. */
const smallCarts = fc
  .tuple(filled, fc.array(fc.bigInt({ min: 0n, max: 300n }), { minLength: 3, maxLength: 3 }))
  .map(([cart, minimums]) => ({
    ...cart,
    pickup: false,
    lines: cart.lines.map((line) => ({ ...line, price: line.price % 20n, quantity: (line.quantity % 5n) + 1n })),
    delivery: {
      ...cart.delivery,
      thresholds: cart.delivery.thresholds.map((each, index) => ({ ...each, minimum: minimums[index] ?? 0n })),
    },
  }));

test('the delivery fee is the lowest of all subtotals from the new to the agreed one', () => {
  fc.assert(
    fc.property(smallCarts, handedSeeds, (cart, seeds) => {
      const handed = handedOver(cart, seeds).map((each) => ({ ...each, substitute: null }));
      const oracle = oracleAdjusted(cart, handed);
      if (oracle.agreed.subtotal > 4000n || handed.every(({ quantity }) => quantity === 0n)) return;
      let lowest = oracle.agreed.delivery;
      for (let subtotal = oracle.S; subtotal < oracle.agreed.subtotal; subtotal += 1n) {
        const line = { price: subtotal, quantity: 1n, marked: null, options: [] };
        const { delivery } = oracleAdjusted({ ...cart, lines: [line] }, [{ quantity: 1n, substitute: null }]).agreed;
        if (delivery < lowest) lowest = delivery;
      }
      assert.equal(oracle.delivery, lowest);
    }),
    { numRuns: runs(300) },
  );
});
