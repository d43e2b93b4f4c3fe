import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenConsole, givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { endPromotions } from '../../../test/given/promotions.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import { givenStores, STORE_LINE } from '../../../test/given/stores.ts';
import {
  type Fee,
  type Funding,
  type Line,
  type Offer,
  skipWorked as skip,
  WORKED,
  type Worked,
} from '../../../test/given/worked-promotions.ts';
import { done, givenApp, type Reply } from '../../../test/harness.ts';
import { sumCents } from '../../platform/lib/money.ts';
import type { Payer } from '../../supply/pricing/promotion.ts';

/** The worked examples of promotions, from the doors where they are offered to statements, receipts and refunds. */

const app = await givenApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
const operator = await givenOperator(app);
const receiver = await givenReceiver();
const card = await givenPaymentMethod(app);
assert.equal((await app.post('/account/tracking/add_webhook', { endpoint: receiver.url })).status, 200);
after(async () => {
  await app.close();
  await receiver.close();
});

const flatOf = (name: string, { flat = 0, percent = 0, taxable = false }: Fee) => ({
  [`${name}_flat`]: flat,
  [`${name}_percent`]: percent,
  [`${name}_taxable`]: taxable,
});

/** A chosen option makes a product cost more than its base price. */
const productOf = ({ name, unit, base = unit, taxClass }: Line) => ({
  id: name,
  name,
  price: base,
  tax_class: taxClass,
  ...(base < unit && {
    customizations: [{ id: 'with', name: 'With', options: [{ id: 'more', name: 'More', price: unit - base }] }],
  }),
});

async function givenExample({ input: { place, lines, fees, taxes, terms } }: Worked, nth: number) {
  const { service } = fees;
  const [storeId = ''] = await givenStores(app, [
    {
      ...STORE_LINE,
      external_id: `example-${nth}`,
      name: `Example ${nth}`,
      address: {
        street_addr: '120 5th Ave',
        city: 'Springfield',
        zipcode: place.country === 'US' ? '10011' : 'M5V 2T6',
        ...place,
      },
      fees: {
        delivery_fee: flatOf('delivery_fee', fees.delivery),
        service_fee: {
          ...flatOf('service_fee', service),
          ...(service.min !== undefined && { service_fee_min: service.min, service_fee_max: service.max }),
        },
        taxes,
      },
      categories: [{ id: 'all', name: 'All', products: lines.map(productOf) }],
    },
  ]);
  const asAgreed = { commission: terms.commission, tax: terms.tax, reason: 'A test.' };
  const setTerms = (delivery_fee: string) =>
    done(operator.post(`/operator/stores/${storeId}/terms`, { ...asAgreed, delivery_fee }));
  return { storeId, setTerms, owner: await givenConsole(app, storeId) };
}

type Shop = Awaited<ReturnType<typeof givenExample>>;

const fundingOf = (funding: Funding) => Object.entries(funding).map(([payer, percent]) => ({ payer, percent }));

/** Creates an offer through its payer's endpoint; returns its ID. The operator records offers a store pays a part of. */
async function offer({ storeId, owner }: Shop, { funding }: { funding: Funding }, body: object): Promise<string> {
  const { promotion_id: id } = await (funding.store === 100
    ? done(owner.post('/store/promotions', body))
    : funding.account === 100
      ? done(app.post('/account/promotions', { ...body, max_uses: 100 }))
      : done(
          operator.post('/operator/promotions', {
            ...body,
            funding: fundingOf(funding),
            max_uses: 100,
            stores: [storeId],
            reason: 'A test.',
            ...(funding.store && { agreed_by: 'Ana', agreed_on: '2026-06-01' }),
          }),
        ));
  return id;
}

function bodyOf(one: Offer): object {
  const { kind = 'delivery', code, minimum_subtotal } = one;
  const terms = {
    percent: { percent: one.percent, max_discount_cents: one.max_discount },
    amount: { amount_cents: one.amount },
    buy_get: { buy: one.buy, get: one.get },
    delivery: { to_cents: 0 },
  }[kind];
  return JSON.parse(JSON.stringify({ kind, ...terms, code, minimum_subtotal }));
}

