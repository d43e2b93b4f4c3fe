import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { endPromotions } from '../../../test/given/promotions.ts';
import { givenStores, STORE_LINE } from '../../../test/given/stores.ts';
import { skipWeights as skip, WORKED_WEIGHTS, type WorkedWeights } from '../../../test/given/worked-weights.ts';
import { done, givenApp } from '../../../test/harness.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { decimalOfMilli } from '../../supply/pricing/weight.ts';

/** The worked examples of goods by weight, from the order over the scale to the gateway's books and the statement. */

const app = await givenApp();
const operator = await givenOperator(app);
const card = await givenPaymentMethod(app);
after(() => app.close());

/** Examples in thousandths of 100 g are of grams, those with a label of kilograms are of kilograms. */
const unitOf = ({ name }: WorkedWeights) => (name.startsWith('4 ') ? 'g' : name.startsWith('3 ') ? 'kg' : 'lb');

async function givenShop(example: WorkedWeights, nth: number): Promise<string> {
  const { lines, fees, taxes } = example.input;
  const { delivery, service } = fees;
  const [storeId = ''] = await givenStores(app, [
    {
      ...STORE_LINE,
      external_id: `weights-${nth}`,
      name: `Grocer ${nth}`,
      fees: {
        delivery_fee: {
          delivery_fee_flat: delivery.flat ?? 0,
          threshold_fees: (delivery.thresholds ?? []).map(({ minimum, flat }) => ({
            minimum_subtotal: minimum,
            fee_flat: flat,
          })),
        },
        service_fee: {
          service_fee_percent: service.percent ?? 0,
          service_fee_taxable: service.taxable ?? false,
          ...(service.min !== undefined && { service_fee_min: service.min, service_fee_max: service.max }),
        },
        taxes,
      },
      categories: [
        {
          id: 'all',
          name: 'All',
          products: lines.map(({ name, price, taxClass, ordered, tolerance, per = 1 }, at) => ({
            id: name,
            name,
            price,
            tax_class: taxClass,
            ...(ordered && {
              sold_by: 'weight',
              weight: {
                unit: unitOf(example),
                price_per: per,
                step: 0.001,
                min: 0.001,
                tolerance_percent: tolerance,
                scale_code: String(12345 + at),
              },
            }),
          })),
        },
      ],
    },
  ]);
  return storeId;
}

async function offer({ input: { promotion } }: WorkedWeights, storeId: string): Promise<void> {
  if (!promotion) return;
  const { kind, percent, amount: amount_cents, payer } = promotion;
  await done(
    operator.post('/operator/promotions', {
      ...JSON.parse(JSON.stringify({ kind, percent, amount_cents })),
      funding: [{ payer, percent: 100 }],
      max_uses: 100,
      stores: [storeId],
      reason: 'A test.',
      ...(payer === 'store' && { agreed_by: 'Ana', agreed_on: '2026-06-01' }),
    }),
  );
}

/** GS1's weights of the four digits of a price, by digit. */
const PRICE_WEIGHTS = ['0246891357', '0246891357', '0369258147', '0594837261'];

/** The code of a price label of an item: `2IIIIIVPPPPC`. */
function priceLabel(item: number, cents: number): string {
  const price = String(cents).padStart(4, '0');
  const weighted = sumCents([...price].map((digit, at) => Number(PRICE_WEIGHTS[at]?.[Number(digit)])));
  const digits = `2${item}${(weighted * 3) % 10}${price}`;
  const sum = sumCents([...digits].map((digit, at) => Number(digit) * (at % 2 === 0 ? 3 : 1)));
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

async function assertExample(example: WorkedWeights, nth: number): Promise<void> {
  const { input, final, fixed, expected } = example;
  const storeId = await givenShop(example, nth);
  await offer(example, storeId);
  await app.catchUp();
  const tokens = await productTokens(app, storeId);
  const items = input.lines.map(({ name, ordered, quantity }) => ({
    product_id: tokens[name],
    quantity: ordered ? String(decimalOfMilli(ordered)) : quantity,
  }));
  const body = orderBody('', card, { items, pickup: false, driver_tip_cents: input.tip ?? 0 });
  const { order_id: orderId, ...placed } = await done(app.post('/order/order/v2', body));
  assert.equal(placed.final_quote?.total_with_tip ?? placed.total_with_tip, expected.estimate);
  const element = async () => (await done(app.get('/account/orders', { order_id: orderId }))).orders[0];
  const held = await element();
  assert.deepEqual(
    [held.is_estimate, held.authorized_cents, held.captured_cents, held.weighed_quote, held.total_with_tip],
    [true, expected.authorized, null, null, expected.estimate],
  );
  assert.deepEqual(await chargesOf(orderId), [['authorized', expected.authorized]]);

  const store = await givenStoreKey(app, storeId, app.accountId);
  await done(store.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 }));
  for (const [index, amount] of final.entries()) {
    if (!input.lines[index]?.ordered) continue;
    const label = fixed?.[index];
    const said = label == null ? { weight: String(amount) } : { label: priceLabel(12345 + index, label) };
    await done(store.post(`/store/orders/${orderId}/items/${index}`, said));
  }
  const driver = { name: 'Dan', phone: 12125550123, vehicle_type: 'bike' };
  await done(store.post(`/store/orders/${orderId}/assign_driver`, driver));
  await done(store.post(`/store/orders/${orderId}/pick_up`, {}));
  await app.advance({ seconds: 1 });
  const taken = await element();
  const { weighed_quote: weighed } = taken;
  assert.deepEqual(
    [taken.authorized_cents, taken.captured_cents, taken.total_with_tip, weighed.total_with_tip],
    [expected.authorized, expected.captured, expected.captured, expected.captured],
  );
  assert.deepEqual(
    [weighed.quote.delivery_fee_cents, weighed.quote.service_fee_cents, weighed.quote.sales_tax_cents],
    [expected.fees.delivery, expected.fees.service, expected.tax],
  );
  assert.equal(weighed.discount_cents ?? 0, expected.discount);
  assert.deepEqual(await chargesOf(orderId), [['succeeded', expected.captured]]);

  await done(store.post(`/store/orders/${orderId}/complete`, {}));
  for (const [at, { refund }] of (expected.refunds ?? []).entries()) {
    const wanted = at === 0 ? { index: 0, weight: '0.5' } : { index: 0 };
    const { amount } = await done(app.post('/order/refund', { order_id: orderId, items: [wanted] }));
    assert.equal(amount, refund);
  }
  await app.advance({ seconds: 1 });
  const month = { month: '2026-06', sandbox_account_id: app.accountId };
  const { lines, totals } = await done(operator.get(`/operator/stores/${storeId}/statement`, month));
  assert.deepEqual(lines[0].kind, 'sale');
  const refunded = sumCents((expected.refunds ?? []).map(({ refund }) => refund));
  assert.equal(sumCents(Object.values<number>(lines[0].shares)), expected.captured);
  assert.equal(sumCents(Object.values<number>(totals.shares)), expected.captured - refunded);
}

/** Status and amount of every charge in the gateway's books. */
async function chargesOf(orderId: string) {
  const { charges } = await done(app.get('/sandbox/charges', { order_id: orderId }));
  return charges.map(({ status, amount }: { status: string; amount: number }) => [status, amount]);
}

test('the worked examples are estimated, held, weighed, captured and booked as they say', { skip }, async (t) => {
  for (const [nth, example] of WORKED_WEIGHTS.entries()) {
    await t.test(example.name, () => assertExample(example, nth).finally(() => endPromotions(app.service.deps.db)));
  }
});
