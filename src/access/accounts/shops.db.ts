import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { KeyMode } from './account.ts';
import { notifyHosts } from './brandings.db.ts';
import { hostSiteUrl } from './tracking-site.ts';

/** An account's shop: web pages where its customers order. */
export type Shop = {
  accountId: string;
  mode: KeyMode;
  /** The publishable key that its pages send. */
  keyId: string;
  key: string;
  /** The only stores that it shows; null for all. */
  storeIds: readonly string[] | null;
  /** The address near which a visitor without one is shown stores. */
  near: string | null;
  /** Whether it is the one at `/shop` of the service's own host. */
  isDefault: boolean;
  /** A shop that is off has its stores and address for the next time. */
  isOn: boolean;
  /** The mode for Universal Commerce Protocol platforms, while it is the shop's; null: they do not shop with it. */
  ucp: KeyMode | null;
};

/** The mode where platforms of the Universal Commerce Protocol shop with it now. */
export const ucpModeOf = ({ isOn, mode, ucp }: Pick<Shop, 'isOn' | 'mode' | 'ucp'>): KeyMode | undefined =>
  isOn && ucp === mode ? mode : undefined;

/** Path of a shop at the service's own host; at its account's, it is the whole site. */
export const shopPathOf = ({ accountId, isDefault }: Pick<Shop, 'accountId' | 'isDefault'>): string =>
  isDefault ? '/shop' : `/shops/${accountId}`;

/** URL of a shop: on its account's host, once verified, otherwise on the service's. */
export const shopUrlOf = (
  { baseUrl, trackingUrl }: Pick<Config, 'baseUrl' | 'trackingUrl'>,
  shop: Pick<Shop, 'accountId' | 'isDefault'>,
  verifiedHost: string | null,
): string => (verifiedHost === null ? baseUrl + shopPathOf(shop) : hostSiteUrl(verifiedHost, trackingUrl));

/** Maximum shops shown to a store that they sell. */
const MAX_SHOPS_OF_STORE = 10;

export async function findShop(sql: Sql, accountId: string): Promise<Shop | undefined> {
  const shop = await findSavedShop(sql, accountId);
  return shop?.isOn ? shop : undefined;
}

/** The shop, on or off. */
export async function findSavedShop(sql: Sql, accountId: string): Promise<Shop | undefined> {
  return sql.selectFrom('shops').selectAll().where('accountId', '=', accountId).executeTakeFirst();
}

/** The shop at the service's own host. */
export async function findDefaultShop(sql: Sql): Promise<Shop | undefined> {
  return sql.selectFrom('shops').selectAll().where('isDefault', '=', true).where('isOn', '=', true).executeTakeFirst();
}

/** Where a store is sold in shops: live ones with their verified hosts, and the one at `/shop`. */
export async function findShopsOfStore(sql: Sql, storeId: string) {
  return sql
    .selectFrom('shops')
    .leftJoin('brandings', (join) =>
      join.onRef('brandings.accountId', '=', 'shops.accountId').on('brandings.trackingHostVerifiedAt', 'is not', null),
    )
    .select(['brandings.trackingHost as host', 'shops.accountId', 'shops.isDefault'])
    .where('shops.isOn', '=', true)
    .where((row) => row.or([row('shops.mode', '=', 'live'), row('shops.isDefault', '=', true)]))
    .where((row) =>
      row.or([row('shops.storeIds', 'is', null), row(row.val(storeId), '=', row.fn.any('shops.storeIds'))]),
    )
    .orderBy('shops.accountId')
    .limit(MAX_SHOPS_OF_STORE)
    .execute();
}

export async function saveShop(sql: Sql, { storeIds, ...shop }: Shop): Promise<void> {
  const { accountId, ...row } = { ...shop, storeIds: storeIds && [...storeIds] };
  await sql
    .insertInto('shops')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
  await notifyHosts(sql);
}
