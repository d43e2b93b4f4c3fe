import { type RawBuilder, sql as raw } from 'kysely';
import type { Sandbox } from '../accounts/account.ts';

/**
 * SQL of the units of a product that are left to a caller: the store's count, less what the sandbox of `account` holds
 * of it, never below zero; null where stock is not counted. `product` names a row of products; `account` is an
 * expression of the caller's account in a sandbox, and of the empty text for a live caller, whom no such row is of.
 */
export function stockLeft(product: string, account: string): string {
  return `case when ${product}.qty_available is not null then greatest(${product}.qty_available - coalesce((
    select own.held from sandbox_stock as own where own.store_id = ${product}.store_id and own.account_id = ${account}
      and own.product_no = ${product}.product_no), 0), 0) end`;
}

/** The same for a statement that is built for each call; to live callers the column itself is left. */
export function stockLeftTo(sandbox: Sandbox, product: 'p' | 'products'): RawBuilder<number | null> {
  if (sandbox === null) return raw.raw(`${product}.qty_available`);
  const [before = '', after = ''] = stockLeft(product, ACCOUNT).split(ACCOUNT);
  return raw`(${raw.raw(before)}${sandbox}${raw.raw(after)})`;
}

const ACCOUNT = ':account';
