import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { grocery, searchCart, withStores } from '../../../test/given/groceries.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';
import { type OracleCart, oraclePrice } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';

const app = await givenApp();
after(() => app.close());

const KINDS = ['Milk', 'Eggs', 'Bread', 'Butter', 'Rice'];
const cents = (max: number) => fc.nat({ max });
const percents = fc.constantFrom(0, 5, 8.875, 10, 14.975, 33.3333);

/** A store with its feed's fees and with products of each kind that match the kind equally. */
const shops = fc.record({
  flat: cents(700),
  percent: percents,
  deliveryTaxable: fc.boolean(),
  threshold: fc.option(fc.record({ minimum: cents(4000), flat: cents(300) })),
  service: fc
    .record({
      flat: cents(200),
      percent: percents,
      min: cents(300),
      aboveMin: fc.option(cents(700)),
      taxable: fc.boolean(),
    })
    // A feed whose minimum is above its maximum is rejected.
    .map(({ aboveMin, ...fee }) => ({ ...fee, max: aboveMin === null ? null : fee.min + aboveMin })),
  small: fc.record({ minimum: cents(3000), flat: cents(500) }),
  orderMinimum: fc.oneof(fc.constant(0), cents(3000)),
  taxPercent: percents,
  namedTaxes: fc.option(fc.array(fc.constantFrom(0, 1.005, 5, 7, 9.975), { minLength: 1, maxLength: 4 })),
  goods: fc.array(
    fc.array(fc.record({ price: cents(1200), stock: fc.option(cents(4)) }), { minLength: 0, maxLength: 3 }),
    { minLength: KINDS.length, maxLength: KINDS.length },
  ),
});
type Shop = typeof shops extends fc.Arbitrary<infer One> ? One : never;

const BRANDS = ['Harvest', 'Lakeside', 'Sunrise'];

function shopLine(shop: Shop, at: number) {
  const { service, small, threshold } = shop;
  const goods = shop.goods.flatMap((products, kind) =>
    products.map(({ price, stock }, n) => [`${BRANDS[n]} ${KINDS[kind]}`, { price, qty_available: stock }] as const),
  );
  return grocery(`s${at}`, Object.fromEntries(goods), {
    fees: {
      delivery_fee: {
        delivery_fee_flat: shop.flat,
        delivery_fee_percent: shop.percent,
        delivery_fee_taxable: shop.deliveryTaxable,
        threshold_fees: threshold ? [{ minimum_subtotal: threshold.minimum, delivery_fee_flat: threshold.flat }] : [],
      },
      service_fee: {
        service_fee_flat: service.flat,
        service_fee_percent: service.percent,
        service_fee_min: service.min,
        ...(service.max === null ? {} : { service_fee_max: service.max }),
        service_fee_taxable: service.taxable,
      },
      small_order_fee: { minimum_order_value: small.minimum, small_order_fee_flat: small.flat },
      order_minimum: shop.orderMinimum,
      ...(shop.namedTaxes
        ? { taxes: shop.namedTaxes.map((percent, n) => ({ name: `Tax ${n}`, percent })) }
        : { sales_tax_percent: shop.taxPercent }),
    },
  });
}

/** The total for a subtotal at a store, by the price oracle. */
function expectedTotal(shop: Shop, subtotal: number): number {
  const { service, small, threshold } = shop;
  const fee = (flat: number, percent: number) => ({ flat: BigInt(flat), percent: String(percent) });
  const cart: OracleCart = {
    pickup: false,
    lines: [{ price: BigInt(subtotal), quantity: 1n, marked: null, options: [] }],
    delivery: {
      ...fee(shop.flat, shop.percent),
      taxable: shop.deliveryTaxable,
      thresholds: threshold ? [{ ...fee(threshold.flat, 0), minimum: BigInt(threshold.minimum) }] : [],
    },
    slot: null,
    service: {
      ...fee(service.flat, service.percent),
      min: BigInt(service.min),
      max: service.max === null ? null : BigInt(service.max),
      taxable: service.taxable,
    },
    pickupService: null,
    small: { ...fee(small.flat, 0), minimum: BigInt(small.minimum) },
    taxPercent: String(shop.taxPercent),
    namedTaxes: shop.namedTaxes?.map(String) ?? null,
    tip: 0n,
    pricesMarked: false,
    added: { ...fee(0, 0), taxable: false },
    misc: [],
  };
  return Number(oraclePrice(cart).totalWithoutTips);
}

/** The lowest price for a quantity of a kind at a store; undefined if no product has enough stock. */
function costOf({ goods }: Shop, kind: number, quantity: number): number | undefined {
  const had = (goods[kind] ?? []).filter(({ stock }) => stock === null || stock >= quantity);
  return had.length === 0 ? undefined : quantity * Math.min(...had.map(({ price }) => price));
}

/** The price of the lines at a store and whether it accepts such an order; undefined if it lacks one. */
function cartAt(shop: Shop, lines: readonly (readonly [kind: number, quantity: number])[]) {
  const costs = lines.map(([kind, quantity]) => costOf(shop, kind, quantity));
  if (costs.length === 0 || costs.includes(undefined)) return undefined;
  const subtotal = costs.reduce((sum: number, one) => sum + (one ?? 0), 0);
  return { total: expectedTotal(shop, subtotal), isTaken: subtotal >= shop.orderMinimum };
}

const ascending = (a: number, b: number) => a - b;

function expectedCarts(list: readonly Shop[], lines: readonly (readonly [number, number])[]) {
  const full = list.flatMap((shop) => cartAt(shop, lines) ?? []);
  const totals = (isTaken: boolean) =>
    full
      .filter((cart) => cart.isTaken === isTaken)
      .map((cart) => cart.total)
      .sort(ascending);
  return [...totals(true), ...totals(false)];
}

test('carts of any stores equal an exhaustive search’s, in order, to the cent', async () => {
  const carts = fc.uniqueArray(fc.tuple(fc.nat({ max: KINDS.length - 1 }), fc.integer({ min: 1, max: 3 })), {
    selector: ([kind]) => kind,
    minLength: 1,
    maxLength: KINDS.length,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(shops, { minLength: 2, maxLength: 8 }),
      fc.array(carts, { minLength: 3, maxLength: 3 }),
      async (list, wanted) => {
        await withStores(app, list.map(shopLine), async () => {
          for (const lines of wanted) {
            const query = Object.fromEntries(lines.map(([kind, quantity]) => [KINDS[kind] as string, quantity]));
            const body = await searchCart(app, query);
            const totalsOf = (carts: Reply['body'][]) => carts.map(({ grand_total: total }) => total);
            assert.deepEqual(totalsOf(body.carts), expectedCarts(list, lines));
          }
        });
      },
    ),
    { numRuns: runs(12) },
  );
});
