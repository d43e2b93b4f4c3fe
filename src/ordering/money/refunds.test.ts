import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { type Breakage, Killed, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenCountedShop, silent } from '../../../test/given/counted-shop.ts';
import type { Reply } from '../../../test/harness.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { listEvents } from '../order/order-events.db.ts';
import { findRefunds } from './refunds.db.ts';

const shop = await givenCountedShop();
after(() => shop.close());

const refund = (orderId: string, body: object, headers: Record<string, string> = {}) =>
  shop.post('/order/refund', { order_id: orderId, reason: 'cold', ...body }, headers);
const step = (orderId: string, event: string) => shop.post(`/sandbox/orders/${orderId}/advance`, { event });
const statusAndCode = ({ status, body }: Reply) => [status, body.code];
const readOrder = async (orderId: string) => (await shop.get('/account/orders', { order_id: orderId })).body.orders[0];

const TIP = 200;

/** A confirmed order of three units, its charge, and the charge without the tip. */
async function givenOrder(
  events: readonly string[] = ['confirm'],
): Promise<{ orderId: string; total: number; most: number }> {
  const placed = await shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity: 3 }] });
  assert.equal(placed.status, 200, placed.text);
  const orderId: string = placed.body.order_id;
  for (const event of events) assert.equal((await step(orderId, event)).status, 200);
  const total: number = placed.body.final_quote.total_with_tip;
  return { orderId, total, most: total - TIP };
}

/** Asserts that the ledger, the order and the gateway's books agree; returns the refunded cents. */
async function assertReconciled(orderId: string): Promise<number> {
  const order = await readOrder(orderId);
  const books = await shop.books(orderId);
  const charged = books.reduce((sum, [amount]) => sum + amount, 0);
  const back = books.reduce((sum, [, refunded]) => sum + refunded, 0);
  const ledger = await findRefunds(shop.service.deps.db, [orderId]);
  const ended = ledger.reduce((sum, { refundedCents }) => sum + refundedCents, 0);
  assert.deepEqual([order.total_with_tip, order.refunded_amount, ended], [charged, back, back]);
  return back;
}

test('an amount is refunded, then another, and never more than the charge without the tip', async () => {
  const { orderId, most } = await givenOrder();
  const first = await refund(orderId, { amount: 500 });
  const { refund_id: _, ...rest } = first.body;
  assert.deepEqual(
    [first.status, rest],
    [200, { order_id: orderId, amount: 500, refunded_amount: 500, state: 'done' }],
    first.text,
  );
  assert.deepEqual(statusAndCode(await refund(orderId, { amount: most - 499 })), [422, 'refund_not_allowed']);
  assert.equal((await refund(orderId, { amount: most - 500 })).body.refunded_amount, most);
  assert.deepEqual(statusAndCode(await refund(orderId, { amount: 1 })), [422, 'refund_not_allowed']);
  assert.equal(await assertReconciled(orderId), most);
  assert.equal((await shop.stateOf(orderId)).charge, 'charged', "the tip is the driver's");
});

test('units go back at their price with their share of the tax, and no more units than there are', async () => {
  const { orderId } = await givenOrder();
  // Three units of 15 dollars at 8.875 %: 399.375 cents of tax, rounded once to 399.
  const units = (quantity: number, index = 0) => refund(orderId, { items: [{ index, quantity }] });
  assert.equal((await units(1)).body.amount, 1500 + 133);
  assert.deepEqual(statusAndCode(await units(3)), [422, 'refund_not_allowed']);
  assert.equal((await units(2)).body.amount, 3000 + 399 - 133);
  assert.deepEqual(statusAndCode(await units(1)), [422, 'refund_not_allowed']);
  assert.deepEqual(statusAndCode(await units(1, 7)), [422, 'refund_not_allowed']);
  assert.equal(await assertReconciled(orderId), 4500 + 399);
});

test('a request with an amount and items, or with neither, is refused', async () => {
  const { orderId } = await givenOrder();
  const both = { amount: 5, items: [{ index: 0, quantity: 1 }] };
  for (const body of [{}, both]) {
    assert.deepEqual(statusAndCode(await refund(orderId, body)), [400, 'invalid_request']);
  }
});

test('null for an amount, items, units or a weight is refused: it does not mean the rest', async () => {
  const { orderId } = await givenOrder();
  const item = { index: 0, quantity: 1 };
  for (const [body, name] of [
    [{ amount: null }, 'amount'],
    [{ amount: null, items: [item] }, 'amount'],
    [{ amount: 100, items: null }, 'items'],
    [{ items: [{ index: 0, quantity: null }] }, 'items[0].quantity'],
    [{ items: [{ ...item, weight: null }] }, 'items[0].weight'],
  ] as const) {
    const refused = await refund(orderId, body);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.name], [400, name], refused.text);
  }
});

