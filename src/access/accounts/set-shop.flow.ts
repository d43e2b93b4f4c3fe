import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../platform/db/connect.ts';
import type { KeyMode } from './account.ts';
import { isKeyRevoked, lockAccount, revokeKey } from './accounts.db.ts';
import { issuePublishableKey } from './issue-key.flow.ts';
import { deleteShop, findShop, type Shop, saveShop } from './shops.db.ts';

/** Changes to a shop: an absent member keeps its value. `mode` switches it on or off. */
export type ShopChanges = Partial<Pick<Shop, 'storeIds' | 'near' | 'isDefault'>> & { mode?: KeyMode | 'off' };

/**
 * Changes an account's shop, in a transaction. Switching it on, or to the other mode, issues its key, as does its own
 * mode where the key was revoked; switching it off revokes it. Returns false if nothing changed.
 */
export async function setShop(
  tx: Sql,
  accountId: string,
  { mode, ...changes }: ShopChanges,
  at: Temporal.Instant,
): Promise<boolean> {
  await lockAccount(tx, accountId);
  const known = await findShop(tx, accountId);
  if (mode === undefined && !known) return false;
  if (known && mode !== undefined && mode !== known.mode) {
    await deleteShop(tx, accountId);
    await revokeKey(tx, known.keyId, at);
  }
  if (mode === 'off') return known !== undefined;
  const isSame =
    known !== undefined && (mode === undefined || (mode === known.mode && !(await isKeyRevoked(tx, known.keyId))));
  // The key is for pages of the account's own host, so it lists no origin.
  const key = isSame ? known : await issuePublishableKey(tx, accountId, mode ?? 'sandbox', at, []);
  const shop: Shop = {
    accountId,
    mode: mode ?? known?.mode ?? 'sandbox',
    keyId: key.keyId,
    key: key.key,
    storeIds: known?.storeIds ?? null,
    near: known?.near ?? null,
    isDefault: known?.isDefault ?? false,
    ...changes,
  };
  if (known && isDeepStrictEqual(known, shop)) return false;
  await saveShop(tx, shop);
  return true;
}