async function orderOf({ input: { place, mode, lines, tip, promotions } }: Worked, { storeId }: Shop) {
  const tokens = await productTokens(app, storeId, mode === 'pickup');
  const codes = promotions.flatMap(({ code }) => code ?? []);
  return orderBody('', card, {
    place_order: false,
    items: lines.map(({ name, quantity, unit, base = unit }) => ({
      product_id: tokens[name],
      quantity,
      selected_options: base < unit ? [{ option_id: 'more', quantity: 1 }] : [],
    })),
    pickup: mode === 'pickup',
    driver_tip_cents: tip,
    user_state: place.state,
    user_country: place.country,
    user_zipcode: place.country === 'US' ? '10010' : 'M5V 2T6',
    ...(codes.length > 0 && { promotion_codes: codes }),
  });
}

/** The members of a quote that the example has. */
function assertQuote(quote: Reply['body'], { input, expected }: Worked, ids: readonly string[]): void {
  const { subtotal, delivery_fee_cents, service_fee_cents, small_order_fee_cents, ...own } = quote.quote;
  assert.deepEqual(
    [subtotal, delivery_fee_cents, service_fee_cents, small_order_fee_cents, own.sales_tax_cents],
    [expected.subtotal, expected.delivery, expected.service, expected.small, expected.sales_tax],
  );
  assert.deepEqual(
    own.taxes,
    expected.taxes.map(({ name, cents }) => ({ name, amount: cents })),
  );
  const { discount_cents, tip, total_with_tip } = quote;
  assert.deepEqual(
    [discount_cents, own.total_without_tips, tip, total_with_tip],
    [expected.discount_cents, expected.total_without_tips, expected.tip, expected.total_with_tip],
  );
  assert.deepEqual(
    quote.discounts.map(({ title: _, ...shown }: { title: string }) => shown),
    expected.discounts.map(({ id, slot, amount, lines, delivery = 0, paid_by }) => {
      const at = input.promotions.findIndex((one) => one.id === id);
      const { code, funding } = input.promotions[at] ?? assert.fail();
      return {
        promotion_id: ids[at],
        // An offer a store pays a part of is created by the operator.
        slot: slot === 'store' && funding.store !== 100 ? 'market' : slot,
        ...(code && { code }),
        amount,
        paid_by: Object.entries(paid_by).map(([payer, cents]) => ({ payer, amount: cents })),
        lines: lines.flatMap((cents, index) => (cents === 0 ? [] : [{ index, amount: cents }])),
        delivery_amount: delivery,
      };
    }),
  );
}

test('the worked examples are quoted, placed, charged, mailed, told and booked as they say', { skip }, async (t) => {
  for (const [nth, example] of WORKED.entries()) {
    await t.test(example.name, async () => {
      await assertExample(example, nth).finally(() => endPromotions(app.service.deps.db));
    });
  }
});

async function assertExample(example: Worked, nth: number): Promise<void> {
  const { input, expected } = example;
  const shop = await givenExample(example, nth);
  const ids: string[] = [];
  for (const one of input.promotions) ids.push(await offer(shop, one, bodyOf(one)));
  for (const { name, item_price: price } of input.lines)
    if (price) await offer(shop, price, { kind: 'item_price', price_cents: price.price, items: { products: [name] } });
  await app.catchUp();
  const body = await orderOf(example, shop);
  const quote = () => done(app.post('/order/order/v2', body));
  if (expected.of_the_store !== undefined) {
    await shop.setTerms('store');
    assert.equal((await quote()).final_quote.quote.sales_tax_cents, expected.of_the_store);
  }
  await shop.setTerms(input.terms.delivery);

  const quoted = await quote();
  assertQuote(quoted.final_quote, example, ids);
  assert.equal(quoted.rejected_codes, undefined);
  const { order_id: orderId } = quoted;
  const placed = await done(app.post('/order/finalize', { order_id: orderId }));
  assertQuote(placed.final_quote, example, ids);
  input.lines.forEach(({ unit, quantity, item_price }, at) => {
    const item = placed.final_quote.items[at];
    const off = sumCents(expected.discounts.map(({ lines }) => lines[at] ?? 0));
    assert.deepEqual(
      [item.discount_cents ?? 0, item.list_unit_price, item.quantity],
      [off, item_price && unit, quantity],
    );
  });
  await app.advance({ seconds: 1 });
  await assertShown(example, { orderId, ids });
  await assertBooks(example, { orderId, storeId: shop.storeId });
}

const elementOf = async (orderId: string) => (await done(app.get('/account/orders', { order_id: orderId }))).orders[0];

