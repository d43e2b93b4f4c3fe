import type { Selectable } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { type Branding, plainBranding } from './branding.ts';

/** The account's branding; an account without one gets the plain one. */
export async function findBranding(sql: Sql, accountId: string): Promise<Branding> {
  const row = await sql.selectFrom('brandings').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  return row ? brandingOf(row) : plainBranding(accountId);
}

/** Of several accounts, by their ids; each has one. */
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
