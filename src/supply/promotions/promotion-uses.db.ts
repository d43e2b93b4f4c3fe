import type { Sql } from '../../platform/db/connect.ts';
import { placeholders, runPrepared, unnested } from '../../platform/db/hot-statement.ts';
import type { Retention } from '../../platform/jobs/delete-expired.db.ts';
import { codeHash, isUseOf, knownText } from './promotion-facts.db.ts';
import type { PromotionUse } from './promotion-use.ts';
import type { PromotionUser } from './promotion-user.ts';

/*
 * Uses of promotions. Limited ones are taken with an order's other holds, before its charge; the others are counted
 * when it is placed. Both are returned once, when the attempt ends without placing or the order is canceled. Lock
 * order: the counts of promotions by id, after the order, what else it holds, and the counter of order numbers.
 */

/** The order that uses promotions. `sandbox` is the account whose sandbox counts; empty for live orders. */
export type UsingOrder = {
  orderId: string;
  accountId: string;
  mode: string;
  storeId: string;
  sandbox: string;
  salesCents: number;
  user: PromotionUser | undefined;
  /** The fingerprint of the card, or its token. */
  card: string | null;
};

/**
 * Takes uses of limited promotions; returns false if any of them has ended or run out. The caller then rolls back.
 */
export async function takeUses(
  tx: Sql,
  { orderId, accountId, mode, storeId, sandbox, salesCents, user, card }: UsingOrder,
  uses: readonly PromotionUse[],
  now: Temporal.Instant,
): Promise<boolean> {
  const known = [sandbox, accountId, mode, storeId, user ? JSON.stringify(user) : null, card];
  const { rows } = await runPrepared<{ limitsUser: boolean }>(tx, TAKE_TEXT, [
    uses.map(({ promotionId }) => promotionId),
    uses.map(({ cents }) => cents),
    uses.map(({ code }) => code ?? null),
    orderId,
    ...known,
    salesCents,
    now.toString(),
  ]);
  if (rows.length < uses.length) return false;
  if (!rows.some(({ limitsUser }) => limitsUser)) return true;
  const over = await runPrepared(tx, OVER_TEXT, [orderId, ...known]);
  return over.rows.length === 0;
}

const MAX_OF_USER = `case when (p.details->>'firstOrder')::boolean then 1 else p.max_uses_per_user end`;

const knownFrom = (first: number) => {
  const [accountId = '', mode = '', storeId = '', user = '', card = ''] = placeholders(5, first).map(
    (value) => `${value}::text`,
  );
  return knownText({ accountId, mode, storeId, user, card });
};

/** The first count of a promotion is inserted: its limits are checked before, those of later ones with the row locked. */
const TAKE_TEXT = `
  with given as (
    select g.*, p.*, ${MAX_OF_USER} is not null as limits_user
    from ${unnested(['text', 'bigint', 'text'])} as g (given_id, cents, entered)
    join promotions as p on p.promotion_id = given_id
    where p.ended_at is null and not p.paused and (p.ends_at is null or p.ends_at > $12::timestamptz)
      and coalesce(p.max_uses >= 1, true) and coalesce(p.budget_cents >= cents, true)
  ), counted as (
    insert into promotion_counts as c (promotion_id, sandbox, used, spent_cents, sales_cents)
    select promotion_id, $5::text, 1, cents, $11::bigint from given order by promotion_id
    on conflict (promotion_id, sandbox) do update set used = c.used + 1,
      spent_cents = c.spent_cents + excluded.spent_cents, sales_cents = c.sales_cents + excluded.sales_cents
    where exists (select from promotions as p where p.promotion_id = c.promotion_id
      and coalesce(c.used < p.max_uses, true) and coalesce(c.spent_cents + excluded.spent_cents <= p.budget_cents, true))
    returning c.promotion_id
  ), k as (${knownFrom(6)} where exists (select from given where limits_user)), taken as (
    insert into promotion_uses (order_id, promotion_id, sandbox, discount_cents, sales_cents, identities, code_hash, used_at)
    select $4::text, promotion_id, $5::text, cents, $11::bigint, case when limits_user then k.identities end,
      case when code is null and generated_codes > 0 then ${codeHash('entered')} end, $12::timestamptz
    from given join counted using (promotion_id) left join k on true
    where not limits_user or cardinality(k.identities) > 0
    on conflict do nothing
    returning promotion_id
  )
  select limits_user from taken join given using (promotion_id)`;

