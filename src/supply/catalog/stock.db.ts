import { type RawBuilder, sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { runPrepared } from '../../platform/db/hot-statement.ts';
import type { ProductRef } from './catalog-tokens.ts';
import { judgeStock, type StockItem, type StockLevel, sumByProduct } from './stock.ts';

/**
 * Takes counted stock, and returns the products that have too little; the caller then rolls back. Deadlock-free: locks
 * rows by number, after any slot. A sandbox takes from its own count and locks no product.
 */
export async function takeStock(
  sql: Sql,
  storeId: string,
  items: readonly StockItem[],
  sandbox: Sandbox,
): Promise<number[]> {
  const wanted = sumByProduct(items);
  if (wanted.length === 0) return [];
  const lock = sandbox === null ? lockStock : lockSandboxStock(sandbox);
  const { refused, taken } = judgeStock(wanted, await lock(sql, storeId, stockedNos(wanted)));
  await addStock(sql, storeId, taken, { sandbox, factor: -1 });
  return refused;
}

/** Returns units to the count they were taken from. Stock that is no longer counted stays uncounted. */
export async function returnStock(
  sql: Sql,
  storeId: string,
  items: readonly StockItem[],
  sandbox: Sandbox,
): Promise<void> {
  const returned = sumByProduct(items);
  if (returned.length === 0) return;
  const lock = sandbox === null ? lockStock : lockSandboxStock(sandbox);
  await lock(sql, storeId, stockedNos(returned));
  await addStock(sql, storeId, returned, { sandbox, factor: 1 });
}

async function lockStock(sql: Sql, storeId: string, productNos: readonly number[]): Promise<StockLevel[]> {
  const rows = await sql
    .selectFrom('products')
    .select(['productNo', 'qtyAvailable', 'available', 'removed'])
    .where('storeId', '=', storeId)
    .where('productNo', 'in', productNos)
    .orderBy('productNo')
    .forUpdate()
    .execute();
  return rows.map(({ productNo, qtyAvailable, available, removed }) => ({
    productNo,
    onSale: available && !removed,
    left: qtyAvailable,
  }));
}

/** Locks only one sandbox's rows. Inserts them first, so that two concurrent first orders contend for one row. */
function lockSandboxStock(sandbox: string): typeof lockStock {
  return async (sql, storeId, productNos) => {
    await raw`
      insert into sandbox_stock (store_id, account_id, product_no, held)
      select ${storeId}, ${sandbox}, no, 0 from unnest(${productNos}::int[]) as no order by no
      on conflict do nothing`.execute(sql);
    const { rows } = await raw<StockLevel>`
      select p.product_no, p.available and not p.removed as on_sale,
        case when p.qty_available is not null then greatest(p.qty_available - own.held, 0) end as left
      from sandbox_stock as own
      join products as p on p.store_id = own.store_id and p.product_no = own.product_no
      where own.store_id = ${storeId} and own.account_id = ${sandbox} and own.product_no = any(${productNos}::int[])
      order by own.product_no for update of own`.execute(sql);
    return rows;
  };
}

async function addStock(
  sql: Sql,
  storeId: string,
  items: readonly StockItem[],
  { sandbox, factor }: { sandbox: Sandbox; factor: 1 | -1 },
): Promise<void> {
  if (items.length === 0) return;
  const added = items.map(({ quantity }) => factor * quantity);
  const item = raw`unnest(${stockedNos(items)}::int[], ${added}::int[]) as item (product_no, added)`;
  if (sandbox === null) {
    await raw`
      update products set qty_available = products.qty_available + item.added from ${item}
      where products.store_id = ${storeId} and products.product_no = item.product_no
        and products.qty_available is not null`.execute(sql);
    return;
  }
  await raw`
    update sandbox_stock as own set held = greatest(own.held - item.added, 0) from ${item}
    where own.store_id = ${storeId} and own.account_id = ${sandbox} and own.product_no = item.product_no`.execute(sql);
}

/**
 * Recounts sandbox holds after the store has set new stock: active orders keep their units, and the units of ended
 * orders are in the new stock. Locks first, so that the second statement sees every committed order.
 */
export async function recountSandboxes(
  sql: Sql,
  products: readonly { storeId: string; productNo: number }[],
): Promise<void> {
  if (products.length === 0) return;
  const named = raw`unnest(${products.map(({ storeId }) => storeId)}::text[], ${stockedNos(products)}::int[])
    as named (store_id, product_no)`;
  const { rows } = await raw`
    select own.product_no from sandbox_stock as own
    join ${named} on named.store_id = own.store_id and named.product_no = own.product_no
    order by own.store_id, own.product_no, own.account_id for update of own`.execute(sql);
  if (rows.length === 0) return;
  await raw`
    update sandbox_stock as own set held = (
      select coalesce(sum((line->>'quantity')::integer), 0)::integer
      from orders as o, jsonb_array_elements(o.stock_held) as line
      where o.store_id = own.store_id and o.mode = 'sandbox' and o.account_id = own.account_id and o.stock_held <> '[]'
        and o.status in ('unplaced', 'awaiting_confirmation', 'in_progress')
        and (line->>'productNo')::integer = own.product_no)
    from ${named}
    where named.store_id = own.store_id and named.product_no = own.product_no`.execute(sql);
}

function stockedNos(items: readonly { productNo: number }[]): number[] {
  return items.map(({ productNo }) => productNo);
}

/**
 * SQL for the units left for a caller: the store's count minus the holds of the sandbox of `account`, at least zero;
 * null if uncounted. Live callers pass an empty `account`, which has no holds.
 */
export function stockLeft(product: string, account: string): string {
  return `case when ${product}.qty_available is not null then greatest(${product}.qty_available - coalesce((
    select own.held from sandbox_stock as own where own.store_id = ${product}.store_id and own.account_id = ${account}
      and own.product_no = ${product}.product_no), 0), 0) end`;
}

/** `stockLeft` for a statement that is built per call. For live callers, just the column. */
export function stockLeftForCaller(sandbox: Sandbox, product: 'p' | 'products'): RawBuilder<number | null> {
  if (sandbox === null) return raw.raw(`${product}.qty_available`);
  const [before = '', after = ''] = stockLeft(product, ACCOUNT).split(ACCOUNT);
  return raw`(${raw.raw(before)}${sandbox}${raw.raw(after)})`;
}

const ACCOUNT = ':account';

type ScarceProduct = ProductRef & { qtyAvailable: number };

// `offset 0` makes the planner look up each product by key; for thousands of keys it would scan the table.
const SCARCE_TEXT = `
  select w.store_id, n.product_no, p.qty_available
  from unnest($1::text[], $2::text[]) as w (store_id, product_nos)
  cross join lateral unnest(w.product_nos::integer[]) as n (product_no)
  cross join lateral (
    select ${stockLeft('products', '$4')} as qty_available from products
    where products.store_id = w.store_id and products.product_no = n.product_no offset 0
  ) as p
  where p.qty_available < $3`;

/** Those of the products that have fewer than `quantity` units left for a sandbox or live callers. */
export async function findScarceProducts(
  sql: Sql,
  wanted: readonly { storeId: string; productNos: readonly number[] }[],
  { quantity, sandbox }: { quantity: number; sandbox: Sandbox },
): Promise<ScarceProduct[]> {
  const storeIds = wanted.map(({ storeId }) => storeId);
  const productNos = wanted.map((one) => `{${one.productNos.join(',')}}`);
  const { rows } = await runPrepared<ScarceProduct>(sql, SCARCE_TEXT, [storeIds, productNos, quantity, sandbox ?? '']);
  return rows;
}