/** The placed order as the account, its webhook, the card and the customer see it. */
async function assertShown(example: Worked, { orderId, ids }: { orderId: string; ids: readonly string[] }) {
  const { expected } = example;
  const seen = await elementOf(orderId);
  assertQuote(seen.final_quote, example, ids);
  assert.deepEqual([seen.total_with_tip, seen.profit], [expected.total_with_tip, expected.owners.account]);
  const { charges } = await done(app.get('/sandbox/charges', { order_id: orderId }));
  assert.deepEqual(
    charges.map(({ amount }: { amount: number }) => amount),
    [expected.total_with_tip],
  );

  const calls = receiver.calls.map(({ body: text }) => JSON.parse(text));
  const call = calls.find(({ type, data }) => type === 'order.placed' && data.order.order_id === orderId);
  assertQuote(call.data.order.final_quote, example, ids);

  const { messages } = await done(app.get('/sandbox/messages', { order_id: orderId }));
  const { text } = messages.find(({ kind }: { kind: string }) => kind === 'order_confirmation');
  for (const { title, code, amount, paid_by } of seen.final_quote.discounts) {
    const row = `${code ? `${title} · ${code}` : title}`;
    assert.ok(text.includes(row) && text.includes(`-$${(amount / 100).toFixed(2)}`), `${row}\n${text}`);
    for (const { payer } of paid_by) if (amount) assert.ok(text.includes(PAID_BY[payer as Payer]) || !code, text);
  }
}

const sumOf = (amounts: Readonly<Record<string, number>>) => sumCents(Object.values(amounts));

/** An item that is missing at the store, or units that are refunded one by one. */
async function giveBack({ input, expected }: Worked, { orderId, storeId }: { orderId: string; storeId: string }) {
  await done(app.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' }));
  const { refunds = [], without } = expected;
  const [first] = refunds;
  if (without || first?.refund === 0) {
    const store = await givenStoreKey(app, storeId, app.accountId);
    const index = without ? 0 : input.lines.length - 1;
    await done(store.post(`/store/orders/${orderId}/items/${index}`, { quantity: 0 }));
    await app.advance({ seconds: 1 });
    const off = expected.total_with_tip - (without?.total ?? expected.total_with_tip);
    const left = await elementOf(orderId);
    assert.deepEqual([left.adjusted_amount ?? 0, left.refunded_amount], [off, off]);
    return;
  }
  for (const { refund } of refunds) {
    const items = [{ index: 0, quantity: 1 }];
    assert.equal((await done(app.post('/order/refund', { order_id: orderId, items }))).amount, refund);
  }
  await app.advance({ seconds: 1 });
}

/** Checks the statement, then the refunds, and that the owners have the whole rest. */
async function assertBooks(example: Worked, { orderId, storeId }: { orderId: string; storeId: string }) {
  const { input, expected } = example;
  const month = { month: '2026-06', sandbox_account_id: app.accountId };
  const path = `/operator/stores/${storeId}/statement`;
  const [sale, ...others] = (await done(operator.get(path, month))).lines;
  assert.deepEqual(others, []);
  assert.deepEqual(sale.shares, expected.owners);
  assert.deepEqual([sale.commission, sale.payout - sale.tips_to_pass_on], [expected.commission, expected.payout]);
  const listCents = sumCents(input.lines.map(({ unit, quantity }) => unit * quantity));
  const ofStore = sumCents([
    ...expected.discounts.map(({ paid_by }) => paid_by.store ?? 0),
    listCents - expected.subtotal,
  ]);
  assert.deepEqual([sale.sales, sale.discounts ?? 0], [listCents, 0 - ofStore]);
  const { taxLines } = await app.service.deps.db
    .selectFrom('ledgerEntries')
    .select('taxLines')
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow();
  for (const { name, base } of expected.taxes) {
    const own = taxLines.filter((line) => line.name === name);
    assert.equal(sumCents(own.map(({ baseCents }) => baseCents)), base, name);
  }

  await giveBack(example, { orderId, storeId });
  const { totals } = await done(operator.get(path, month));
  const { without } = expected;
  if (without) {
    const { S, delivery, service, small, tax } = without;
    const left = [totals.sales, totals.delivery_fees, totals.service_fees, totals.taxes];
    assert.deepEqual(left, [S, delivery, service + small, tax]);
  }
  const { total_with_tip: charged, refunded_amount: back } = await elementOf(orderId);
  assert.equal(sumOf(totals.shares), charged - back, 'owners have charges less refunds');
}

const PAID_BY: Readonly<Record<Payer, string>> = {
  store: 'paid by the store',
  account: 'paid by the app',
  operator: 'paid by the marketplace',
};
