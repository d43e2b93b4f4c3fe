import type { Branding } from '../accounts/branding.ts';
import { findBranding, findBrandingByHost } from '../accounts/brandings.db.ts';
import type { Db } from '../db/connect.ts';
import { hostNameOf } from './brand.ts';
import type { TrackedOrder } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';

/** The result of a visit: the branding of an account's own host, and the order of the link. */
export type Visit = { branding: Branding | undefined; tracked: TrackedOrder | undefined; isOwnHost: boolean };

const ORDER_ID = /^[\w-]{1,64}$/;

/**
 * Finds the order of a link. An account's own host shows only that account's orders; every other host shows every order
 * with the branding of its account.
 */
export async function findTracked(
  { db }: { db: Db },
  host: string | undefined,
  orderId: string | undefined,
): Promise<Visit> {
  const name = hostNameOf(host);
  const own = name === '' ? undefined : await findBrandingByHost(db, name);
  const found = orderId && ORDER_ID.test(orderId) ? await findTrackedOrder(db, orderId) : undefined;
  const tracked = own && found?.order.accountId !== own.accountId ? undefined : found;
  const branding = own ?? (tracked && (await findBranding(db, tracked.order.accountId)));
  return { branding, tracked, isOwnHost: own !== undefined };
}
