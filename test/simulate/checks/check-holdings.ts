import assert from 'node:assert/strict';
import type { Surroundings } from '../simulated-node.ts';
import type { FinalOrder } from './final-orders.ts';

/** An order keeps its units and its window unless it was never placed, or was canceled before it left the store. */
function keeps({ status, driver_stage: stage }: FinalOrder): boolean {
  if (status === 'unplaced') return false;
  return status !== 'canceled' || stage === 'picked_up' || stage === 'nearby';
}

/**
 * Stock and windows are what the orders leave of them, counted from the orders' items alone. Live orders and the sandbox
 * of the account count apart (docs/behaviour.md#sandbox-beside-live).
 */
export async function checkHoldings({ world, database }: Surroundings, all: readonly FinalOrder[]): Promise<void> {
  const orders = all.filter(({ mode }) => mode === 'live');
  await checkSandbox(
    { world, database },
    all.filter(({ mode }) => mode === 'sandbox'),
  );
  const held = orders.filter(keeps);
  const rows = await database.ask<{ product_no: number; qty_available: number | null }>(
    'select product_no, qty_available from products where store_id = $1',
    [world.storeId],
  );
  for (const { productNo, token, name, stock } of world.products) {
    const left = rows.find((row) => row.product_no === productNo)?.qty_available ?? null;
    const sold = held.reduce((sum, order) => sum + unitsOf(order, token), 0);
    const lacking = orders.reduce((sum, order) => sum + lackingOf(order, token), 0);
    const expected = stock === null ? null : stock - sold - lacking;
    assert.equal(left, expected, `the stock of ${name}, of which ${sold} are sold and ${lacking} were missing`);
    assert.ok(left === null || left >= 0, `the stock of ${name}`);
  }
  const windows = new Map<string, number>();
  for (const { pickup, quote } of held) {
    if (quote.scheduled === null) continue;
    const key = `${pickup} ${quote.scheduled.startEpochS}`;
    windows.set(key, (windows.get(key) ?? 0) + 1);
  }
  const holds = await database.ask<{ key: string; held: number }>(
    `select pickup || ' ' || extract(epoch from starts_at)::bigint as key, held from slot_holds where held <> 0`,
  );
  const found = Object.fromEntries(holds.map(({ key, held: count }) => [key, count]));
  assert.deepEqual(found, Object.fromEntries(windows), 'the windows that orders hold');
  for (const count of windows.values()) assert.ok(count <= world.capacity, `${count} orders in one window`);
}

/** The units that an order hands over. */
function unitsOf({ quote, adjustments }: FinalOrder, token: string): number {
  return quote.items.reduce((sum, { productId, quantity }, index) => {
    if (productId !== token) return sum;
    return sum + (adjustments.find((one) => one.index === index)?.quantity ?? quantity);
  }, 0);
}

/** The units that the store said it lacks: they do not come back on sale, whatever becomes of the order. */
function lackingOf(order: FinalOrder, token: string): number {
  const ordered = order.quote.items.reduce((sum, item) => (item.productId === token ? sum + item.quantity : sum), 0);
  return ordered - unitsOf(order, token);
}

/** The sandbox's own count is of what it holds: no more than the store has, and nothing for an order that holds nothing. */
async function checkSandbox(
  { world, database }: Pick<Surroundings, 'world' | 'database'>,
  orders: readonly FinalOrder[],
): Promise<void> {
  const held = orders.filter(keeps);
  const rows = await database.ask<{ product_no: number; held: number }>('select product_no, held from sandbox_stock');
  for (const { productNo, token, name, stock } of world.products) {
    if (stock === null) continue;
    const counted = rows.find((row) => row.product_no === productNo)?.held ?? 0;
    const sold = held.reduce((sum, order) => sum + unitsOf(order, token), 0);
    const lacking = orders.reduce((sum, order) => sum + lackingOf(order, token), 0);
    assert.ok(counted >= sold && counted <= sold + lacking, `the sandbox's stock of ${name}: ${counted} of ${sold}`);
    assert.ok(counted <= stock, `the sandbox holds ${counted} of ${stock} of ${name}`);
  }
  const holds = await database.ask<{ held: number }>('select held from sandbox_slot_holds where held <> 0');
  const windows = holds.reduce((sum, one) => sum + one.held, 0);
  assert.equal(windows, held.filter(({ quote }) => quote.scheduled !== null).length, 'the windows of the sandbox');
  for (const one of holds) assert.ok(one.held <= world.capacity, `${one.held} sandbox orders in one window`);
}
