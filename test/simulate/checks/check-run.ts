import assert from 'node:assert/strict';
import { SETTLING_S } from '../../../src/platform/lib/clock-difference.ts';
import { START_MS } from '../base-world.ts';
import type { Clients } from '../clients.ts';
import type { Customers } from '../customers.ts';
import type { Surroundings } from '../simulated-node.ts';
import { checkConsequences } from './check-consequences.ts';
import { checkHistory } from './check-history.ts';
import { checkHoldings } from './check-holdings.ts';
import { checkLedger } from './check-ledger.ts';
import { checkMoney } from './check-money.ts';
import { checkPromises } from './check-promises.ts';
import { checkTaxes } from './check-taxes.ts';
import { type FinalOrder, readOrders } from './final-orders.ts';

/** Jobs that should have ended, and open orders whose hold no job watches. */
const LOST = `
  select job_id::text as id, kind from jobs where failed_at is not null or kind <> 'keep-hold'
  union all select order_id, charge_state from orders where charge_state = 'authorized' and not exists (
    select from jobs where kind = 'keep-hold' and payload ->> 'orderId' = order_id)`;

export type EndedRun = { around: Surroundings; parties: readonly Customers[]; clients: Clients };

/** All invariants of a finished run. Each check reads the database and the parties' own books. */
export async function checkRun(run: EndedRun): Promise<void> {
  const orders = await readOrders(run.around.database);
  const lost = await run.around.database.ask<object>(LOST);
  assert.deepEqual(lost, [], 'a job was given up, never ended, or does not watch a hold');
  assert.deepEqual(run.clients.faults, [], 'an answer says that the service is at fault, and nothing was wrong');
  for (const order of orders) {
    checkTimes(run.around, order);
    checkHistory(order);
  }
  await checkPromises(run, orders);
  await checkMoney(run.around, orders);
  await checkLedger(run.around.database, orders);
  await checkTaxes(run.around, orders);
  await checkHoldings(run.around, orders);
  await checkConsequences(run.around, orders);
}

/** Whatever the clocks of machines show, events are dated by the database's, and every store has its time to confirm. */
function checkTimes({ machine, config, databaseClock }: Surroundings, order: FinalOrder): void {
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
