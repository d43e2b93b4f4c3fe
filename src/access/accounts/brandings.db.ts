import { type Insertable, sql as raw, type Selectable } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { Database } from '../../platform/db/tables.ts';
import type { KeyMode } from './account.ts';
import { type Branding, type BrandingChanges, plainBranding } from './branding.ts';

/** Returns the account's branding, or the default one. */
export async function findBranding(sql: Sql, accountId: string): Promise<Branding> {
  const brandings = await findBrandings(sql, [accountId]);
  return brandings.get(accountId) ?? plainBranding(accountId);
}

/** Finds brandings by account id; every account has an entry. */
export async function findBrandings(sql: Sql, accountIds: readonly string[]): Promise<ReadonlyMap<string, Branding>> {
  if (accountIds.length === 0) return new Map();
  const rows = await sql
    .selectFrom('brandings')
    .selectAll()
    .where('accountId', 'in', [...accountIds])
    .execute();
  const known = new Map(rows.map((row) => [row.accountId, brandingFromRow(row)]));
  return new Map(accountIds.map((id) => [id, known.get(id) ?? plainBranding(id)]));
}

export async function findBrandingByHost(sql: Sql, host: string): Promise<Branding | undefined> {
  const query = sql.selectFrom('brandings').selectAll().where('trackingHost', '=', host.toLowerCase());
  const row = await query.executeTakeFirst();
  return row && brandingFromRow(row);
}

/** Maximum looks that the owner of one store sets. */
const MAX_OWNER_LOOKS = 10;

/** Finds the brandings that a store's owner may set: the account's shop is on and names the store. */
export async function findBrandingsOfOwner(sql: Sql, storeId: string): Promise<Branding[]> {
  const rows = await sql
    .selectFrom('brandings')
    .innerJoin('shops', (join) => join.onRef('shops.accountId', '=', 'brandings.accountId').on('shops.isOn', '=', true))
    .selectAll('brandings')
    .where('ownerLook', '=', true)
    .where((row) => row(row.val(storeId), '=', row.fn.any('shops.storeIds')))
    .orderBy('brandings.accountId')
    .limit(MAX_OWNER_LOOKS)
    .execute();
  return rows.map(brandingFromRow);
}

/**
 * Sets the present members in one statement, so concurrent changes are not lost. Returns false if nothing changed.
 * Rejects with SQLSTATE 23505 if the tracking host belongs to another account.
 */
export async function saveBranding(sql: Sql, accountId: string, changes: BrandingChanges, at: Temporal.Instant) {
  const columns = brandingColumns(changes);
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const { numInsertedOrUpdatedRows } = await sql
    .insertInto('brandings')
    .values({ accountId, updatedAt: at.toString(), ...columns })
    .onConflict((conflict) =>
      conflict
        .column('accountId')
        .doUpdateSet({
          ...columns,
          ...(changes.trackingHost === undefined
            ? {}
            : { trackingHostVerifiedAt: verifiedStill, trackingHostCheckedAt: null }),
          updatedAt: at.toString(),
        })
        .where((row) =>
          row.or(names.map((name) => row(`brandings.${name}`, 'is distinct from', row.ref(`excluded.${name}`)))),
        ),
    )
    .executeTakeFirstOrThrow();
  const isChanged = (numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (isChanged && changes.trackingHost !== undefined) await notifyHosts(sql);
  return isChanged;
}

/** PostgreSQL notification channel: a tracking host was set or verified, or a shop switched. */
export const HOSTS_CHANNEL = 'doorstep_hosts';

export async function notifyHosts(sql: Sql): Promise<void> {
  await raw`notify ${raw.id(HOSTS_CHANNEL)}`.execute(sql);
}

/** Keeps the verification time only if the host stays the same. */
const verifiedStill = raw<string | null>`case when brandings.tracking_host = excluded.tracking_host
  then brandings.tracking_host_verified_at end`;

/** An account's tracking host that is due for verification. */
export type HostToVerify = { accountId: string; host: string; verifiedAt: Temporal.Instant | null };

/** Lists hosts that were last checked before a moment, oldest check first. */
export async function listHostsToVerify(sql: Sql, since: Temporal.Instant, limit: number): Promise<HostToVerify[]> {
  const rows = await sql
    .selectFrom('brandings')
    .select(['accountId', 'trackingHost', 'trackingHostVerifiedAt'])
    .where('trackingHost', 'is not', null)
    .where((row) =>
      row.or([row('trackingHostCheckedAt', 'is', null), row('trackingHostCheckedAt', '<', instantParam(since))]),
    )
    .orderBy(
      (row) => row.ref('trackingHostCheckedAt'),
      (order) => order.asc().nullsFirst(),
    )
    .limit(limit)
    .execute();
  return rows.map(({ accountId, trackingHost, trackingHostVerifiedAt }) => ({
    accountId,
    host: trackingHost ?? '',
    verifiedAt: trackingHostVerifiedAt,
  }));
}

/** Records the result of a host's check, unless the account has changed its host since. */
export async function recordHostCheck(
  sql: Sql,
  { accountId, host, verifiedAt }: HostToVerify,
  checkedAt: Temporal.Instant,
): Promise<void> {
  await sql
    .updateTable('brandings')
    .set({ trackingHostVerifiedAt: verifiedAt?.toString() ?? null, trackingHostCheckedAt: checkedAt.toString() })
    .where('accountId', '=', accountId)
    .where('trackingHost', '=', host)
    .execute();
  await notifyHosts(sql);
}

/** An account's own host; `shop` is the mode of its shop, null while it is off. */
export type OwnHost = { accountId: string; isVerified: boolean; shop: KeyMode | null };

export async function listTrackingHosts(sql: Sql): Promise<(OwnHost & { host: string })[]> {
  const rows = await sql
    .selectFrom('brandings')
    .leftJoin('shops', (join) => join.onRef('shops.accountId', '=', 'brandings.accountId').on('shops.isOn', '=', true))
    .select(['brandings.accountId', 'trackingHost', 'trackingHostVerifiedAt', 'shops.mode as shop'])
    .where('trackingHost', 'is not', null)
    .execute();
  return rows.map(({ accountId, trackingHost, trackingHostVerifiedAt: verifiedAt, shop }) => ({
    accountId,
    host: trackingHost ?? '',
    isVerified: verifiedAt !== null,
    shop,
  }));
}

type Columns = Omit<
  Insertable<Database['brandings']>,
  'accountId' | 'updatedAt' | 'trackingHostVerifiedAt' | 'trackingHostCheckedAt'
>;

function brandingColumns({ favicon, ...changes }: BrandingChanges): Columns {
  if (favicon === undefined) return changes;
  return { ...changes, favicon: favicon?.bytes ?? null, faviconType: favicon?.type ?? null };
}

function brandingFromRow(stored: Selectable<Database['brandings']>): Branding {
  const { favicon, faviconType, updatedAt: _updatedAt, trackingHostCheckedAt: _checkedAt, ...row } = stored;
  return { ...row, favicon: favicon && faviconType ? { bytes: favicon, type: faviconType } : null };
}
