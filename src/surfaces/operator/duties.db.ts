import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { Country } from '../../supply/stores/store.ts';

/** Live stores of a state or province: all, those without an agreement, and those with the built-in taxes. */
type StoresOfState = {
  country: Country;
  state: string;
  stores: number;
  withoutAgreement: number;
  statewideTaxes: number;
};

export async function countStoresByState(sql: Sql): Promise<StoresOfState[]> {
  const { rows } = await raw<StoresOfState>`
    select s.profile->'address'->>'country' as country, s.profile->'address'->>'state' as state,
      count(*)::int as stores,
      (count(*) filter (where s.agreement is null and not s.profile ? 'agreement'))::int as without_agreement,
      (count(*) filter (where s.profile->'fees'->>'taxes' is null
        and s.profile->'fees'->>'salesTaxPercent' is null))::int as statewide_taxes
    from (select distinct store_id from store_channels) as live join stores as s on s.store_id = live.store_id
    where s.has_channel and s.listed and s.merged_into is null and s.delisted_at is null
    group by 1, 2`.execute(sql);
  return rows;
}
