import { sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Promotion } from '../pricing/promotion.ts';
import { VALID_STORES } from './promotion-facts.db.ts';

/** Whose orders promotions are for, and where sandbox they count; null: live. */
type Buyer = { accountId: string; sandbox: Sandbox };

/** Filters that need more of a product than its tax class. */
const BY_PRODUCT = '$.items.**?(exists(@.products) || exists(@.categories))';

/**
 * The promotions that apply by themselves now to any customer's cart at some of these stores, as far as they need no
 * more of a cart than its prices and tax classes, without their limits and times. `stores` are those of the given ones
 * where one is valid; absent: all.
 */
export async function findAutomaticPromotions(
  sql: Sql,
  storeIds: readonly string[],
  { accountId, sandbox }: Buyer,
  now: Temporal.Instant,
): Promise<Promotion[]> {
  const at = now.toString();
  const { rows } = await raw<{ promotions: Promotion[] }>`
    select coalesce(jsonb_agg(jsonb_strip_nulls(p.details || jsonb_build_object(
        'promotionId', p.promotion_id, 'offeredBy', p.offered_by, 'listed', p.listed,
        'stores', case p.offered_by when 'store' then to_jsonb(array[p.owner_id]) else to_jsonb(${raw.raw(VALID_STORES)}) end
      )) order by p.promotion_id), '[]') as promotions
    from promotions as p
    left join promotion_counts as n on n.promotion_id = p.promotion_id and n.sandbox = ${sandbox ?? ''}
    where ((p.offered_by = 'store' and p.owner_id = any(${storeIds}::text[]))
        or (p.offered_by = 'account' and p.owner_id in (${accountId}, ${sandbox === null ? accountId : `${sandbox} sandbox`}))
        or (p.offered_by = 'operator' and p.owner_id = ''))
      and p.ended_at is null and not p.paused and p.code is null and p.generated_codes = 0
      and (p.starts_at is null or p.starts_at <= ${at}) and (p.ends_at is null or p.ends_at > ${at})
      and p.details->'terms'->>'kind' in ('percent', 'amount', 'spend', 'delivery')
      and not jsonb_path_exists(p.details, ${BY_PRODUCT}::jsonpath) and not p.details ? 'newStoreDays'
      and not (p.details->>'firstOrder')::boolean and p.max_uses_per_user is null
      and (p.max_uses is null or coalesce(n.used, 0) < p.max_uses)
      and (p.budget_cents is null or coalesce(n.spent_cents, 0) < p.budget_cents)`.execute(sql.withoutPlugins());
  return rows[0]?.promotions ?? [];
}
