import type { Db, Sql } from '../db/connect.ts';
import { isRefusedStatement } from '../db/hot-statement.ts';
import { createStatementGate } from '../db/statement-gate.ts';
import { batchCalls } from '../lib/batch-calls.ts';
import { currentOwner } from '../load/event-loop-scheduler.ts';
import type { Order } from './order.ts';
import { findOrderInputs, type InputsQuery, type OrderInputs } from './order-inputs.db.ts';
import { insertOrders, type PlacingStep, placeOrders } from './orders.db.ts';

/** Orders of one statement. */
const MAX_BATCH = 16;

/**
 * Batches the statements of orders that are placed at the same moment: a statement and its commit cost several times its
 * rows. The steps of one order stay sequential, each in its own commit.
 */
export type OrderStatements = {
  findInputs(query: InputsQuery): Promise<OrderInputs>;
  /** False where an order of the same Idempotency-Key is stored already. */
  insertOrder(order: Order): Promise<boolean>;
  /** The number of the placed order; undefined, with nothing changed, where its charge is in another state. */
  placeOrder(step: PlacingStep): Promise<string | undefined>;
};

export function createOrderStatements(db: Db): OrderStatements {
  const limits = {
    maxBatch: MAX_BATCH,
    didNothing: isRefusedStatement,
    ownerNow: currentOwner,
    gate: createStatementGate(),
  };
  return {
    findInputs: batchCalls({ ...limits, run: (queries: readonly InputsQuery[]) => findOrderInputs(db, queries) }),
    insertOrder: batchCalls({
      ...limits,
      run: async (orders: readonly Order[]) => {
        const stored = await insertOrders(db, orders);
        return orders.map(({ orderId }) => stored.has(orderId));
      },
    }),
    placeOrder: batchCalls({
      ...limits,
      run: async (steps: readonly PlacingStep[]) => {
        const numbers = await placeOrders(db, steps);
        return steps.map(({ order }) => numbers.get(order.orderId));
      },
    }),
  };
}

/** The same writes in a transaction, of one order alone. */
export function statementsIn(tx: Sql): Pick<OrderStatements, 'insertOrder' | 'placeOrder'> {
  return {
    insertOrder: async (order) => (await insertOrders(tx, [order])).has(order.orderId),
    placeOrder: async (step) => (await placeOrders(tx, [step])).get(step.order.orderId),
  };
}
