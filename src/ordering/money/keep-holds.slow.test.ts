import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { givenApp } from '../../../test/harness.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { readHealthFacts } from '../../surfaces/operator/conditions.db.ts';
import { listEvents } from '../order/order-events.db.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { endCardSetup, insertCardSetup } from '../payments/card-setups.db.ts';
import type { ChargeRequest, SandboxGateway } from '../payments/payment-gateway.ts';
import { reconcileCharge } from './resolve-charges.job.ts';

const app = await givenApp();
const shop = await givenHeldShop(app);
after(() => app.close());

/** The simulated store hands off 98 % of unweighed items. */
const WEIGHED = 1322 + 250;
const HELD = 1483 + 250;
const HOLD = ['authorized', HELD, HELD];
const VOID = ['voided', HELD, HELD];

/** The first slot that begins after so many hours. */
async function slotAfter(hours: number): Promise<{ scheduled_id: string; minimum: number }> {
  const query = { store_id: shop.storeId, pickup: true, include_quote: true, ...NEAR_DOOR };
  const { body } = await app.get('/details/inventory', query);
  type Slot = { id: string; minimum: number };
  const after = app.now().epochMilliseconds / 1000 + hours * 3600;
  const slot = (body.quote.time_estimate.scheduled as Slot[]).find(({ minimum }) => minimum >= after);
  return { scheduled_id: slot?.id ?? assert.fail('no slot'), minimum: slot?.minimum ?? 0 };
}

const untilHoursBefore = ({ minimum }: { minimum: number }, hours: number) => ({
  milliseconds: minimum * 1000 - hours * 3_600_000 - app.now().epochMilliseconds,
});

/** Lets every later charge of the order's card be declined, or none. */
const setCards = (declineCode: string | null) =>
  sql`update sandbox_gateway_cards set charge_status = ${declineCode === null ? 'succeeded' : 'declined'},
    decline_code = ${declineCode}`.execute(app.service.deps.db);

const eventsOf = async (orderId: string) => (await listEvents(app.service.deps.db, orderId)).map(({ type }) => type);
const statusOf = async (orderId: string) => {
  const [order] = (await app.get('/account/orders', { order_id: orderId })).body.orders;
  return [order.status, order.cancel_reason];
};

test('an order for later than a card holds: placing checks the card, and the hold is made two days before', async () => {
  const slot = await slotAfter(8 * 24);
  const { scheduled_id } = slot;
  const orderId = await shop.placed({ scheduled_id });
  await app.advance({ seconds: 1 });
  assert.deepEqual([await shop.charges(orderId), (await shop.state(orderId)).chargeState], [[VOID], 'authorized']);
  await shop.advance(orderId, 'confirm');
  await app.advance(untilHoursBefore(slot, 48.5));
  assert.deepEqual(await shop.charges(orderId), [VOID]);
  await app.advance({ minutes: 31 });
  assert.deepEqual(await shop.charges(orderId), [HOLD, VOID]);
  await shop.weigh(orderId, 1620);
  await shop.advance(orderId, 'ready', 'complete');
  assert.deepEqual(await shop.charges(orderId), [['succeeded', 1706, HELD], VOID]);
});

test('an order within six days is held from placing on', async () => {
  const { scheduled_id } = await slotAfter(5 * 24);
  const orderId = await shop.placed({ scheduled_id });
  await app.advance({ seconds: 1 });
  assert.deepEqual(await shop.charges(orderId), [HOLD]);
  await shop.advance(orderId, 'cancel');
  assert.deepEqual(await shop.charges(orderId), [VOID]);
});

test('a hold is made again a day before it expires, and the old one is given free', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm');
  await app.advance({ hours: 6 * 24 - 1 });
  assert.deepEqual(await shop.charges(orderId), [HOLD]);
  await app.advance({ hours: 1, minutes: 1 });
  assert.deepEqual(await shop.charges(orderId), [HOLD, VOID]);
  await app.advance({ hours: 6 * 24 + 1 });
  assert.deepEqual(await shop.charges(orderId), [HOLD, VOID, VOID]);
  await shop.advance(orderId, 'ready', 'complete');
  await app.advance({ hours: 30 });
  assert.deepEqual(await shop.charges(orderId), [['succeeded', WEIGHED, HELD], VOID, VOID]);
});

test('a card that declines the next hold: the customer learns of it, and the order is canceled when the hold ends', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm');
  await setCards('expired_card');
  await app.advance({ hours: 6 * 24, minutes: 1 });
  assert.deepEqual(
    [(await eventsOf(orderId)).at(-1), (await statusOf(orderId))[0]],
    ['order.hold_declined', 'in_progress'],
  );
  await app.advance({ hours: 24 });
  await setCards(null);
  assert.deepEqual(await statusOf(orderId), ['canceled', 'payment_failed']);
  const states = (await shop.charges(orderId)).map(([status]) => status);
  assert.deepEqual(states, ['declined', 'declined', 'voided']);
  assert.equal((await shop.state(orderId)).chargedCents, 0);
});

