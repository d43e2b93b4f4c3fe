import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, inCash } from '../../../test/given/orders.ts';
import { givenApp } from '../../../test/harness.ts';
import { NO_SHARES } from '../order/shares.ts';
import { trySettling } from './settle-order.flow.ts';
import { takeStep } from './take-step.flow.ts';

const app = await givenApp();
const shop = await givenHeldShop(app);
const store = await givenStoreKey(app, shop.storeId, app.accountId);
after(() => app.close());

const SODA = 250;
const HELD = 1483 + SODA;
const OPEN = {
  chargeState: 'authorized',
  authorizedCents: HELD,
  capturedCents: null,
  chargedCents: 0,
  refundedCents: 0,
};
const TO_THE_DRIVER = ['confirm', 'ready', 'assign_driver', 'pick_up'];

test('an order’s maximum is authorized at placing; its final amount is captured once when it leaves', async () => {
  const orderId = await shop.placed();
  assert.deepEqual([await shop.state(orderId), await shop.charges(orderId)], [OPEN, [['authorized', HELD, HELD]]]);
  await shop.advance(orderId, 'confirm', 'ready');
  await shop.weigh(orderId, 1620);
  assert.deepEqual(await shop.state(orderId), OPEN);
  await shop.advance(orderId, 'complete');
  const taken = 1456 + SODA;
  const settled = { ...OPEN, chargeState: 'charged', capturedCents: taken, chargedCents: taken };
  assert.deepEqual([await shop.state(orderId), await shop.charges(orderId)], [settled, [['succeeded', taken, HELD]]]);
});

test('a delivery is captured when its driver has it, weighed by the simulated store', async () => {
  const orderId = await shop.placed({ pickup: false, driver_tip_cents: 300 });
  await shop.advance(orderId, ...TO_THE_DRIVER);
  const taken = 1322 + SODA + 300;
  assert.deepEqual(await shop.charges(orderId), [['succeeded', taken, HELD + 300]]);
  await shop.advance(orderId, 'approach', 'complete');
  assert.equal((await shop.state(orderId)).chargedCents, taken);
  assert.equal((await shop.charges(orderId)).length, 1);
});

test('a capture never exceeds the hold', async () => {
  const orderId = await shop.placed();
  await shop.weigh(orderId, 9000);
  await shop.advance(orderId, 'confirm', 'ready', 'complete');
  assert.deepEqual(await shop.charges(orderId), [['succeeded', HELD, HELD]]);
});

test('a cancelation gives the hold free, and takes nothing', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm', 'cancel');
  assert.deepEqual(await shop.charges(orderId), [['voided', HELD, HELD]]);
  assert.deepEqual(await shop.state(orderId), { ...OPEN, chargeState: 'none' });
});

test('in the sandbox a hold may expire before handoff: the card is charged for the final amount', async () => {
  const orderId = await shop.placed({ metadata: { sandbox_scenario: 'hold_expires' } });
  await shop.advance(orderId, 'confirm', 'ready');
  assert.deepEqual(await shop.charges(orderId), [['voided', HELD, HELD]]);
  await shop.advance(orderId, 'complete');
  const taken = 1322 + SODA;
  assert.deepEqual(await shop.charges(orderId), [
    ['succeeded', taken, null],
    ['voided', HELD, HELD],
  ]);
  assert.equal((await shop.state(orderId)).capturedCents, taken);
});

test('a missing item lowers the capture and isn’t a refund', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm');
  const reply = await store.post(`/store/orders/${orderId}/items/1`, { quantity: 0 });
  assert.equal(reply.status, 200, reply.text);
  await shop.advance(orderId, 'ready', 'complete');
  assert.deepEqual(await shop.charges(orderId), [['succeeded', 1322, HELD]]);
  assert.equal((await shop.state(orderId)).refundedCents, 0);
});

test('refunds start after capture and never exceed the captured amount', async () => {
  const orderId = await shop.placed();
  const refund = (amount: number) => app.post('/order/refund', { order_id: orderId, amount });
  await shop.advance(orderId, 'confirm');
  const early = await refund(100);
  assert.deepEqual([early.status, early.body.code], [422, 'refund_not_allowed']);
  await shop.weigh(orderId, 1200);
  await shop.advance(orderId, 'ready', 'complete');
  assert.equal((await refund(1079 + SODA + 1)).status, 422);
  assert.equal((await refund(1079 + SODA)).status, 200);
  assert.equal((await shop.state(orderId)).refundedCents, 1079 + SODA);
});

