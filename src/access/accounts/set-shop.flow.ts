import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../platform/db/connect.ts';
import type { KeyMode } from './account.ts';
import { isKeyRevoked, lockAccount, revokeKey } from './accounts.db.ts';
import { issuePublishableKey } from './issue-key.flow.ts';
import { findSavedShop, type Shop, saveShop } from './shops.db.ts';

/** Changes to a shop: an absent member keeps its value. `mode` switches it on or off. */
export type ShopChanges = Partial<Pick<Shop, 'storeIds' | 'near' | 'isDefault' | 'ucp'>> & { mode?: KeyMode | 'off' };

/**
 * Changes an account's shop, in a transaction. Switching it on, or to the other mode, issues its key, as does its own
 * mode where the key was revoked; switching it off revokes it and keeps the rest. Returns false if nothing changed.
 */
export async function setShop(tx: Sql, accountId: string, { mode, ...changes }: ShopChanges, at: Temporal.Instant) {
  await lockAccount(tx, accountId);
  const saved = await findSavedShop(tx, accountId);
  const known = saved?.isOn ? saved : undefined;
  if (known && mode !== undefined && mode !== known.mode) await revokeKey(tx, known.keyId, at);
  const shop = await changedShop();
  if (!shop || isDeepStrictEqual(saved, shop)) return false;
  await saveShop(tx, shop);
  return true;

  async function changedShop(): Promise<Shop | undefined> {
    const isKept = known && mode === known.mode && !(await isKeyRevoked(tx, known.keyId));
    if (mode === undefined || mode === 'off' || isKept) {
      const isOn = mode === undefined ? known !== undefined : mode !== 'off';
      return saved && { ...saved, isOn, isDefault: isOn && saved.isDefault, ...changes };
    }
    // The key is for pages of the account's own host, so it lists no origin.
    const { keyId, key } = await issuePublishableKey(tx, accountId, mode, at, []);
    const { storeIds = null, near = null, isDefault = false, ucp = null } = saved ?? {};
    return { accountId, mode, keyId, key, storeIds, near, isDefault, ucp, isOn: true, ...changes };
  }
}
