import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { isRefusedStatement } from '../db/hot-statement.ts';
import { createStatementGate } from '../db/statement-gate.ts';
import { batchCalls } from '../lib/batch-calls.ts';
import type { FairTurns } from '../lib/fair-turns.ts';
import type { Order } from './order.ts';
import { findOrderInputs, type InputsQuery, type OrderInputs } from './order-inputs.db.ts';
import { insertOrders, type LoggedStep } from './orders.db.ts';
import { endAttempts } from './place-orders.db.ts';
import { insertRecalled, type RecalledOrder } from './recall/insert-recalled.db.ts';
import type { RecentInputs } from './recall/recent-inputs.cache.ts';
import { type InsertedUnplaced, insertUnplaced, type UnplacedOrder } from './unplaced-orders.db.ts';

/** Orders of one statement. */
const MAX_BATCH = 16;

/**
 * The statements that every order waits for, shared with the orders that are placed at the same moment: a commit costs
 * more than its rows. An order's own steps stay one after the other, each in its own commit.
 */
export type Placing = {
  findInputs(query: InputsQuery): Promise<OrderInputs>;
  /** The inputs as this node saw them last; undefined where the node has not seen all of them. */
  recallInputs: RecentInputs['recall'];
  /** Stores a new order of recalled inputs; false, with nothing changed, where an input or the Idempotency-Key differs. */
  insertRecalled(recalled: RecalledOrder): Promise<boolean>;
  /** False when an order of the same Idempotency-Key is stored already. */
  insertOrder(order: Order): Promise<boolean>;
  /** Stores a new order that stays unplaced, within the budgets of its account. */
  insertUnplaced(unplaced: UnplacedOrder): Promise<InsertedUnplaced>;
  /** The number of the placed order; undefined when the attempt to charge has ended already: nothing is changed. */
  endAttempt(step: LoggedStep): Promise<string | undefined>;
};

export function createPlacing(
  db: Db,
  { dailyBudgets }: Pick<Config, 'dailyBudgets'>,
  { ownerNow }: Pick<FairTurns, 'ownerNow'>,
  recentInputs: RecentInputs,
): Placing {
  const limits = { maxBatch: MAX_BATCH, didNothing: isRefusedStatement, ownerNow, gate: createStatementGate() };
  return {
    findInputs: batchCalls({
      ...limits,
      run: async (queries: readonly InputsQuery[]) => {
        const inputs = await findOrderInputs(db, queries);
        for (const [nth, query] of queries.entries()) if (inputs[nth]) recentInputs.note(query, inputs[nth]);
        return inputs;
      },
    }),
    recallInputs: recentInputs.recall,
    insertRecalled: batchCalls({
      ...limits,
      run: async (orders: readonly RecalledOrder[]) => {
        const stored = await insertRecalled(db, orders);
        return orders.map(({ order }) => stored.has(order.orderId));
      },
    }),
    insertOrder: batchCalls({
      ...limits,
      run: async (orders: readonly Order[]) => {
        const stored = await insertOrders(db, orders);
        return orders.map(({ orderId }) => stored.has(orderId));
      },
    }),
    insertUnplaced: batchCalls({
      ...limits,
      run: (orders: readonly UnplacedOrder[]) => insertUnplaced(db, orders, dailyBudgets),
    }),
    endAttempt: batchCalls({
      ...limits,
      run: async (steps: readonly LoggedStep[]) => {
        const ended = await endAttempts(db, steps);
        return steps.map(({ order }) => ended.get(order.orderId));
      },
    }),
  };
}