/** Promotions of an order that its user has used too often. The counts are locked since before, so that no use is missed. */
const OVER_TEXT = `
  with k as (${knownFrom(3)})
  select from promotion_uses as mine join promotions as p using (promotion_id), k
  where mine.order_id = $1 and ${MAX_OF_USER} <= (
    select count(*) from promotion_uses as u
    where u.promotion_id = p.promotion_id and u.sandbox = $2::text and u.order_id <> $1 and ${isUseOf('k')})`;

/** Returns all uses of an order; repeated, it does nothing. */
export async function giveBackUses(tx: Sql, orderId: string): Promise<void> {
  await runPrepared(tx, GIVE_BACK_TEXT, [orderId]);
}

/** The counts are locked before their uses: an order that takes a use holds its count while it waits for another's use. */
const LOCKED = `locked as materialized (
    select c.promotion_id, c.sandbox from promotion_counts as c join promotion_uses as u using (promotion_id, sandbox)
    where u.order_id = $1 order by c.promotion_id for update of c
  )`;

const GIVE_BACK_TEXT = `
  with ${LOCKED}, gone as (
    delete from promotion_uses as u using locked
    where u.order_id = $1 and u.promotion_id = locked.promotion_id
    returning u.promotion_id, u.sandbox, u.discount_cents, u.sales_cents as sales
  )
  update promotion_counts as c set used = c.used - 1, spent_cents = c.spent_cents - discount_cents,
    sales_cents = c.sales_cents - sales
  from gone
  where c.promotion_id = gone.promotion_id and c.sandbox = gone.sandbox`;

/** Lowers an order's promotion uses to these amounts, for these sales; repeated, it does nothing. */
export async function lowerUses(
  tx: Sql,
  orderId: string,
  uses: readonly PromotionUse[],
  salesCents: number,
): Promise<void> {
  const [ids, cents] = [uses.map(({ promotionId }) => promotionId), uses.map((use) => use.cents)];
  await runPrepared(tx, LOWER_TEXT, [orderId, ids, cents, salesCents]);
}

const LOWER_TEXT = `
  with ${LOCKED}, less as (
    select u.promotion_id, u.sandbox, greatest(0, u.discount_cents - coalesce(g.cents, 0)) as cents,
      u.sales_cents - $4::bigint as sales
    from promotion_uses as u join locked using (promotion_id, sandbox)
    left join unnest($2::text[], $3::bigint[]) as g (given_id, cents) on g.given_id = u.promotion_id
    where u.order_id = $1 and (u.discount_cents > coalesce(g.cents, 0) or u.sales_cents <> $4::bigint)
  ), lowered as (
    update promotion_uses as u set discount_cents = u.discount_cents - less.cents, sales_cents = u.sales_cents - less.sales
    from less
    where u.order_id = $1 and u.promotion_id = less.promotion_id
  )
  update promotion_counts as c set spent_cents = c.spent_cents - less.cents, sales_cents = c.sales_cents - less.sales
  from less
  where c.promotion_id = less.promotion_id and c.sandbox = less.sandbox`;

/**
 * SQL expressions that count the uses in placed orders, apart from earlier uses. `steps` has `order_id`; `uses` is SQL
 * of `usesJson`, `at` of the moment.
 */
export function countUsesText(steps: string, uses: string, at: string): string {
  return `used as (
    insert into promotion_uses (order_id, promotion_id, sandbox, discount_cents, sales_cents, used_at)
    select order_id, u."promotionId", u.sandbox, u.cents, u."salesCents", ${at}
    from ${steps}, jsonb_to_recordset(${uses}) as u ("promotionId" text, sandbox text, cents bigint, "salesCents" bigint)
    on conflict (order_id, promotion_id) do nothing
    returning promotion_id, sandbox, discount_cents, sales_cents
  ), used_counts as (
    insert into promotion_counts as c (promotion_id, sandbox, used, spent_cents, sales_cents)
    select promotion_id, sandbox, count(*), sum(discount_cents), sum(sales_cents) from used group by 1, 2 order by 1, 2
    on conflict (promotion_id, sandbox) do update set used = c.used + excluded.used,
      spent_cents = c.spent_cents + excluded.spent_cents, sales_cents = c.sales_cents + excluded.sales_cents
  )`;
}

/** Days after which an order that used a promotion can no longer be canceled. */
const CANCELABLE_DAYS = 90;

/** Uses that limit no user, card or code. The others stay, because they count as long as their promotion runs. */
export const UNLIMITED_USES: Retention = {
  table: 'promotion_uses',
  age: 'used_at',
  where: 'user_hash is null and card_hash is null and code_hash is null and identities is null',
  keepFor: { hours: 24 * CANCELABLE_DAYS },
};