test('a card that holds again before the deadline keeps the order', async () => {
  const slot = await slotAfter(8 * 24);
  const { scheduled_id } = slot;
  const orderId = await shop.placed({ scheduled_id });
  await shop.advance(orderId, 'confirm');
  await setCards('insufficient_funds');
  await app.advance(untilHoursBefore(slot, 47));
  assert.equal((await eventsOf(orderId)).at(-1), 'order.hold_declined');
  await setCards(null);
  await app.advance(untilHoursBefore(slot, 1.9));
  assert.equal((await statusOf(orderId))[0], 'in_progress');
  assert.deepEqual((await shop.charges(orderId))[0], HOLD);
});

test('receipts name the card that paid, although the customer gave another since, which declined', async () => {
  const { db } = app.service.deps;
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm');
  await app.advance({ seconds: 1 });
  const { accountId, mode, request } = (await findAnyOrder(db, orderId)) ?? assert.fail('no order');
  const { userId, email: userEmail } = request.customer;
  const paymentMethodId = await givenPaymentMethod(app, '4000000000000002');
  const setup = { setupId: 'set_declined', accountId, mode, userId, userEmail, orderId };
  const page = { returnUrl: 'https://shop.example/', gatewaySession: null, expiresAt: app.now() };
  await insertCardSetup(db, { ...setup, ...page, state: 'open', paymentMethodId: null }, app.now());
  await endCardSetup(db, 'set_declined', { state: 'completed', paymentMethodId });
  await app.advance({ hours: 6 * 24, minutes: 1 });
  assert.equal((await eventsOf(orderId)).at(-1), 'order.hold_declined');
  await shop.advance(orderId, 'ready', 'complete');
  await app.advance({ minutes: 2 });
  assert.equal((await shop.state(orderId)).chargedCents, WEIGHED);
  const { messages } = (await app.get('/sandbox/messages', { order_id: orderId })).body;
  const named = messages.flatMap(({ text }: { text: string }) => text.match(/ending in \d{4}/g) ?? []);
  assert.ok(named.length > 0);
  assert.deepEqual([...new Set(named)], ['ending in 4242']);
});

const expire = (orderId: string) =>
  sql`update sandbox_gateway_charges set capture_before = '2000-01-01'
    where order_id = ${orderId}`.execute(app.service.deps.db);

test('a hold that expired before handoff: the card is charged once for the final amount', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm', 'ready');
  await shop.weigh(orderId, 1620);
  await expire(orderId);
  await shop.advance(orderId, 'complete');
  await app.advance({ minutes: 2 });
  assert.deepEqual(await shop.charges(orderId), [['succeeded', 1706, null], VOID]);
  const { capturedCents, chargedCents } = await shop.state(orderId);
  assert.deepEqual([capturedCents, chargedCents], [1706, 1706]);
  assert.equal((await app.post('/order/refund', { order_id: orderId, amount: 1706 })).status, 200);
});

test('a hold that is gone and a card that declines: nothing is captured, and the operator is alerted', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm', 'ready');
  await expire(orderId);
  await setCards('expired_card');
  await shop.advance(orderId, 'complete');
  await app.advance({ minutes: 2 });
  await setCards(null);
  const { capturedCents, chargedCents, chargeState } = await shop.state(orderId);
  assert.deepEqual([capturedCents, chargedCents, chargeState], [null, 0, 'declined']);
  assert.equal((await eventsOf(orderId)).filter((type) => type === 'order.captured').length, 1);
  const alerts = await app.service.deps.db
    .selectFrom('gatewayEvents')
    .selectAll()
    .where('orderId', '=', orderId)
    .execute();
  assert.deepEqual(
    alerts.map(({ kind, amountCents }) => [kind, amountCents]),
    [['capture_failed', WEIGHED]],
  );
  const { db } = app.service.deps;
  assert.deepEqual((await readHealthFacts(db, {})).failedCaptures, [], 'the sandbox alerts nobody');
  await sql`update orders set mode = 'live' where order_id = ${orderId}`.execute(db);
  await sql`update gateway_events set at = clock_timestamp() where order_id = ${orderId}`.execute(db);
  assert.deepEqual((await readHealthFacts(db, {})).failedCaptures, [orderId]);
  await sql`update gateway_events set at = at - interval '1 day' where order_id = ${orderId}`.execute(db);
  assert.deepEqual((await readHealthFacts(db, {})).failedCaptures, []);
  await sql`update orders set mode = 'sandbox' where order_id = ${orderId}`.execute(db);
});

const WITHOUT_HOLDS = (): object => ({ authorize: undefined, capture: undefined });

