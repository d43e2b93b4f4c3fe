import assert from 'node:assert/strict';
import { START_MS } from '../base-world.ts';
import type { Surroundings } from '../simulated-node.ts';
import type { FinalOrder } from './final-orders.ts';

/** Whatever the clocks of machines show, events are dated by the database's, and every store has its time to confirm. */
export function checkTimes({ machine, config }: Surroundings, order: FinalOrder): void {
  const deadlineMs = Number(order.offer_at?.epochMilliseconds) + 60_000 * config.orderConfirmTimeoutMinutes;
  for (const { type, atMs, data } of order.events) {
    const about = `${type} of order ${order.order_id}`;
    assert.ok(atMs >= START_MS && atMs <= machine.nowMs(), `${about} is dated outside of the run`);
    if (data.reason === 'store_did_not_confirm') assert.ok(atMs >= deadlineMs, `${about} is too early`);
  }
}
