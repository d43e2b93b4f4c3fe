import type { Insertable, Selectable } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { Database } from '../db/tables.ts';
import { type Branding, type BrandingChanges, plainBranding } from './branding.ts';

/** The account's branding; the plain branding for an account without its own. */
export async function findBranding(sql: Sql, accountId: string): Promise<Branding> {
  const row = await sql.selectFrom('brandings').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  return row ? brandingOf(row) : plainBranding(accountId);
}

/** The brandings of several accounts by account id; every account has an entry. */
export async function findBrandings(sql: Sql, accountIds: readonly string[]): Promise<ReadonlyMap<string, Branding>> {
  if (accountIds.length === 0) return new Map();
  const rows = await sql
    .selectFrom('brandings')
    .selectAll()
    .where('account_id', 'in', [...accountIds])
    .execute();
  const known = new Map(rows.map((row) => [row.account_id, brandingOf(row)]));
  return new Map(accountIds.map((id) => [id, known.get(id) ?? plainBranding(id)]));
}

export async function findBrandingByHost(sql: Sql, host: string): Promise<Branding | undefined> {
  const query = sql.selectFrom('brandings').selectAll().where('tracking_host', '=', host.toLowerCase());
  const row = await query.executeTakeFirst();
  return row && brandingOf(row);
}

/**
 * Sets the members that are present, in one statement: two changes at the same time lose nothing of each other. Returns
 * false where nothing changes. Rejects with SQLSTATE 23505 where the tracking host belongs to another account.
 */
export async function saveBranding(
  sql: Sql,
  accountId: string,
  changes: BrandingChanges,
  at: Temporal.Instant,
): Promise<boolean> {
  const columns = columnsOf(changes);
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const { numInsertedOrUpdatedRows } = await sql
    .insertInto('brandings')
    .values({ account_id: accountId, updated_at: at.toString(), ...columns })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ ...columns, updated_at: at.toString() })
        .where((row) =>
          row.or(names.map((name) => row(`brandings.${name}`, 'is distinct from', row.ref(`excluded.${name}`)))),
        ),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

type Columns = Omit<Insertable<Database['brandings']>, 'account_id' | 'updated_at'>;

function columnsOf({ displayName, logoUrl, fromAddress, bccAddress, favicon, trackingHost }: BrandingChanges): Columns {
  return {
    ...(displayName === undefined ? {} : { display_name: displayName }),
    ...(logoUrl === undefined ? {} : { logo_url: logoUrl }),
    ...(fromAddress === undefined ? {} : { from_address: fromAddress }),
    ...(bccAddress === undefined ? {} : { bcc_address: bccAddress }),
    ...(favicon === undefined ? {} : { favicon: favicon?.bytes ?? null, favicon_type: favicon?.type ?? null }),
    ...(trackingHost === undefined ? {} : { tracking_host: trackingHost }),
  };
}

function brandingOf(row: Selectable<Database['brandings']>): Branding {
  return {
    accountId: row.account_id,
    displayName: row.display_name,
    logoUrl: row.logo_url,
    fromAddress: row.from_address,
    bccAddress: row.bcc_address,
    favicon: row.favicon && row.favicon_type ? { bytes: row.favicon, type: row.favicon_type } : null,
    trackingHost: row.tracking_host,
  };
}