test('an order may be refunded in progress and when completed, and by a refund in no other state', async () => {
  const { orderId } = await givenOrder([]);
  assert.deepEqual(statusAndCode(await refund(orderId, { amount: 5 })), [422, 'refund_not_allowed']);
  const completed = await givenOrder(['confirm', 'assign_driver', 'pick_up', 'complete']);
  assert.equal((await refund(completed.orderId, { amount: 5 })).status, 200);
  await step(orderId, 'cancel');
  assert.deepEqual(statusAndCode(await refund(orderId, { amount: 5 })), [422, 'refund_not_allowed']);
  const free = await shop.place(shop.newKey(), { charge_user: false });
  await step(free.body.order_id, 'confirm');
  assert.deepEqual(statusAndCode(await refund(free.body.order_id, { amount: 5 })), [422, 'refund_not_allowed']);
});

test('concurrent refunds return no more than was charged, and a repeated request is one refund', async () => {
  const { orderId, total } = await givenOrder();
  const half = Math.floor(total / 2) + 1;
  const replies = await Promise.all(Array.from({ length: 6 }, () => refund(orderId, { amount: half })));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422, 422, 422, 422, 422]);
  const key = { 'idempotency-key': shop.newKey() };
  const first = await refund(orderId, { amount: 7 }, key);
  // Simulates a crash between the refund and the response: the same request can claim the key again.
  await sql`delete from idempotency_keys where key = ${key['idempotency-key']}`.execute(shop.service.deps.db);
  const second = await refund(orderId, { amount: 7 }, key);
  assert.equal(second.body.refund_id, first.body.refund_id);
  assert.equal(await assertReconciled(orderId), half + 7);
});

test('a cancelation refunds the whole balance, and canceling again answers the same', async () => {
  const { orderId, total } = await givenOrder();
  await refund(orderId, { amount: 300 });
  const cancel = () => shop.post('/order/cancel', { order_id: orderId, reason: 'customer_request' });
  const canceled = await cancel();
  assert.deepEqual(
    [canceled.status, canceled.body.status, canceled.body.cancel_reason, canceled.body.refunded_amount],
    [200, 'canceled', 'customer_request', total],
    canceled.text,
  );
  assert.deepEqual((await cancel()).body, canceled.body);
  assert.equal(await assertReconciled(orderId), total);
  const { events } = await shop.stateOf(orderId);
  assert.deepEqual(events.slice(-3), ['order.refunded', 'order.canceled', 'order.refunded']);
});

test('an order that left the store, ended or was canceled by another is not canceled', async () => {
  const [gone, byStore] = [await givenOrder(['confirm', 'assign_driver', 'pick_up']), await givenOrder([])];
  await step(byStore.orderId, 'cancel');
  for (const { orderId } of [gone, byStore]) {
    const reply = await shop.post('/order/cancel', { order_id: orderId });
    assert.deepEqual(statusAndCode(reply), [409, 'transition_not_allowed']);
  }
  const { orderId } = await givenOrder([]);
  const plain = await shop.post('/order/cancel', { order_id: orderId });
  assert.equal(plain.body.cancel_reason, 'canceled_by_account');
});

test('a refund whose answer is lost, or whose process dies, happens once', async (t) => {
  const killedAfter: Breakage = (real) => ({
    refund: async (request) => {
      await real.refund(request);
      throw new Killed();
    },
  });
  const killedBefore: Breakage = () => ({
    refund: async () => {
      throw new Killed();
    },
  });
  for (const [name, breakage] of Object.entries({ killedAfter, killedBefore })) {
    await t.test(name, async () => {
      const { orderId } = await givenOrder();
      await withBrokenGateway(shop, breakage, async () => {
        assert.equal((await refund(orderId, { amount: 400 })).status, 500);
      });
      assert.equal((await readOrder(orderId)).refunded_amount, 0);
      await shop.advance({ minutes: 2 });
      await shop.runLeftOrders();
      assert.equal(await assertReconciled(orderId), 400);
    });
  }
  await t.test('a silent gateway leaves the refund pending, and its cents aren’t promised twice', async () => {
    const { orderId, most } = await givenOrder();
    const pending = await withBrokenGateway(
      shop,
      () => ({ refund: silent }),
      async () => {
        const reply = await refund(orderId, { amount: 400 });
        assert.deepEqual(statusAndCode(await refund(orderId, { amount: most - 399 })), [422, 'refund_not_allowed']);
        return reply;
      },
    );
    assert.deepEqual([pending.status, pending.body.state, pending.body.refunded_amount], [200, 'pending', 0]);
    await shop.advance({ minutes: 2 });
    await shop.runLeftOrders();
    assert.equal(await assertReconciled(orderId), 400);
  });
  await t.test('an order canceled meanwhile refunds everything, each cent once', async () => {
    const { orderId, total } = await givenOrder();
    await withBrokenGateway(
      shop,
      () => ({ refund: silent }),
      async () => {
        await refund(orderId, { amount: 400 });
        const canceled = await shop.post('/order/cancel', { order_id: orderId });
        assert.deepEqual([canceled.status, canceled.body.refunded_amount], [200, 0]);
      },
    );
    await shop.advance({ minutes: 2 });
    assert.equal(await assertReconciled(orderId), total);
    assert.equal((await shop.stateOf(orderId)).charge, 'refunded');
  });
});

