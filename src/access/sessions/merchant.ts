import { Refusal } from '../../platform/http/refusal.ts';
import type { KeyMode, Sandbox } from '../accounts/account.ts';

/**
 * The store that a request acts for, by a store key, a console session or a one-order link. A sandbox key or session
 * acts as the store for one account's sandbox orders.
 */
export type Merchant = {
  storeId: string;
  mode: KeyMode;
  /** The account whose sandbox orders are visible; null for the live orders of all accounts. */
  accountId: string | null;
  /** `operator`: an operator acts for the store. */
  source: 'key' | 'session' | 'link' | 'operator';
  /** Whether the request says, with a store key, that the store's point of sale makes it: `X-Source: pos`. */
  isPos?: boolean;
  /** The key's or session's id, or the link itself. */
  id: string;
  /** The only order that a one-order link can reach; otherwise null. */
  orderId: string | null;
};

/** Returns the sandbox where a merchant acts as the store; null for a live merchant. */
export function sandboxOfMerchant({ mode, accountId }: Pick<Merchant, 'mode' | 'accountId'>): Sandbox {
  return mode === 'sandbox' ? accountId : null;
}

/** Refuses sandbox keys and one-order links, which cannot change the store (403 `live_only`). */
export function refuseSandbox({ mode, orderId }: Pick<Merchant, 'mode' | 'orderId'>): void {
  if (mode === 'live' && orderId === null) return;
  const sentence = 'Sandbox keys, sandbox consoles and one-order links can step orders but cannot change the store.';
  throw new Refusal('live_only', sentence);
}

/** Refuses a one-order link, which reaches nothing beyond its order. */
export function refuseLink({ orderId }: Pick<Merchant, 'orderId'>): void {
  if (orderId === null) return;
  throw new Refusal('live_only', 'A one-order link opens only its own order.');
}