test('a later tip is a charge of its own, also before the capture, and goes back with the hold', async () => {
  const raised = async () => {
    const orderId = await shop.placed({ pickup: false, driver_tip_cents: 100 });
    const reply = await app.post('/order/tip', { order_id: orderId, driver_tip_cents: 300 });
    assert.equal(reply.status, 200, reply.text);
    return orderId;
  };
  const delivered = await raised();
  assert.equal((await shop.state(delivered)).chargeState, 'authorized');
  await shop.advance(delivered, ...TO_THE_DRIVER);
  const taken = 1322 + SODA + 100;
  assert.deepEqual(await shop.charges(delivered), [
    ['succeeded', taken, HELD + 100],
    ['succeeded', 200, null],
  ]);
  assert.equal((await shop.state(delivered)).chargedCents, taken + 200);
  const canceled = await raised();
  await shop.advance(canceled, 'cancel');
  assert.deepEqual(await shop.charges(canceled), [
    ['succeeded', 200, null],
    ['voided', HELD + 100, HELD + 100],
  ]);
  assert.deepEqual(await shop.state(canceled), {
    ...{
      chargeState: 'refunded',
      authorizedCents: HELD + 100,
      capturedCents: null,
      chargedCents: 200,
      refundedCents: 200,
    },
  });
  const { db } = app.service.deps;
  const refunds = await db.selectFrom('orderRefunds').select('shares').where('orderId', '=', canceled).execute();
  assert.deepEqual(
    refunds.map(({ shares }) => shares),
    [{ ...NO_SHARES, tipCents: 200 }],
  );
});

test('a driver who gives up after the capture: everything but the tip goes back', async () => {
  const orderId = await shop.placed({ pickup: false, driver_tip_cents: 300 });
  await shop.advance(orderId, ...TO_THE_DRIVER);
  const lost = await takeStep(app.service.deps, orderId, { event: 'courier_lost' });
  await trySettling(app.service.deps, lost);
  const { capturedCents, refundedCents } = await shop.state(orderId);
  assert.deepEqual([capturedCents, refundedCents], [1322 + SODA + 300, 1322 + SODA]);
});

test('a declined card holds nothing, and the order is not placed', async () => {
  const reply = await shop.order({ payment_method_id: await givenPaymentMethod(app, '4000000000009995') });
  assert.deepEqual([reply.status, reply.body.decline_code], [402, 'insufficient_funds']);
});

test('a charge whose answer is lost is one hold', async () => {
  const orderId = await shop.placed({ payment_method_id: await givenPaymentMethod(app, '4000000000000259') });
  assert.deepEqual(await shop.charges(orderId), [['authorized', HELD, HELD]]);
});

test('cash collects the estimate, then the final amount', async () => {
  const orderId = await shop.placed(await inCash(app));
  const due = async () => (await app.get('/account/orders', { order_id: orderId })).body.orders[0].to_collect_cents;
  assert.equal(await due(), 1349 + SODA);
  await shop.weigh(orderId, 1620);
  assert.equal(await due(), 1456 + SODA);
  await shop.advance(orderId, 'confirm', 'ready', 'complete');
  assert.equal((await shop.state(orderId)).chargedCents, 1456 + SODA);
});

