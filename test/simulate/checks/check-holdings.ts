import assert from 'node:assert/strict';
import type { Shop } from '../base-world.ts';
import type { Surroundings } from '../simulated-node.ts';
import type { FinalOrder } from './final-orders.ts';

/** An order holds its units and slot unless it was never placed, or was canceled before it left the store. */
function keeps({ status, driver_stage: stage }: FinalOrder): boolean {
  if (status === 'unplaced') return false;
  return status !== 'canceled' || stage === 'picked_up' || stage === 'nearby';
}

type StockRow = { store_id: string; product_no: number; units: number | null };
type SlotRow = { store_id: string; key: string; held: number };
/** Stock and slots in the database over all stores: of live orders, and of the sandbox. */
type Counted = { stock: StockRow[]; slots: SlotRow[]; sandboxStock: StockRow[]; sandboxSlots: SlotRow[] };

const SLOT = `store_id, pickup || ' ' || extract(epoch from starts_at)::bigint as key, held`;

/**
 * Stock and slots equal what the orders' items leave, per store. Live orders and the account's sandbox count separately
 * (docs/sandbox.md#sandbox-and-live-data).
 */
export async function checkHoldings({ world, database }: Surroundings, orders: readonly FinalOrder[]): Promise<void> {
  const counted: Counted = {
    stock: await database.ask('select store_id, product_no, qty_available as units from products'),
    slots: await database.ask(`select ${SLOT} from slot_holds where account_id = '' and held <> 0`),
    sandboxStock: await database.ask('select store_id, product_no, held as units from sandbox_stock'),
    sandboxSlots: await database.ask(`select ${SLOT} from slot_holds where account_id <> '' and held <> 0`),
  };
  for (const shop of world.shops) {
    const here = orders.filter(({ store_id }) => store_id === shop.storeId);
    const live = here.filter(({ mode }) => mode === 'live');
    const sandbox = here.filter(({ mode }) => mode === 'sandbox');
    checkStock(shop, counted, live);
    checkSlots(shop, counted.slots, live, world.capacity);
    checkSandboxStock(shop, counted, sandbox);
    checkSlots(shop, counted.sandboxSlots, sandbox, world.capacity);
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

function checkSlots(
  { storeId }: Shop,
  rows: readonly SlotRow[],
  orders: readonly FinalOrder[],
  capacity: number,
): void {
  const slots = new Map<string, number>();
  for (const { pickup, quote } of orders.filter(keeps)) {
    if (quote.scheduled === null) continue;
    const key = `${pickup} ${quote.scheduled.startEpochS}`;
    slots.set(key, (slots.get(key) ?? 0) + 1);
  }
  const found = rows.filter(({ store_id }) => store_id === storeId).map(({ key, held }) => [key, held]);
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(slots), 'the slots that orders hold');
  for (const count of slots.values()) assert.ok(count <= capacity, `${count} orders in one slot`);
}

function unitsOf({ quote, adjustments }: FinalOrder, token: string): number {
  return quote.items.reduce((sum, { productId, quantity }, index) => {
    if (productId !== token) return sum;
    return sum + (adjustments.find((one) => one.index === index)?.quantity ?? quantity);
  }, 0);
}

/** Units reported missing by the store, which are never sold again. */
function lackingOf(order: FinalOrder, token: string): number {
  const ordered = order.quote.items.reduce((sum, item) => (item.productId === token ? sum + item.quantity : sum), 0);
  return ordered - unitsOf(order, token);
}

/** The sandbox counts only its own holds: up to the store's stock, and nothing for an order without holds. */
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