test('a refund that the gateway refuses gives nothing back, and leaves the amount for another refund', async () => {
  const { orderId, most } = await givenOrder();
  const refusing: Breakage = () => ({
    refund: async () => {
      throw new OutsideError('payment gateway', 'does not refund this charge', { retryable: false });
    },
  });
  const refused = await withBrokenGateway(shop, refusing, () => refund(orderId, { amount: most }));
  assert.deepEqual(statusAndCode(refused), [422, 'refund_not_allowed']);
  assert.equal((await refund(orderId, { amount: most })).status, 200);
  assert.equal(await assertReconciled(orderId), most);
});

test('each refund by an account sends an email, a cancellation’s refund only the cancellation’s', async () => {
  const { orderId } = await givenOrder();
  const mails = async () => {
    const { body } = await shop.get('/sandbox/messages', { order_id: orderId });
    const sent: { channel: string; kind: string; text: string }[] = body.messages;
    return sent.filter(({ channel }) => channel === 'email').map(({ kind }) => kind);
  };
  await refund(orderId, { amount: 100 });
  await refund(orderId, { amount: 200 });
  await shop.post('/order/cancel', { order_id: orderId });
  assert.deepEqual(await mails(), ['order_confirmation', 'order_refunded', 'order_refunded', 'order_canceled']);
});

test('a refund is an event; the order’s page names each refund and later tip, and its receipt prints them', async () => {
  const { orderId, total } = await givenOrder();
  await refund(orderId, { items: [{ index: 0, quantity: 1 }] });
  await refund(orderId, { amount: 250, reason: 'arrived late' });
  await shop.post('/order/tip', { order_id: orderId, driver_tip_cents: 900 });
  const refunded = (await listEvents(shop.service.deps.db, orderId)).find(({ type }) => type === 'order.refunded');
  assert.partialDeepStrictEqual(refunded?.data, { refund_cents: 1633, kind: 'requested', reason: 'cold' });
  const page = (await shop.get('/tracking', { tracking_id: orderId }, { accept: 'text/html' })).text;
  const rows = [...page.matchAll(/<th scope="row">([^<]*)<\/th><td>([^<]*)<\/td>/g)].map(([, ...row]) => row.join(' '));
  for (const row of ['Tip $9.00', 'Refund: 1 x Counted -$16.33', 'Refund: Arrived late. -$2.50']) {
    assert.ok(rows.includes(row), rows.join('\n'));
  }
  assert.ok(
    rows.some((row) => row.startsWith('Total') && row.endsWith(formatPrice(total + 700))),
    rows.join('\n'),
  );
});

test('a key that names another refund after a day gives one refund more, wherever the request of it died', async () => {
  const { orderId } = await givenOrder(['confirm', 'assign_driver', 'pick_up', 'complete']);
  const daily = () => refund(orderId, { amount: 100 }, { 'idempotency-key': 'daily' });
  assert.equal((await daily()).status, 200);
  assert.equal((await daily()).headers['idempotent-replayed'], 'true');
  for (const day of [1, 2]) {
    await shop.advance({ hours: 25 });
    const killed = () => ({ refund: () => Promise.reject(new Killed()) });
    assert.equal((await withBrokenGateway(shop, killed, daily)).status, 500);
    const retried = await daily();
    assert.deepEqual([retried.status, retried.body.amount], [200, 100], retried.text);
    await shop.advance({ minutes: 3 });
    assert.equal(await assertReconciled(orderId), 100 + day * 100);
  }
});
