import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Caller } from '../accounts/account.ts';
import { findHouseAccount } from '../accounts/accounts.db.ts';
import type { Merchant } from './merchant.ts';

/** Who takes orders for customers: a store, for its sandbox's account or the house account (docs/store-api.md#phone-orders). */
export async function findStoreCaller(
  sql: Sql,
  { mode, accountId, storeId }: Pick<Merchant, 'mode' | 'accountId' | 'storeId'>,
): Promise<Caller | undefined> {
  const owner = (mode === 'sandbox' ? accountId : null) ?? (await findHouseAccount(sql));
  return owner === undefined ? undefined : { accountId: owner, mode, keyId: `store:${storeId}` };
}

/** The caller of a store's orders; refuses with no_house_account. */
export async function requireStoreCaller(sql: Sql, merchant: Merchant): Promise<Caller> {
  const caller = await findStoreCaller(sql, merchant);
  if (caller) return caller;
  throw new Refusal(
    'no_house_account',
    "The operator hasn't created a house account (`accounts create NAME --house`).",
  );
}
