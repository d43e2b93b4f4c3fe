import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { FeedSettings } from '../stores/store.ts';

/** Writes staged stores, where they differ. */

/** Who sees the stores: everyone, one account's sandbox, or (`same`) the audience that already sees them. */
export type Audience = 'everyone' | 'same' | { sandbox: string };

type StoresWrite = { source: string; seq: number; at: Temporal.Instant; audience: Audience };

/**
 * Writes changed and new staged stores and returns them. The live switch, hours, exceptions, photos and kitchen follow
 * the feed only if its value changed, so manual settings stay.
 */
export async function upsertStores(sql: Sql, storeIds: readonly string[], { source, seq, at, audience }: StoresWrite) {
  const account = typeof audience === 'object' ? audience.sandbox : null;
  const { rows: written } = await raw<{ storeId: string; created: boolean }>`
    with written as (insert into stores as s (store_id, source, external_id, profile, online_ordering, accept_delivery, accept_pickup, language,
      supports_upc_codes, has_catalog, listed, feed_hash, changed_seq, created_at, updated_at,
      brand, origins, sandbox_accounts)
    select store_id, ${source}, external_id, profile::jsonb, online_ordering, accept_delivery, accept_pickup, language,
      supports_upc_codes, has_catalog, true, decode(feed_hash, 'hex'), ${seq}::bigint,
      ${at.toString()}::timestamptz, ${at.toString()}::timestamptz, brand, origins,
      case when ${account}::text is not null then array[${account}::text] end
    from staged_store_rows where store_id = any(${storeIds})
    order by store_id
    on conflict (store_id) do update set
      profile = excluded.profile,
      online_ordering = case when s.profile->'onlineOrdering' = excluded.profile->'onlineOrdering'
        then s.online_ordering else excluded.online_ordering end,
      accept_delivery = case when s.profile->'delivery'->'accepting' = excluded.profile->'delivery'->'accepting'
        then s.accept_delivery else excluded.accept_delivery end,
      accept_pickup = case when s.profile->'pickup'->'accepting' = excluded.profile->'pickup'->'accepting'
        then s.accept_pickup else excluded.accept_pickup end,
      language = case when s.profile->'language' is not distinct from excluded.profile->'language'
        then s.language else excluded.language end,
      own_hours = case when s.profile->'hours' = excluded.profile->'hours' then s.own_hours end,
      own_hours_exceptions = case
        when s.profile->'hoursExceptions' is not distinct from excluded.profile->'hoursExceptions'
        then s.own_hours_exceptions end,
      own_photos = (select jsonb_object_agg(kind, urls) from jsonb_each(s.own_photos) as own (kind, urls)
        where s.profile->'photos'->kind = excluded.profile->'photos'->kind),
      own_kitchen = case when s.profile->'kitchen' is not distinct from excluded.profile->'kitchen' then s.own_kitchen end,
      supports_upc_codes = excluded.supports_upc_codes,
      has_catalog = excluded.has_catalog,
      listed = true,
      feed_hash = excluded.feed_hash,
      changed_seq = excluded.changed_seq,
      updated_at = excluded.updated_at,
      brand = excluded.brand,
      origins = excluded.origins,
      -- A store that is everyone's stays everyone's.
      sandbox_accounts = case when ${audience === 'everyone'} then null
        when s.sandbox_accounts is null or excluded.sandbox_accounts is null
          or s.sandbox_accounts @> excluded.sandbox_accounts then s.sandbox_accounts
        else s.sandbox_accounts || excluded.sandbox_accounts end,
      -- A feed replaces the cached facts of a directory; a caller that writes cached facts sets refresh_by afterwards.
      refresh_by = null
    where s.feed_hash <> excluded.feed_hash or not s.listed
      or (s.sandbox_accounts is not null and ${audience === 'everyone'})
    returning s.store_id, s.xmax = 0 as created
    ), published as (
      -- Search shows the room within the kitchen's new limits. Orders at stores without a load need not wait for it.
      update store_loads as l set publish_at = '-infinity', leased_until = null from written
      where l.store_id = written.store_id and l.account_id = '' and l.kitchen <> '{}'
    ) select * from written`.execute(sql);
  return written;
}

/** Merges a feed's settings into its stored ones, and returns the previous ones. */
export async function replaceFeedSettings(tx: Sql, storeId: string, settings: FeedSettings): Promise<FeedSettings> {
  const known = tx.selectFrom('stores').select('feedSettings').where('storeId', '=', storeId);
  const before = (await known.executeTakeFirst())?.feedSettings ?? {};
  const { channels, terms } = before;
  const feedSettings = JSON.stringify({
    ...before,
    ...settings,
    channels: { ...channels, ...settings.channels },
    terms: { ...terms, ...settings.terms },
  });
  await tx.updateTable('stores').set({ feedSettings }).where('storeId', '=', storeId).execute();
  return before;
}