test('a gateway without holds charges the maximum at placing, and the excess is refunded once when known', async () => {
  await withBrokenGateway(app, WITHOUT_HOLDS, async () => {
    const orderId = await shop.placed();
    assert.deepEqual(await shop.charges(orderId), [['succeeded', HELD, null]]);
    const early = await app.post('/order/refund', { order_id: orderId, amount: 100 });
    assert.deepEqual([early.status, early.body.code], [422, 'refund_not_allowed']);
    await shop.advance(orderId, 'confirm', 'ready');
    await shop.weigh(orderId, 1400);
    await shop.advance(orderId, 'complete');
    await app.advance({ minutes: 2 });
    const taken = 1259 + 250;
    const { refundedCents, capturedCents, chargedCents } = await shop.state(orderId);
    assert.deepEqual([chargedCents, capturedCents, refundedCents], [HELD, taken, HELD - taken]);
    assert.equal((await app.post('/order/refund', { order_id: orderId, amount: taken + 1 })).status, 422);
    assert.equal((await app.post('/order/refund', { order_id: orderId, amount: taken })).status, 200);
    assert.equal((await shop.state(orderId)).chargeState, 'refunded');
  });
});

test('a gateway that holds nothing gives all of it back when the order is canceled', async () => {
  await withBrokenGateway(app, WITHOUT_HOLDS, async () => {
    const orderId = await shop.placed();
    await shop.advance(orderId, 'confirm', 'cancel');
    await app.advance({ minutes: 2 });
    const { refundedCents, chargeState } = await shop.state(orderId);
    assert.deepEqual([refundedCents, chargeState], [HELD, 'refunded']);
  });
});

/** A gateway whose first response to an operation is lost, before or after its effect. */
function losing(operation: 'authorize' | 'capture' | 'cancelCharge', when: 'before' | 'after') {
  let isLost = false;
  return (sandbox: SandboxGateway) => {
    const real = sandbox[operation] as (...given: unknown[]) => Promise<unknown>;
    const lost = () => new OutsideError('payment gateway', 'No answer.', { retryable: true });
    const run = async (...given: unknown[]) => {
      if (isLost) return real(...given);
      isLost = true;
      if (when === 'after') await real(...given);
      throw lost();
    };
    return { [operation]: run };
  };
}

for (const when of ['before', 'after'] as const) {
  test(`an answer that is lost ${when} its effect changes nothing of the outcome`, async () => {
    await withBrokenGateway(app, losing('authorize', when), async () => {
      const orderId = await shop.placed();
      assert.deepEqual(await shop.charges(orderId), [HOLD]);
    });
    await withBrokenGateway(app, losing('capture', when), async () => {
      const orderId = await shop.placed();
      await shop.advance(orderId, 'confirm', 'ready', 'complete');
      await app.advance({ minutes: 2 });
      assert.deepEqual(await shop.charges(orderId), [['succeeded', WEIGHED, HELD]]);
      assert.equal((await shop.state(orderId)).chargedCents, WEIGHED);
    });
    await withBrokenGateway(app, losing('cancelCharge', when), async () => {
      const orderId = await shop.placed();
      await shop.advance(orderId, 'cancel');
      await app.advance({ minutes: 2 });
      assert.deepEqual([await shop.charges(orderId), (await shop.state(orderId)).chargeState], [[VOID], 'none']);
    });
    await withBrokenGateway(app, losing('authorize', when), async () => {
      const renewed = await shop.placed();
      await shop.advance(renewed, 'confirm');
      await app.advance({ hours: 6 * 24, minutes: 1 });
      await app.advance({ minutes: 15 });
      assert.deepEqual(await shop.charges(renewed), [HOLD, VOID]);
    });
  });
}

test('a hold that is found a quarter of an hour after its attempt began is given free, and the order is not placed', async () => {
  await withBrokenGateway(
    app,
    (sandbox) => ({
      authorize: async (request: ChargeRequest) => {
        await sandbox.authorize?.(request);
        throw new OutsideError('payment gateway', 'No answer.', { retryable: true });
      },
      findCharge: async () => undefined,
    }),
    async () => {
      const reply = await shop.order();
      assert.equal(reply.status, 503, reply.text);
    },
  );
  const { orderId } = await app.service.deps.db
    .selectFrom('orders')
    .select('orderId')
    .where('chargeState', '=', 'pending')
    .executeTakeFirstOrThrow();
  await app.advance({ minutes: 16 });
  await app.advance({ minutes: 10 });
  assert.deepEqual(await shop.charges(orderId), [VOID]);
  const { status } = await app.service.deps.db
    .selectFrom('orders')
    .select('status')
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow();
  assert.equal(status, 'unplaced');
});

test('the gateway reports an expired hold: a new one is made at once', async () => {
  const orderId = await shop.placed();
  await shop.advance(orderId, 'confirm');
  const { db, gateways } = app.service.deps;
  const { chargeId } = await db
    .selectFrom('orders')
    .select('chargeId')
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow();
  await gateways.sandbox.cancelCharge(chargeId ?? '');
  await sql`update orders set mode = 'live' where order_id = ${orderId}`.execute(db);
  gateways.live = gateways.sandbox;
  await reconcileCharge(app.service.deps, { chargeId: chargeId ?? '' });
  await sql`update orders set mode = 'sandbox' where order_id = ${orderId}`.execute(db);
  gateways.live = undefined;
  await app.advance({ seconds: 1 });
  assert.deepEqual(await shop.charges(orderId), [HOLD, VOID]);
});
