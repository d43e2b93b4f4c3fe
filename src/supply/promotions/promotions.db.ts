import { sql as raw } from 'kysely';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { type ListCursor, listCursor } from '../../platform/http/list-page.ts';
import type { Payer, Promotion } from '../pricing/promotion.ts';
import { countOf } from '../pricing/slots.db.ts';
import {
  type PromotionOwner,
  type PromotionRow,
  promotionOfRow,
  rowOfPromotion,
  sandboxOwnerOf,
} from './promotion-row.ts';
import { markShown } from './shown-promotions.db.ts';

/** Promotions as their owners create, see and change them. */

export type PromotionAgreement = { storeId: string; agreedBy: string; agreedOn: string };

/** A promotion with its uses by orders of one sandbox, or by live orders. */
export type StoredPromotion = PromotionOwner & {
  promotion: Promotion;
  externalId: string | null;
  generatedCodes: number;
  paused: boolean;
  endedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  used: number;
  spentCents: number;
  /** Subtotals of the orders at menu prices. */
  salesCents: number;
  agreements: readonly PromotionAgreement[];
};

type StoredRow = PromotionRow & Omit<StoredPromotion, 'promotion'>;

export type PromotionQuery = {
  /** Only of this owner; absent: of all. */
  owner?: PromotionOwner | undefined;
  /** With offers of accounts and the operator that this store pays a part of. */
  withOffersTo?: string | undefined;
  promotionId?: string | undefined;
  offeredBy?: Payer | undefined;
  /** Valid at this store. */
  storeId?: string | undefined;
  isOpen?: boolean | undefined;
  /** The latest of each id in the feeds of these stores, ended ones included. */
  latestFromFeedsOf?: readonly string[] | undefined;
  /** The last promotion of the page before. */
  after?: ListCursor | undefined;
  limit: number;
};

const OPEN = raw<boolean>`p.ended_at is null`;
const ofOwner = ({ offeredBy, ownerId }: PromotionOwner) =>
  raw<boolean>`(p.offered_by = ${offeredBy} and p.owner_id = ${ownerId})`;
/** Promotions of others of which a store pays a part. */
const offeredTo = (storeId: string, sandbox: Sandbox) =>
  raw<boolean>`(p.ended_at is null and p.offered_by <> 'store'
    and (p.owner_id not like '% sandbox' or p.owner_id = ${sandbox === null ? null : sandboxOwnerOf(sandbox)})
    and p.details->'funding' @> '[{"payer": "store"}]' and ${storeId} = any(p.store_ids))`;

/** Finds promotions, newest first. `sandbox` says whose orders count. */
export async function findPromotions(sql: Sql, query: PromotionQuery, sandbox: Sandbox): Promise<StoredPromotion[]> {
  const { owner, withOffersTo, promotionId, offeredBy, storeId, isOpen, latestFromFeedsOf, after, limit } = query;
  const own =
    owner &&
    (withOffersTo === undefined ? ofOwner(owner) : raw`(${ofOwner(owner)} or ${offeredTo(withOffersTo, sandbox)})`);
  const conditions = [
    own,
    promotionId === undefined ? undefined : raw`p.promotion_id = ${promotionId}`,
    offeredBy === undefined ? undefined : raw`p.offered_by = ${offeredBy}`,
    storeId === undefined
      ? undefined
      : raw`case when p.offered_by = 'store' then p.owner_id = ${storeId}
          else p.store_ids is null or ${storeId} = any(p.store_ids) end`,
    isOpen ? OPEN : undefined,
    latestFromFeedsOf &&
      raw`p.offered_by = 'store' and p.owner_id = any(${latestFromFeedsOf}::text[]) and p.external_id is not null
        and not exists (select from promotions as l where l.offered_by = 'store' and l.owner_id = p.owner_id
          and l.external_id = p.external_id and (l.created_at, l.promotion_id) > (p.created_at, p.promotion_id))`,
    after && raw`(p.created_at, p.promotion_id) < (${after.at.toString()}::timestamptz, ${after.id})`,
  ].filter((condition) => condition !== undefined);
  const { rows } = await raw<StoredRow>`
    select p.*, coalesce(n.used, 0) as used, coalesce(n.spent_cents, 0) as spent_cents,
      coalesce(n.sales_cents, 0) as sales_cents,
      coalesce((select json_agg(json_build_object('storeId', store_id, 'agreedBy', agreed_by, 'agreedOn', agreed_on)
        order by store_id) from promotion_agreements as a where a.promotion_id = p.promotion_id), '[]') as agreements
    from promotions as p
    left join promotion_counts as n on n.promotion_id = p.promotion_id and n.sandbox = ${countOf(sandbox)}
    where ${conditions.length === 0 ? raw`true` : raw.join(conditions, raw` and `)}
    order by p.created_at desc, p.promotion_id desc limit ${limit}`.execute(sql);
  return rows.map((row) => ({ ...row, promotion: promotionOfRow(row) }));
}

