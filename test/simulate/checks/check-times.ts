import assert from 'node:assert/strict';
import { SETTLING_S } from '../../../src/platform/lib/clock-difference.ts';
import { START_MS } from '../base-world.ts';
import type { Surroundings } from '../simulated-node.ts';
import type { FinalOrder } from './final-orders.ts';

/** Whatever the clocks of machines show, events are dated by the database's, and every store has its time to confirm. */
export function checkTimes({ machine, config, databaseClock }: Surroundings, order: FinalOrder): void {
  const deadlineMs = Number(order.offer_at?.epochMilliseconds) + 60_000 * config.orderConfirmTimeoutMinutes;
  const { aheadMs, step } = databaseClock;
  const steppedMs = step ? step.atMs + aheadMs : Infinity;
  for (const { type, atMs, data } of order.events) {
    const about = `${type} of order ${order.order_id}`;
    const [fromMs, toMs] = [START_MS + Math.min(0, aheadMs), machine.nowMs() + Math.max(0, aheadMs)];
    assert.ok(atMs >= fromMs && atMs <= toMs, `${about} is dated outside of the run`);
    if (data.reason === 'store_did_not_confirm') assert.ok(atMs >= deadlineMs, `${about} is too early`);
    if (data.reason === 'store_did_not_confirm' && !step?.canceledBefore.has(order.order_id))
      assert.ok(atMs < steppedMs || atMs >= steppedMs + 1000 * SETTLING_S, `${about} follows a step of the clock`);
  }
}
