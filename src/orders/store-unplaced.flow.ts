import { budgetDay, budgetUsedUp } from '../accounts/budgets/budget.ts';
import { spendBudget } from '../accounts/budgets/spend-budget.db.ts';
import type { Config } from '../config.ts';
import type { Sql } from '../db/connect.ts';
import { continuedAttempt, giveUpWaiting } from './charges/waiting-charge.flow.ts';
import { beingPlaced, lockUnplaced } from './lock-unplaced.flow.ts';
import type { Order } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { rewriteOrder } from './orders.db.ts';
import { countedBytes } from './unplaced-orders.db.ts';

/** Stores a new order that stays unplaced. Refuses with rate_limited where its account has no budget left. */
export async function insertUnplacedOrder(
  { placing, clock }: Pick<OrderDeps, 'placing' | 'clock'>,
  order: Order,
): Promise<void> {
  const now = clock.now();
  const outcome = await placing.insertUnplaced({ order, day: budgetDay(now) });
  if (outcome === 'over_budget') throw budgetUsedUp(['unplaced_orders', 'unplaced_bytes'], now);
  if (outcome === 'known') throw beingPlaced();
}

/**
 * Replaces the request or quote of an unplaced order; an order that was placed meanwhile is returned as it is. `isCounted`:
 * the bytes count for the budget of the account, as for an order that its request replaces. `quoteId`: of the quote that
 * the stored order must have still (lock-unplaced.flow.ts).
 */
export async function requoteOrder(
  { db, clock, jobs, config }: Pick<OrderDeps, 'clock' | 'db' | 'jobs' | 'config'>,
  order: Order,
  { isCounted, quoteId }: { isCounted: boolean; quoteId?: string },
): Promise<Order> {
  return db.transaction().execute(async (tx) => {
    const stored = await lockUnplaced(tx, order.orderId, quoteId);
    if (stored.status !== 'unplaced') return stored;
    const continued = continuedAttempt(stored, order);
    if (!continued) await giveUpWaiting({ jobs }, tx, stored);
    if (isCounted) await countReplaced(config, tx, order, clock.now());
    const requoted: Order = { ...order, ...(continued ?? { chargeAttempt: stored.chargeAttempt }) };
    await rewriteOrder(tx, requoted, clock.now());
    return requoted;
  });
}

async function countReplaced(config: Config, tx: Sql, order: Order, now: Temporal.Instant): Promise<void> {
  const { accountId, mode } = order;
  const { unplaced_orders: most, unplaced_bytes: mostBytes } = config.dailyBudgets;
  const spending = { accountId, mode, kind: 'unplaced_orders', day: budgetDay(now), most, mostBytes } as const;
  const isWithin = await spendBudget(tx, { ...spending, used: 0, bytes: countedBytes(order) });
  if (!isWithin) throw budgetUsedUp(['unplaced_bytes'], now);
}