/** Where the page after a promotion begins. */
export const promotionCursor = ({ createdAt, promotion }: StoredPromotion): string =>
  listCursor({ at: createdAt, id: promotion.promotionId });

/** Locks the promotions of an owner until the transaction ends, marks those that are over, and counts the others. */
export async function lockPromotions(tx: Sql, { offeredBy, ownerId }: PromotionOwner, at: Temporal.Instant) {
  await raw`select pg_advisory_xact_lock(hashtextextended(${`promotions ${offeredBy} ${ownerId}`}, 0))`.execute(tx);
  const { rows } = await raw<{ open: number }>`
    with past as (
      update promotions as p set ended_at = ends_at
      where ${ofOwner({ offeredBy, ownerId })} and ${OPEN} and ends_at <= ${at.toString()}::timestamptz
    )
    select count(*)::int as open from promotions as p where ${ofOwner({ offeredBy, ownerId })} and ${OPEN}
      and (ends_at is null or ends_at > ${at.toString()}::timestamptz)`.execute(tx);
  return rows[0]?.open ?? 0;
}

export type NewPromotion = PromotionOwner & {
  promotion: Promotion;
  externalId: string | null;
  /** SHA-256. */
  codeHashes: readonly Buffer[];
};

/** Writes a promotion; returns false if its owner has the code in another one. Call after `lockPromotions`. */
export async function insertPromotion(
  tx: Sql,
  { promotion, ownerId, externalId, codeHashes }: NewPromotion,
  at: Temporal.Instant,
): Promise<boolean> {
  const { details, startsAt, endsAt, storeIds, ...row } = rowOfPromotion(promotion, ownerId);
  const written = await tx
    .insertInto('promotions')
    .values({
      ...row,
      externalId,
      details: JSON.stringify(details),
      storeIds: storeIds && [...storeIds],
      generatedCodes: codeHashes.length,
      startsAt: startsAt?.toString() ?? null,
      endsAt: endsAt?.toString() ?? null,
      paused: false,
      createdAt: at.toString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('promotionId')
    .executeTakeFirst();
  if (!written) return false;
  if (codeHashes.length > 0) {
    await raw`insert into promotion_codes (code_hash, promotion_id)
      select h, ${promotion.promotionId} from unnest(${codeHashes}::bytea[]) as h`.execute(tx);
  }
  await markShown(tx, promotion.promotionId);
  return true;
}

type Changes = Partial<Pick<PromotionRow, 'maxUses' | 'maxUsesPerUser' | 'budgetCents'>> & {
  endsAt?: string;
  paused?: boolean;
  endedAt?: string;
  externalId?: null;
};

export async function updatePromotion(tx: Sql, promotionId: string, changes: Changes): Promise<void> {
  await tx.updateTable('promotions').set(changes).where('promotionId', '=', promotionId).execute();
  await markShown(tx, promotionId);
}

/** Records that a store pays its part; the first agreement stays. */
export async function insertAgreements(
  tx: Sql,
  promotionId: string,
  agreements: readonly PromotionAgreement[],
  at: Temporal.Instant,
): Promise<void> {
  if (agreements.length === 0) return;
  await tx
    .insertInto('promotionAgreements')
    .values(agreements.map((agreement) => ({ ...agreement, promotionId, recordedAt: at.toString() })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await markShown(tx, promotionId);
}

/** Returns the given IDs unknown as a store, product or category. */
export type UnknownIds = { stores: string[]; products: string[]; categories: string[]; lowestPrice: number | null };

/**
 * Finds unknown ids. `inStores` are the stores whose ids of products and categories count. `lowestPrice` is that of the
 * priced products; null without any.
 */
export async function findUnknownIds(
  sql: Sql,
  ids: Readonly<Record<'stores' | 'inStores' | 'products' | 'categories' | 'priced', readonly string[]>>,
): Promise<UnknownIds> {
  const unknown = (given: readonly string[], table: 'products' | 'categories') => raw`
    (select coalesce(json_agg(g.id), '[]') from unnest(${given}::text[]) as g (id) where not exists (
      select from ${raw.table(table)} as t where t.store_id = any(${ids.inStores}::text[]) and t.external_id = g.id
        and not t.removed))`;
  const { rows } = await raw<UnknownIds>`
    select (select coalesce(json_agg(g.id), '[]') from unnest(${ids.stores}::text[]) as g (id)
        where not exists (select from stores as s where s.store_id = g.id)) as stores,
      ${unknown(ids.products, 'products')} as products, ${unknown(ids.categories, 'categories')} as categories,
      (select min(least(price, pickup_price)) from products as t where t.store_id = any(${ids.inStores}::text[])
        and t.external_id = any(${ids.priced}::text[]) and not t.removed) as lowest_price`.execute(sql);
  return rows[0] ?? { stores: [], products: [], categories: [], lowestPrice: null };
}
