import assert from 'node:assert/strict';
import type { Promised } from '../customers.ts';
import type { EndedRun } from './check-run.ts';
import type { FinalOrder } from './final-orders.ts';

const EVENT_OF: Readonly<Record<string, string>> = {
  confirm: 'order.confirmed',
  delay: 'order.delayed',
  ready: 'order.ready',
  assign_driver: 'order.driver_assigned',
  pick_up: 'order.picked_up',
  approach: 'order.driver_nearby',
  complete: 'order.completed',
  cancel: 'order.canceled',
};

type Refund = { refund_id: string; order_id: string; cents: number; state: string };

/** Everything acknowledged with a 200 exists; one Idempotency-Key yields one order. */
export async function checkPromises({ around, parties }: EndedRun, orders: readonly FinalOrder[]): Promise<void> {
  const refunds = await around.database.ask<Refund>('select refund_id, order_id, cents, state from order_refunds');
  const byKey = new Map<string, string>();
  for (const promise of parties.flatMap(({ promised }) => promised)) {
    const order = orders.find(({ order_id }) => order_id === promise.orderId);
    assert.ok(order, `order ${promise.orderId} was acknowledged (${promise.what}) and does not exist`);
    checkPromise(promise, order, refunds);
    if (promise.what !== 'placed' || promise.idempotencyKey === null) continue;
    const first = byKey.get(promise.idempotencyKey) ?? promise.orderId;
    assert.equal(promise.orderId, first, `two orders under ${promise.idempotencyKey}`);
    byKey.set(promise.idempotencyKey, first);
  }
  const attempts = parties.reduce((sum, { orderRequests }) => sum + orderRequests.length, 0);
  checkAttempts(attempts, orders);
}

function checkPromise(promise: Promised, order: FinalOrder, refunds: readonly Refund[]): void {
  const about = `order ${order.order_id}: ${JSON.stringify(promise)}`;
  const types = order.events.map(({ type }) => type);
  if (promise.what === 'placed') {
    assert.ok(types.includes('order.placed'), `never placed, ${about}`);
    assert.equal(order.order_number, promise.number, about);
    assert.equal(order.quote.totalWithTipCents, promise.totalCents, about);
    assert.equal(order.authorized_cents ?? promise.atMostCents, promise.atMostCents, about);
    const goodsCents = order.charged_cents - order.added_tip_cents;
    assert.ok(goodsCents <= promise.atMostCents, `${goodsCents} taken, ${about}`);
  }
  if (promise.what === 'canceled') assert.equal(order.status, 'canceled', about);
  if (promise.what === 'stepped') assert.ok(types.includes(EVENT_OF[promise.event] ?? ''), about);
  if (promise.what === 'tipped') {
    assert.ok(order.request.tipCents + order.added_tip_cents >= promise.tipCents, about);
  }
  if (promise.what === 'refunded') {
    const refund = refunds.find(({ refund_id }) => refund_id === promise.refundId);
    assert.deepEqual([refund?.order_id, Number(refund?.cents)], [order.order_id, promise.cents], about);
    assert.equal(refund?.state, 'done', about);
  }
}

/** A customer gets one order, however often the request was repeated. */
function checkAttempts(customers: number, orders: readonly FinalOrder[]): void {
  const keyed = orders.flatMap(({ idempotency_key: key }) => (key === null ? [] : [key]));
  assert.equal(new Set(keyed).size, keyed.length, 'two orders have one Idempotency-Key');
  const placed = orders.filter(({ events }) => events.some(({ type }) => type === 'order.placed'));
  const phones = new Set(placed.map(({ request }) => request.customer.phone));
  assert.equal(phones.size, placed.length, 'a customer has two orders');
  assert.ok(phones.size <= customers, 'there are more orders than customers');
}
