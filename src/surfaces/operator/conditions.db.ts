import { sql as raw } from 'kysely';
import { UNWEIGHED_ORDERS } from '../../fulfillment/deliveries/couriers/apply-report.flow.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { CLOCK_STEP } from '../../platform/db/database-clock.db.ts';
import { MAX_CLOCK_DIFFERENCE_S } from '../../platform/lib/clock-difference.ts';
import { type ActiveDiscount, assumedPlaces } from '../../supply/pricing/discount-tax-table.ts';
import type { HealthFacts, ReplicationSlot } from './conditions.ts';

/** Name of the setting with the moment of the newest `doorstep backup`, in ISO on the database's clock. */
export const BACKED_UP_AT = 'backed_up_at';
/** Name of the setting with the end of each certificate: a JSON object of ISO moments by host. */
export const CERTIFICATES_END = 'certificates_end';

type FactsRow = Omit<
  HealthFacts,
  | 'quiet'
  | 'settingWarnings'
  | 'clocks'
  | 'certificates'
  | 'slots'
  | 'syncStandbysNeeded'
  | 'assumedDiscountTaxes'
  | 'failedCaptures'
  | 'unweighedOrders'
> & {
  unweighedOrders: string[] | null;
  failedCaptures: string[] | null;
  discounts: ActiveDiscount[] | null;
  clocks: HealthFacts['clocks'] | null;
  slots: ReplicationSlot[] | null;
  certificates: HealthFacts['certificates'] | null;
  syncNames: string;
  /** Standbys whose state this role may not see. */
  hiddenStandbys: number;
};

/** What active promotions take off, by who pays it, in each place that has a live store of theirs. */
const ACTIVE_DISCOUNTS = raw`
  select json_agg(json_build_object('kind', kind, 'payer', payer, 'hasCode', has_code, 'country', country, 'state', state,
    'priceOwner', price_owner))
  from (
    select distinct p.details->'terms'->>'kind' as kind, f.part->>'payer' as payer,
      p.code is not null or p.generated_codes > 0 as has_code, p.details->>'country' as country_of_cents, p.store_ids,
      case when p.offered_by = 'store' then p.owner_id end as own_store
    from promotions as p, jsonb_array_elements(p.details->'funding') as f (part)
    where p.ended_at is null and not p.paused and (p.starts_at is null or p.starts_at <= clock_timestamp())
      and (p.ends_at is null or p.ends_at > clock_timestamp())
  ) as d cross join lateral (
    select distinct s.profile->'address'->>'country' as country, s.profile->'address'->>'state' as state,
      case when d.kind <> 'delivery' then 'store' else coalesce(
        (select t.delivery_fee from store_terms as t where t.store_id = s.store_id order by t.since desc limit 1),
        case when exists (select from store_couriers as c where c.store_id = s.store_id) then 'operator' else 'store' end)
      end as price_owner
    from stores as s
    where s.store_id in (select store_id from store_channels) and s.has_channel and s.merged_into is null
      and (d.own_store is null or s.store_id = d.own_store) and (d.store_ids is null or s.store_id = any(d.store_ids))
      and (d.country_of_cents is null or d.country_of_cents = s.profile->'address'->>'country')
  ) as places`;

/**
 * Reads the input of the conditions. A role without `pg_monitor` sees the transactions of its own sessions, and the
 * number of standbys.
 */
export async function readHealthFacts(
  sql: Sql,
  { quiet, settingWarnings = [] }: Partial<Pick<HealthFacts, 'quiet' | 'settingWarnings'>>,
): Promise<HealthFacts> {
  const { rows } = await raw<FactsRow>`
    select exists (select from api_keys where mode = 'live' and revoked_at is null) as is_live,
      (select extract(epoch from clock_timestamp() - value::timestamptz)::float8 from settings where name = ${BACKED_UP_AT})
        as backup_seconds,
      (select extract(epoch from clock_timestamp() - last_archived_time)::float8 from pg_stat_archiver
        where current_setting('archive_mode') <> 'off' and last_failed_time is distinct from greatest(last_failed_time, last_archived_time))
        as archive_seconds,
      pg_is_in_recovery() as is_standby,
      current_setting('synchronous_standby_names') as sync_names,
      r.*,
      (select json_agg(json_build_object('host', host, 'aheadSeconds', ahead_seconds) order by host)
        from clock_differences where measured_at > clock_timestamp() - interval '3 minutes'
          and abs(ahead_seconds) > ${MAX_CLOCK_DIFFERENCE_S}) as clocks,
      (select count(*)::int from clock_differences where measured_at > clock_timestamp() - interval '3 minutes') as measured_clocks,
      (select (value::json->>'seconds')::float8 from settings where name = ${CLOCK_STEP}
        and to_timestamp((value::json->>'atMs')::float8 / 1000) > clock_timestamp() - interval '1 hour') as clock_step_seconds,
      (select json_agg(json_build_object('name', slot_name, 'isActive', active, 'isLost', coalesce(wal_status = 'lost', false),
          'bytes', case when pg_is_in_recovery() then 0 else coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0) end)
          order by slot_name)
        from pg_replication_slots where not temporary) as slots,
      (select coalesce(max(extract(epoch from clock_timestamp() - began)), 0)::float8 from (
        select xact_start as began from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        union all select prepared from pg_prepared_xacts where database = current_database()) as open) as transaction_seconds,
      (select json_agg(json_build_object('host', host, 'secondsLeft', extract(epoch from at::timestamptz - clock_timestamp())))
        from settings, json_each_text(value::json) as c (host, at) where name = ${CERTIFICATES_END}) as certificates,
      (${ACTIVE_DISCOUNTS}) as discounts,
      (select json_agg(order_id order by g.at desc) from gateway_events as g join orders as o using (order_id)
        where g.at > clock_timestamp() - interval '1 day' and g.kind = 'capture_failed' and o.mode = 'live') as failed_captures,
      (select json_agg(order_id order by at::timestamptz desc) from settings, json_each_text(value::json) as u (order_id, at)
        where name = ${UNWEIGHED_ORDERS} and at::timestamptz > clock_timestamp() - interval '1 day') as unweighed_orders
    from (
      select count(*)::int as standbys, (count(*) filter (where sync_state in ('sync', 'quorum')))::int as sync_standbys,
        (count(*) filter (where sync_state is null))::int as hidden_standbys,
        coalesce(max(extract(epoch from replay_lag)), 0)::float8 as standby_lag_seconds,
        (array_agg(extract(epoch from reply_time - clock_timestamp())::float8 order by abs(extract(epoch from reply_time - clock_timestamp())) desc)
          filter (where reply_time is not null))[1] as standby_clock_seconds
      from pg_stat_replication
    ) as r`.execute(sql);
  const [row] = rows;
  if (!row) throw new Error('A row of facts is always returned.');
  const {
    syncNames,
    hiddenStandbys,
    slots,
    clocks,
    certificates,
    discounts,
    failedCaptures,
    unweighedOrders,
    ...facts
  } = row;
  return {
    ...facts,
    quiet,
    settingWarnings,
    syncStandbysNeeded: syncNames === '' ? 0 : Number(/^(?:any|first)?\s*(\d+)\s*\(/i.exec(syncNames)?.[1] ?? 1),
    syncStandbys: facts.syncStandbys + hiddenStandbys,
    slots: slots ?? [],
    clocks: clocks ?? [],
    certificates: certificates ?? [],
    assumedDiscountTaxes: assumedPlaces(discounts ?? []),
    failedCaptures: failedCaptures ?? [],
    unweighedOrders: unweighedOrders ?? [],
  };
}
