import assert from 'node:assert/strict';
import { journalText } from '../../../src/ordering/statements/read-statement.flow.ts';
import { checkJournal } from '../../given/hledger.ts';
import { PER_ORDER_CENTS } from '../base-world.ts';
import type { SimulatedDatabase } from '../simulated-database.ts';
import { type FinalOrder, isSold } from './final-orders.ts';

type Entry = {
  order_id: string;
  month: string;
  shares: number;
  commission_cents: number;
  collected_elsewhere_cents: number;
  collected_cents: number;
};

const SHARES = ['store_cents', 'driver_cents', 'taxes_cents', 'operator_cents', 'account_cents'].join(' + ');

/**
 * The five owners' shares of each order are its charges less its refunds (docs/statements.md). What is left of a
 * canceled order is the fee per order; one that was never sold has no entries but of its later tips.
 */
export async function checkLedger(database: SimulatedDatabase, orders: readonly FinalOrder[]): Promise<void> {
  const entries = await database.ask<Entry>(`select *, ${SHARES} as shares from ledger_entries`);
  const unwritten = await database.ask<object>('select * from ledger_orders where unwritten_since is not null');
  assert.deepEqual(unwritten, [], 'orders without a ledger');
  for (const order of orders) {
    checkEntries(
      order,
      entries.filter(({ order_id }) => order_id === order.order_id),
    );
  }
  for (const month of new Set(entries.map(({ month }) => month))) {
    const journal = await Array.fromAsync(journalText(database.db, { mode: 'live', accountId: null, month }));
    assert.equal(checkJournal(journal.join('')) ?? '', '', 'what hledger says of the journal');
  }
}

function checkEntries(order: FinalOrder, entries: readonly Entry[]): void {
  const about = `the ledger of order ${order.order_id} (${order.status})`;
  const total = (name: Exclude<keyof Entry, 'order_id' | 'month'>) =>
    entries.reduce((sum, entry) => sum + entry[name], 0);
  const isOfSale = isSold(order);
  // A later tip is charged before goods by weight are.
  const isTipped = !order.in_cash && order.events.some(({ type }) => type === 'order.tipped');
  assert.equal(entries.length > 0, isOfSale || isTipped, about);
  const paid = order.charged_cents - order.refunded_cents;
  assert.equal(total('shares'), paid, about);
  assert.equal(total('collected_cents'), order.in_cash ? paid : 0, `what was collected in ${about}`);
  if (isOfSale && order.status === 'canceled') {
    assert.equal(total('commission_cents'), PER_ORDER_CENTS, `the commission in ${about}`);
    assert.equal(total('collected_elsewhere_cents'), 0, about);
  } else if (isOfSale && !order.charge_user && order.adjustments.length === 0) {
    const collected = order.quote.totalWithTipCents + order.added_tip_cents;
    assert.equal(total('collected_elsewhere_cents'), collected, about);
  }
}
