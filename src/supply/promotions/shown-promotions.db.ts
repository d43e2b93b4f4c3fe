import { type RawBuilder, sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { QueueTable } from '../../platform/jobs/leased-queue.ts';
import type { Payer, Promotion } from '../pricing/promotion.ts';
import type { ShownOffer } from '../stores/store.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { itemNamesText, LACKS_AGREEMENT, LIVE_SINCE, VALID_STORES } from './promotion-facts.db.ts';
import { promotionOfRow } from './promotion-row.ts';

/* What promotions change in menus and searches, as the columns of stores and products that menus and indexes read. */

const AT_ONCE = '-infinity';

/** SQL of whether all stores show a promotion that names none, each in its menu or during its own first days. */
const IN_EVERY_STORE = `p.offered_by = 'operator' and p.owner_id = '' and p.store_ids is null
  and (p.details->'terms'->>'kind' = 'item_price' or p.details ? 'newStoreDays')`;

/** Marks the stores that show a promotion as due: its own, those that the operator names, or all. */
export const markShown = (sql: Sql, promotionId: string): Promise<void> =>
  markStores(
    sql,
    raw`select t.store_id from promotions as p join stores as t on t.store_id = any(case p.offered_by
        when 'store' then array[p.owner_id] when 'operator' then p.store_ids end)
      where p.promotion_id = ${promotionId}
      union all select t.store_id from promotions as p cross join stores as t
      where p.promotion_id = ${promotionId} and ${raw.raw(IN_EVERY_STORE)}`,
  );

/**
 * The promotions of these live orders that stores list although a limit is reached, or do not list although these
 * orders gave their use back.
 */
export async function findUsed(sql: Sql, orderIds: readonly string[], isGivenBack: boolean): Promise<string[]> {
  const { rows } = await raw<{ promotionId: string }>`
    select distinct p.promotion_id
    from orders as o cross join lateral jsonb_array_elements(o.quote->'discounts') as d
      join promotions as p on p.promotion_id = d->>'promotionId' join stores as t on t.store_id = o.store_id
      left join promotion_counts as c on c.promotion_id = p.promotion_id and c.sandbox = '',
      lateral (select coalesce(c.used >= p.max_uses or c.spent_cents >= p.budget_cents, false) as is_used_up,
        coalesce(t.offers @> jsonb_build_array(jsonb_build_object('promotionId', p.promotion_id)), false) as is_listed) as l
    where o.order_id = any(${orderIds}::text[]) and p.listed and not p.paused and p.ended_at is null
      and l.is_used_up = l.is_listed and (l.is_used_up or ${isGivenBack})
    order by p.promotion_id`.execute(sql);
  return rows.map(({ promotionId }) => promotionId);
}

/** Marks stores with changed products as due, if they have had promotions or every store has one. */
export const markShownAgain = (sql: Sql, storeIds: readonly string[]): Promise<void> =>
  markStores(
    sql,
    raw`select t.store_id from unnest(${storeIds}::text[]) as t (store_id)
      where exists (select from shown_promotions as o where o.store_id = t.store_id)
        or exists (select from promotions as p where p.ended_at is null and ${raw.raw(IN_EVERY_STORE)})`,
  );

/** Marks stores as due that took live orders on a day for the first time, if a promotion for new stores is open. */
export const markLiveStores = (sql: Sql, storeIds: readonly string[]): Promise<void> =>
  markStores(
    sql,
    raw`select distinct t.store_id from unnest(${storeIds}::text[]) as t (store_id)
      where exists (select from promotions as p where p.ended_at is null and p.details ? 'newStoreDays')`,
  );

async function markStores(sql: Sql, stores: RawBuilder<unknown>): Promise<void> {
  await raw`
    insert into shown_promotions (store_id, due_at)
    select store_id, ${AT_ONCE}::timestamptz from (${stores}) as t order by store_id
    on conflict (store_id) do update set due_at = excluded.due_at, leased_until = null`.execute(sql);
}

export const PROMOTIONS_TO_SHOW: QueueTable = {
  table: 'shown_promotions',
  key: ['store_id'],
  owner: ['queue'],
  waits: 'q.due_at is not null',
  dueAt: 'due_at',
  leaseSeconds: 60,
  columns: 'q.store_id',
};

/** Ends a writing; a store that was marked since it was leased is due at once. */
export async function endShowing(sql: Sql, storeId: string, nextAt: Temporal.Instant | null): Promise<void> {
  await raw`
    update shown_promotions set leased_until = null,
      due_at = case when leased_until is not null then ${nextAt?.toString() ?? null}::timestamptz else due_at end
    where store_id = ${storeId}`.execute(sql);
}

type Row = Parameters<typeof promotionOfRow>[0] & { offeredBy: Payer };

/**
 * The promotions that a store can show, active or to come: its own, and the operator's, offered by its name or in every
 * store. An account's promotions are only for its customers.
 */
export async function findShownPromotions(sql: Sql, storeId: string): Promise<Promotion[]> {
  const { rows } = await raw<Row>`
    select p.promotion_id, p.offered_by, p.details, p.store_ids, p.code, p.max_uses, p.max_uses_per_user, p.budget_cents,
      p.listed, p.starts_at, p.ends_at, ${raw.raw(itemNamesText('p', 'array[t.store_id]'))} as item_names
    from stores as t join promotions as p on (p.offered_by = 'store' and p.owner_id = t.store_id)
      or (p.offered_by = 'operator' and p.owner_id = '' and t.store_id = any(p.store_ids)) or (${raw.raw(IN_EVERY_STORE)})
    where t.store_id = ${storeId}
      and p.ended_at is null and not p.paused and p.generated_codes = 0 and not (${raw.raw(LACKS_AGREEMENT('t.store_id'))})
      and not exists (select from promotion_counts as c where c.promotion_id = p.promotion_id and c.sandbox = ''
        and (c.used >= p.max_uses or c.spent_cents >= p.budget_cents))
    order by p.created_at, p.promotion_id`.execute(sql);
  return rows.map(promotionOfRow);
}

/** When a store first took live orders, in epoch seconds; null: not yet. */
export async function findLiveSince(sql: Sql, storeId: string): Promise<number | null> {
  const { rows } = await raw<{ since: number | null }>`
    select extract(epoch from ${raw.raw(LIVE_SINCE('t.store_id'))})::float8 as since
    from stores as t where t.store_id = ${storeId}`.execute(sql);
  return rows[0]?.since ?? null;
}

/** Stores of a promotion among which a name is looked for: they share their feed's ids. */
const NAMING_STORES = 20;

/**
 * SQL for the listed promotions that a caller sees alongside stores' own lists (`SharedOffer[]`, as JSON text; null
 * without any): the account's, and the operator's without a store's name, for new and old stores alike. `items` is an
 * empty object for a promotion of some items. `k` is the caller's key.
 */
export const SHARED_OFFERS = `(
  select jsonb_agg(jsonb_strip_nulls(p.details - 'funding' #- '{terms,getItems}' || jsonb_build_object(
    'promotionId', p.promotion_id, 'code', p.code, 'endsEpochS', floor(extract(epoch from p.ends_at)),
    'stores', to_jsonb(${VALID_STORES}), 'itemNames', ${itemNamesText('p', `p.store_ids[:${NAMING_STORES}]`)},
    'items', case when p.details ? 'items' or p.details->'terms' ? 'getItems' then '{}'::jsonb end
  )) order by p.created_at, p.promotion_id)::text
  from promotions as p
  where p.ended_at is null and (p.offered_by, p.owner_id) in (('operator', ''), ('account', k.account_id),
      ('account', case k.mode when 'sandbox' then k.account_id || ' sandbox' end))
    and (p.offered_by = 'account' or p.store_ids is null) and p.listed and not p.paused and p.generated_codes = 0
    and (p.starts_at is null or p.starts_at <= moment.now) and (p.ends_at is null or p.ends_at > moment.now)
    and not p.details ? 'newStoreDays'
    and not exists (select from promotion_counts as c where c.promotion_id = p.promotion_id
      and c.sandbox = case k.mode when 'sandbox' then k.account_id else '' end
      and (c.used >= p.max_uses or c.spent_cents >= p.budget_cents)))`;

/** A product as promotions lower its price. */
export type ListedProduct = {
  productNo: number;
  externalId: string;
  price: number;
  pickupPrice: number;
  taxClass: TaxClass;
  isAlcoholic: boolean;
  /** The feed's ids of its category and of all parents. */
  categories: readonly string[];
};

/** A store's products, or one of them. `storeClass` is the class of those that have none. */
export async function findListedProducts(
  sql: Sql,
  storeId: string,
  storeClass: TaxClass,
  productNo: number | null = null,
): Promise<ListedProduct[]> {
  const { rows } = await raw<ListedProduct>`
    with recursive paths as (
      select category_no, array[external_id] as ids, tax_classes from categories
      where store_id = ${storeId} and parent_no is null
      union all
      select c.category_no, p.ids || c.external_id, c.tax_classes
      from categories as c join paths as p on p.category_no = c.parent_no where c.store_id = ${storeId}
    )
    select p.product_no, p.external_id, p.price, p.pickup_price, p.is_alcoholic, c.ids as categories,
      coalesce(p.tax_class, c.tax_classes[cardinality(c.tax_classes)], ${storeClass}) as tax_class
    from products as p join paths as c using (category_no)
    where p.store_id = ${storeId} and not p.removed and (${productNo}::int is null or p.product_no = ${productNo})
    order by p.product_no`.execute(sql);
  return rows;
}

/** The prices to which a product is lowered; null: its list price. */
export type MenuPrice = { productNo: number; delivery: number | null; pickup: number | null };

/** Writes a store's menu prices; products that are not named have none. Returns whether any has changed. */
export async function writeMenuPrices(sql: Sql, storeId: string, prices: readonly MenuPrice[]): Promise<boolean> {
  const cents = (mode: 'delivery' | 'pickup') => prices.map((price) => price[mode]);
  const { rows } = await raw`
    with lowered as (
      select * from unnest(
        ${prices.map(({ productNo }) => productNo)}::int[], ${cents('delivery')}::int[], ${cents('pickup')}::int[])
        as l (product_no, delivery, pickup)
    ), changed as (
      select p.product_no, l.delivery, l.pickup
      from products as p left join lowered as l using (product_no)
      where p.store_id = ${storeId}
        and (l.product_no is not null or p.menu_price is not null or p.menu_pickup_price is not null)
        and (p.menu_price, p.menu_pickup_price) is distinct from (l.delivery, l.pickup)
    )
    update products as p set menu_price = c.delivery, menu_pickup_price = c.pickup from changed as c
    where p.store_id = ${storeId} and p.product_no = c.product_no returning p.product_no`.execute(sql);
  return rows.length > 0;
}

/** Writes the offers that a store lists; returns whether they have changed. */
export async function writeOffers(sql: Sql, storeId: string, offers: readonly ShownOffer[]): Promise<boolean> {
  const json = offers.length === 0 ? null : JSON.stringify(offers);
  const { rows } = await raw`
    update stores set offers = ${json}::jsonb
    where store_id = ${storeId} and offers is distinct from ${json}::jsonb returning store_id`.execute(sql);
  return rows.length > 0;
}
