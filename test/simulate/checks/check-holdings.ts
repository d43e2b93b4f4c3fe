import assert from 'node:assert/strict';
import type { Shop } from '../base-world.ts';
import type { Surroundings } from '../simulated-node.ts';
import type { FinalOrder } from './final-orders.ts';

/** An order keeps its units and its window unless it was never placed, or was canceled before it left the store. */
function keeps({ status, driver_stage: stage }: FinalOrder): boolean {
  if (status === 'unplaced') return false;
  return status !== 'canceled' || stage === 'picked_up' || stage === 'nearby';
}

type StockRow = { store_id: string; product_no: number; units: number | null };
type WindowRow = { store_id: string; key: string; held: number };
/** What the database says of all stores: of live orders, and of the sandbox's. */
type Counted = { stock: StockRow[]; windows: WindowRow[]; sandboxStock: StockRow[]; sandboxWindows: WindowRow[] };

const WINDOW = `store_id, pickup || ' ' || extract(epoch from starts_at)::bigint as key, held`;

/**
 * Stock and windows are what the orders leave of them, counted from the orders' items alone, at each store. Live orders
 * and the sandbox of the account count apart (docs/sandbox.md#sandbox-beside-live).
 */
export async function checkHoldings({ world, database }: Surroundings, orders: readonly FinalOrder[]): Promise<void> {
  const counted: Counted = {
    stock: await database.ask('select store_id, product_no, qty_available as units from products'),
    windows: await database.ask(`select ${WINDOW} from slot_holds where held <> 0`),
    sandboxStock: await database.ask('select store_id, product_no, held as units from sandbox_stock'),
    sandboxWindows: await database.ask(`select ${WINDOW} from sandbox_slot_holds where held <> 0`),
  };
  for (const shop of world.shops) {
    const here = orders.filter(({ store_id }) => store_id === shop.storeId);
    const live = here.filter(({ mode }) => mode === 'live');
    const sandbox = here.filter(({ mode }) => mode === 'sandbox');
    checkStock(shop, counted, live);
    checkWindows(shop, counted.windows, live, world.capacity);
    checkSandboxStock(shop, counted, sandbox);
    checkWindows(shop, counted.sandboxWindows, sandbox, world.capacity);
  }
}

function checkStock({ storeId, products }: Shop, counted: Counted, orders: readonly FinalOrder[]): void {
  const held = orders.filter(keeps);
  const rows = counted.stock.filter(({ store_id }) => store_id === storeId);
  for (const { productNo, token, name, stock } of products) {
    const left = rows.find((row) => row.product_no === productNo)?.units ?? null;
    const sold = held.reduce((sum, order) => sum + unitsOf(order, token), 0);
    const lacking = orders.reduce((sum, order) => sum + lackingOf(order, token), 0);
    const expected = stock === null ? null : stock - sold - lacking;
    assert.equal(left, expected, `the stock of ${name}, of which ${sold} are sold and ${lacking} were missing`);
    assert.ok(left === null || left >= 0, `the stock of ${name}`);
  }
}

function checkWindows(
  { storeId }: Shop,
  rows: readonly WindowRow[],
  orders: readonly FinalOrder[],
  capacity: number,
): void {
  const windows = new Map<string, number>();
  for (const { pickup, quote } of orders.filter(keeps)) {
    if (quote.scheduled === null) continue;
    const key = `${pickup} ${quote.scheduled.startEpochS}`;
    windows.set(key, (windows.get(key) ?? 0) + 1);
  }
  const found = rows.filter(({ store_id }) => store_id === storeId).map(({ key, held }) => [key, held]);
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(windows), 'the windows that orders hold');
  for (const count of windows.values()) assert.ok(count <= capacity, `${count} orders in one window`);
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
function checkSandboxStock({ storeId, products }: Shop, counted: Counted, orders: readonly FinalOrder[]): void {
  const held = orders.filter(keeps);
  const rows = counted.sandboxStock.filter(({ store_id }) => store_id === storeId);
  for (const { productNo, token, name, stock } of products) {
    if (stock === null) continue;
    const units = rows.find((row) => row.product_no === productNo)?.units ?? 0;
    const sold = held.reduce((sum, order) => sum + unitsOf(order, token), 0);
    const lacking = orders.reduce((sum, order) => sum + lackingOf(order, token), 0);
    assert.ok(units >= sold && units <= sold + lacking, `the sandbox's stock of ${name}: ${units} of ${sold}`);
    assert.ok(units <= stock, `the sandbox holds ${units} of ${stock} of ${name}`);
  }
}