test('account and store read the estimate until handoff and the final amount after it, with every gateway', async () => {
  const read = async (orderId: string) => {
    const element = (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
    const ofStore = (await store.get('/store/orders')).body.orders.find(
      (one: typeof element) => one.order_id === orderId,
    );
    return [element, ofStore].map(({ is_estimate, total_with_tip, adjusted_amount, refunded_amount }) => [
      is_estimate,
      total_with_tip,
      adjusted_amount,
      refunded_amount,
    ]);
  };
  const live = async (payment: object) => {
    for (const [milli, goods] of [
      [1620, 1456],
      [940, 845],
    ] as const) {
      const orderId = await shop.placed(payment);
      await shop.advance(orderId, 'confirm');
      const estimate = 1349 + SODA;
      assert.deepEqual(await read(orderId), Array(2).fill([true, estimate, 0, 0]));
      assert.equal((await store.post(`/store/orders/${orderId}/items/0`, { weight: milli / 1000 })).status, 200);
      assert.equal((await store.post(`/store/orders/${orderId}/items/1`, { quantity: 0 })).status, 200);
      assert.deepEqual(await read(orderId), Array(2).fill([true, estimate, estimate - goods, 0]));
      await shop.advance(orderId, 'ready', 'complete');
      await shop.state(orderId);
      assert.deepEqual(await read(orderId), Array(2).fill([false, goods, 0, 0]));
    }
  };
  await live({});
  await live(await inCash(app));
  const without = (): object => ({ authorize: undefined, capture: undefined });
  await withBrokenGateway(app, without, () => live({}));
});

test('the total minus refunds is the amount the customer paid, also with a gateway without holds', async () => {
  const money = async (orderId: string) => {
    const { total_with_tip: total, refunded_amount: back } = (await app.get('/account/orders', { order_id: orderId }))
      .body.orders[0];
    const { body } = await app.get('/sandbox/charges', { order_id: orderId });
    type Charge = { amount: number; refunded_amount: number };
    return [total - back, body.charges.reduce((sum: number, one: Charge) => sum + one.amount - one.refunded_amount, 0)];
  };
  const without = (): object => ({ authorize: undefined, capture: undefined });
  await withBrokenGateway(app, without, async () => {
    for (const milli of [1650, 1620, 940, 1]) {
      const orderId = await shop.placed();
      await shop.advance(orderId, 'confirm');
      await shop.weigh(orderId, milli);
      await shop.advance(orderId, 'ready', 'complete');
      for (const body of [{ amount: 100 }, { items: [{ index: 1, quantity: 1 }] }]) {
        const [shown, paid] = await money(orderId);
        assert.equal(shown, paid);
        // A light order's remainder is less than the second refund.
        await app.post('/order/refund', { order_id: orderId, ...body });
      }
      const [shown, paid] = await money(orderId);
      assert.equal(shown, paid);
    }
    const canceled = await shop.placed();
    await shop.advance(canceled, 'confirm', 'cancel');
    assert.deepEqual(await money(canceled), [0, 0]);
  });
});

test('authorized_cents is the amount held until capture, and null without a hold', async () => {
  const authorized = async (orderId: string) =>
    (await app.get('/account/orders', { order_id: orderId })).body.orders[0].authorized_cents;
  const quoted = (await shop.order({ place_order: false })).body.order_id;
  assert.equal(await authorized(quoted), null);
  const orderId = await shop.placed();
  assert.equal(await authorized(orderId), HELD);
  await shop.advance(orderId, 'confirm', 'ready', 'complete');
  assert.equal(await authorized(orderId), HELD);
  const canceled = await shop.placed();
  await shop.advance(canceled, 'confirm', 'cancel');
  assert.equal(await authorized(canceled), null);
  const without = (): object => ({ authorize: undefined, capture: undefined });
  await withBrokenGateway(app, without, async () => {
    const taken = await shop.placed();
    assert.equal(await authorized(taken), null);
    await shop.advance(taken, 'confirm', 'ready', 'complete');
    assert.equal(await authorized(taken), null);
  });
});

test('an order without weighed goods is charged when it is placed', async () => {
  const items = [{ product_id: shop.tokens.Soda, quantity: 4 }];
  const orderId = await shop.placed({ items });
  assert.deepEqual(await shop.charges(orderId), [['succeeded', 1000, null]]);
  const { authorizedCents, chargeState } = await shop.state(orderId);
  assert.deepEqual([authorizedCents, chargeState], [null, 'charged']);
});

test('before payment, checkout states the amount held or, without holds, the amount charged', async () => {
  const { checkout_url: url } = (await shop.order({ place_order: false })).body;
  const note = async (lang: string) => {
    const { text } = await app.get(new URL(url).pathname, { lang }, { 'id-token': '', accept: 'text/html' });
    return /<p class="item-notes">([^<]*17[.,]33[^<]*)<\/p>/.exec(text)?.[1]?.replaceAll(/\s/g, ' ');
  };
  assert.equal(await note('en'), 'Estimated $15.99. Sold by weight: you’ll pay up to $17.33.');
  await withBrokenGateway(
    app,
    () => ({ authorize: undefined, capture: undefined }) as object,
    async () => {
      const taken = 'Estimated $15.99. Sold by weight: we’ll charge $17.33 now and refund the difference.';
      assert.equal(await note('en'), taken);
      assert.match(
        (await note('fr')) ?? '',
        /nous débitons 17,33 \$ maintenant et remboursons la différence après la pesée\.$/,
      );
      assert.match(
        (await note('es')) ?? '',
        /ahora se cobran \$17\.33 y te reembolsamos la diferencia después de pesarlo\.$/,
      );
      const { final_quote: quoted } = (await shop.order({ place_order: false })).body;
      assert.deepEqual([quoted.at_most_cents, quoted.is_taken_now], [1733, true]);
      assert.equal(
        (await shop.order({ place_order: false, charge_user: false })).body.final_quote.is_taken_now,
        undefined,
      );
      const orderId = await shop.placed();
      const [placed] = (await app.get('/account/orders', { order_id: orderId })).body.orders;
      const link = new URL(placed.tracking_link);
      assert.ok((await app.get(link.pathname + link.search, {}, { 'id-token': '' })).text.includes(taken));
      const { messages } = (await app.get('/sandbox/messages', { order_id: orderId })).body;
      assert.ok(messages.some(({ text }: { text: string }) => text.includes(taken)));
    },
  );
});
