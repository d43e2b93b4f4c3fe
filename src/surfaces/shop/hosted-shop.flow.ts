import type { Branding } from '../../access/accounts/branding.ts';
import { findBranding, findBrandingByHost } from '../../access/accounts/brandings.db.ts';
import { findDefaultShop, findShop, type Shop, shopPathOf } from '../../access/accounts/shops.db.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { Db } from '../../platform/db/connect.ts';
import { hostNameOf } from '../tracking/brand.ts';

/** A shop at the host of a request. */
export type HostedShop = { shop: Shop; branding: Branding; isOwnHost: boolean };

export type HostedShopDeps = { db: Db; trackingSites: Pick<TrackingSites, 'ownHosts'> };

/** Path of a shop on its site. */
export const basePathOf = ({ shop, isOwnHost }: Pick<HostedShop, 'shop' | 'isOwnHost'>): string =>
  isOwnHost ? '' : shopPathOf(shop);

/** The shop at an account's own host, once the host is verified. */
export async function findAtOwnHost(
  { db, trackingSites }: HostedShopDeps,
  host: string | undefined,
): Promise<HostedShop | undefined> {
  const name = hostNameOf(host);
  if (!trackingSites.ownHosts().get(name)?.isVerified) return undefined;
  const branding = await findBrandingByHost(db, name);
  const shop = branding && (await findShop(db, branding.accountId));
  return shop && branding && { shop, branding, isOwnHost: true };
}

/** The shop at the service's own host: the account's, or the default shop. */
export async function findAtService(
  { db }: Pick<HostedShopDeps, 'db'>,
  accountId?: string,
): Promise<HostedShop | undefined> {
  const shop = await (accountId === undefined ? findDefaultShop(db) : findShop(db, accountId));
  return shop && { shop, branding: await findBranding(db, shop.accountId), isOwnHost: false };
}
