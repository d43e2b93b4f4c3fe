import type { KeyMode } from '../accounts/account.ts';
import { findAccountNames } from '../accounts/accounts.db.ts';
import type { Db } from '../db/connect.ts';
import { findBySearch, type ListedOrder, listOfAccount, listPlaced } from './listed-orders.db.ts';
import { readOrderSearch } from './order-search.ts';
import { pageOf, readCursor } from './page-cursor.ts';

const PAGE = 50;

export type OrderQuery = {
  search?: string | undefined;
  mode: KeyMode;
  accountId?: string | undefined;
  storeId?: string | undefined;
  before?: string | undefined;
};

export type OrderPage = { orders: ListedOrder[]; next: string | null; accountNames: ReadonlyMap<string, string> };

/** Orders of every account, newest first: those that a search text names, or a page of all, of a store or of an account. */
export async function listAnyOrders(db: Db, query: OrderQuery): Promise<OrderPage> {
  const { orders, next } = await findPage(db, query);
  const accountNames = await findAccountNames(db, [...new Set(orders.map(({ accountId }) => accountId))]);
  return { orders, next, accountNames };
}

async function findPage(db: Db, { search = '', mode, before: text, ...filter }: OrderQuery) {
  const named = search.trim() === '' ? {} : readOrderSearch(search);
  const accountId = named.accountId ?? filter.accountId;
  const storeId = named.storeId ?? filter.storeId;
  if (search.trim() !== '' && accountId === undefined && storeId === undefined) {
    return { orders: await findBySearch(db, named, PAGE), next: null };
  }
  const before = readCursor(text);
  const limit = PAGE + 1;
  const isOfAccount = accountId !== undefined && storeId === undefined;
  const rows = isOfAccount
    ? await listOfAccount(db, { mode, accountId, before, limit })
    : await listPlaced(db, { mode, storeId, before, limit });
  const { page, next } = pageOf(rows, PAGE, ({ orderId, createdAt, placedAt }) => ({
    at: isOfAccount ? createdAt : (placedAt ?? createdAt),
    id: orderId,
  }));
  return { orders: page, next };
}
