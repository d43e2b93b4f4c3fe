import { present } from 'doorstep/collections';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Promotion, Rejection } from '../pricing/promotion.ts';
import { type Candidate, NO_PROMOTIONS, type PromotionFacts } from '../pricing/promotions.ts';
import { promotionOfRow, type ReadRow } from './promotion-row.ts';

/*
 * The promotions that may apply to an order, with what is left of their limits, as one value of the statement that
 * reads all inputs of orders. It is null where there are none, and then reads three empty ranges of an index.
 */

/** SQL of the value's inputs. */
type FactsNames = {
  /** Of the products, as integers[]. */
  productNos: string;
  /** The account whose sandbox counts; empty for live orders. */
  sandbox: string;
  /** Upper-cased, as text[]. */
  codes: string;
  now: string;
} & KnownNames;

/** SQL of what is known of who orders. */
type KnownNames = {
  accountId: string;
  mode: string;
  storeId: string;
  /** PromotionUser in JSON; null while no one is known. */
  user: string;
  /** The fingerprint of the card, or its token; null without a card. */
  card: string;
};

/** A promotion of the statement, in JSON. */
type FactsRow = Omit<ReadRow, 'startsAt' | 'endsAt'> & {
  startsAt: string | null;
  endsAt: string | null;
  used: number;
  spentCents: number;
  /** Uses of the user; 0 where they are not limited. */
  userUses: number;
  hasGeneratedCodes: boolean;
  isCodeUsed: boolean;
};

/** The value of the statement. */
export type FactsJson = Omit<PromotionFacts, 'candidates' | 'categories' | 'liveSinceEpochS'> & {
  rows: readonly FactsRow[];
  /** Whether user or card has an earlier order; null where no promotion asks. */
  hasOrdered: boolean | null;
  liveSince: string | null;
  categories: Readonly<Record<string, readonly string[]>> | null;
};

/** `limitedIds`: promotions whose uses are taken before the charge; others are counted when the order is placed. */
export type LoadedPromotions = PromotionFacts & { limitedIds: ReadonlySet<string> };

export function promotionFactsOf(json: FactsJson | null, isUserKnown: boolean): LoadedPromotions {
  if (json === null) return { ...NO_PROMOTIONS, limitedIds: new Set() };
  const { rows, hasOrdered, liveSince, categories, ...delivery } = json;
  return {
    ...delivery,
    limitedIds: new Set(rows.filter(isLimited).map(({ promotionId }) => promotionId)),
    candidates: rows.map((row) => candidateOf(row, !isUserKnown || hasOrdered === true)),
    liveSinceEpochS: liveSince === null ? null : epochSeconds(Temporal.Instant.from(`${liveSince}T00:00Z`)),
    categories: new Map(Object.entries(categories ?? {}).map(([productNo, ids]) => [Number(productNo), ids])),
  };
}

function isLimited({ details, maxUses, maxUsesPerUser, budgetCents, hasGeneratedCodes }: FactsRow): boolean {
  return details.firstOrder || hasGeneratedCodes || [maxUses, maxUsesPerUser, budgetCents].some((max) => max !== null);
}

function candidateOf(row: FactsRow, isNoFirstOrder: boolean): Candidate {
  const instant = (text: string | null) => (text === null ? null : Temporal.Instant.from(text));
  const promotion = promotionOfRow({ ...row, startsAt: instant(row.startsAt), endsAt: instant(row.endsAt) });
  const { budgetCents } = promotion;
  return {
    promotion,
    ...present({
      refusedAs: refusalOf(promotion, row, isNoFirstOrder),
      budgetLeftCents: budgetCents === undefined ? undefined : budgetCents - row.spentCents,
    }),
  };
}

/** Why its limits or the user's earlier orders refuse a promotion; undefined if they do not. */
function refusalOf(
  { firstOrder, maxUses = Infinity, maxUsesPerUser = Infinity, budgetCents = Infinity }: Promotion,
  { used, spentCents, userUses, isCodeUsed }: FactsRow,
  isNoFirstOrder: boolean,
): Rejection | undefined {
  if (firstOrder && isNoFirstOrder) return 'first_order_only';
  if (userUses >= (firstOrder ? 1 : maxUsesPerUser)) return 'already_used';
  return isCodeUsed || used >= maxUses || spentCents >= budgetCents ? 'used_up' : undefined;
}

/** Whether a promotion of others takes the store's money without its agreement. */
export const LACKS_AGREEMENT = (
  storeId: string,
) => `p.offered_by <> 'store' and p.details->'funding' @> '[{"payer": "store"}]'
  and not exists (select from promotion_agreements as a where a.promotion_id = p.promotion_id and a.store_id = ${storeId})`;

/** SQL of the stores where a promotion of account or operator is valid; null: all. */
export const VALID_STORES = `case when p.details->'funding' @> '[{"payer": "store"}]' then array(
  select a.store_id from promotion_agreements as a
  where a.promotion_id = p.promotion_id and (p.store_ids is null or a.store_id = any(p.store_ids)))
  else p.store_ids end`;

/** Items of a minimum that its text names; more are too many. */
const MAX_NAMES = 3;

const namedText = (table: string, storeIds: string) => `select name from ${table}
        where list.key = '${table}' and jsonb_array_length(list.value) <= ${MAX_NAMES}
          and store_id = any(${storeIds}) and external_id = id and not removed`;

/** SQL of `ItemNames` of a row of promotions at these stores (text[]); null where its minimum counts all items. */
export const itemNamesText = (p: string, storeIds: string) => `(
  select case when not bool_or(has_class) and max(ids) <= ${MAX_NAMES} and bool_and(part = 'except' or names is not null)
    then jsonb_object_agg(part, names) filter (where names is not null) else '{}' end
  from (
    select part, count(*) as ids, bool_or(list.key = 'taxClasses') as has_class,
      jsonb_agg(n.name order by n.name) filter (where n.name is not null) as names
    from (values ('names', ${p}.details->'items'), ('except', ${p}.details#>'{items,except}')) as filters (part, filter)
    cross join jsonb_each(filter) as list
    cross join jsonb_array_elements_text(case jsonb_typeof(list.value) when 'array' then list.value else '[]' end) as id
    left join lateral (
      ${namedText('categories', storeIds)} union all ${namedText('products', storeIds)} limit 1) as n on true
    where ${p}.details ? 'minimumSubtotalCents' or ${p}.details->'terms' ? 'tiers'
    group by part) as parts
  having count(*) > 0)`;

/** SQL of the day of a store's first live order, in UTC. */
export const LIVE_SINCE = (storeId: string): string =>
  `(select min(day) from order_days as d where d.store_id = ${storeId} and d.mode = 'live')`;

/** Users who have ordered with one phone or email, from which on it is a shop's own and tells no one apart. */
const SHARED_BY = 5;
/** The last orders with a phone or email among which these are looked for. */
const SHARED_AMONG = 1000;

const isPlacedOf = `o.placed_at is not null and o.status <> 'canceled'`;
const PHONE = `o.request->'customer'->>'phone'`;
/** As the index of mailboxes has it. */
const HAS_EMAIL = `o.request->'customer'->>'email' <> ''`;
const MAILBOX = `mailbox_of(o.request->'customer'->>'email')`;

/** The `|| ''` keeps the planner off the indexes of accounts and stores: few orders have one phone or email. */
const isShared = ({ accountId, mode, storeId }: KnownNames, isSame: string) => `(
  select count(distinct o.user_id) filter (where o.account_id = ${accountId}) >= ${SHARED_BY}
    or count(distinct (o.account_id, o.user_id)) filter (where o.store_id = ${storeId}) >= ${SHARED_BY}
  from (select o.account_id, o.store_id, o.user_id from orders as o
    where ${isSame} and o.mode || '' = ${mode} and ${isPlacedOf} and o.user_id !~ '^((ord|chk)_|$)'
      and (o.account_id || '' = ${accountId} or o.store_id || '' = ${storeId} and ${mode} = 'live')
    order by o.placed_at desc limit ${SHARED_AMONG}) as o)`;

/** SQL of who orders, as far as that tells customers apart, and the hashes of all that is known, and of that part. */
export const knownText = (q: KnownNames): string => {
  const known = (name: string) => `${q.user}::jsonb->>'${name}'`;
  const unless = (isKnown: string, name: string) => `case when ${isKnown} is not null then ${known(name)} end`;
  return `
  select k.*, array_remove(array[${known('userHash')}, ${known('phoneHash')}, ${known('emailHash')}, k.card_hash], null)
      as identities,
    array_remove(array[${known('userHash')}, ${unless('k.phone', 'phoneHash')}, ${unless('k.email', 'emailHash')},
      k.card_hash], null) as counted
  from (select ${known('userId')} as user_id, ${q.card} as card,
    encode(sha256(convert_to(${q.accountId} || ' ' || ${q.card}, 'UTF8')), 'base64') as card_hash,
    case when not ${isShared(q, `${PHONE} = ${known('phone')}`)} then ${known('phone')} end as phone,
    case when not ${isShared(q, `${MAILBOX} = ${known('email')} and ${HAS_EMAIL}`)} then ${known('email')} end as email) as k`;
};

/** SQL of whether a use counts for who orders; `user_hash` is of uses before `identities`. */
export const isUseOf = (known: string) => `(u.identities && ${known}.counted or u.user_hash = any(${known}.counted))`;

/** SQL of `FactsJson`. A promotion with a code is in it if the code was entered, an automatic one if the store has it. */
export function promotionFactsText(q: FactsNames): string {
  const isFirstOrder = `(p.details->>'firstOrder')::boolean`;
  return `(
  with f as materialized (
    select p.*, coalesce(p.code, k.code) as entered, ${isFirstOrder} as is_first_order,
      jsonb_path_exists(p.details, '$.**.categories') as has_categories,
      (p.store_ids is null or ${q.storeId} = any(p.store_ids)) and not (${LACKS_AGREEMENT(q.storeId)}) as is_here
    from (values ('store', ${q.storeId}), ('account', ${q.accountId}), ('operator', ''),
      ('account', case ${q.mode} when 'sandbox' then ${q.accountId} || ' sandbox' end)) as owner (kind, id)
    join promotions as p on p.offered_by = owner.kind and p.owner_id = owner.id and p.ended_at is null
    left join lateral (
      select e.code from unnest(${q.codes}) as e (code)
      join promotion_codes as c on c.code_hash = ${codeHash('e.code')} and c.promotion_id = p.promotion_id
    ) as k on p.generated_codes > 0
    where not p.paused and (p.ends_at is null or p.ends_at > ${q.now})
      and case when p.code is not null then p.code = any(${q.codes}) else p.generated_codes = 0 or k.code is not null end
  ), k as materialized (
    ${knownText(q)} where exists (select from f where is_first_order or max_uses_per_user is not null)
  )
  select json_build_object(
    'rows', json_agg(json_build_object(
      'promotionId', f.promotion_id, 'offeredBy', f.offered_by, 'details', f.details, 'code', f.entered,
      'storeIds', case when not f.is_here then '{}'::text[] end, 'maxUses', f.max_uses,
      'maxUsesPerUser', f.max_uses_per_user, 'budgetCents', f.budget_cents, 'listed', f.listed,
      'itemNames', ${itemNamesText('f', `array[${q.storeId}]`)},
      'startsAt', f.starts_at, 'endsAt', f.ends_at, 'used', coalesce(n.used, 0), 'spentCents', coalesce(n.spent_cents, 0),
      'userUses', (select count(*) from promotion_uses as u
        where u.promotion_id = f.promotion_id and u.sandbox = ${q.sandbox} and ${isUseOf('k')}),
      'hasGeneratedCodes', f.generated_codes > 0, 'isCodeUsed', f.code is null and f.entered is not null and exists (select from promotion_uses as u
        where u.promotion_id = f.promotion_id and u.sandbox = ${q.sandbox} and u.code_hash = ${codeHash('f.entered')})
    ) order by f.promotion_id),
    'hasOrdered', case when bool_or(f.is_first_order) then (${hasOrderedText(q)}) end,
    'liveSince', ${LIVE_SINCE(q.storeId)},
    'deliveryFee', (select t.delivery_fee from store_terms as t where t.store_id = ${q.storeId} order by t.since desc limit 1),
    'hasCourier', exists (select from store_couriers as s where s.store_id = ${q.storeId}),
    'categories', case when bool_or(f.has_categories) then (${categoriesText(q)}) end)
  from f left join k on true
  left join promotion_counts as n on n.promotion_id = f.promotion_id and n.sandbox = ${q.sandbox}
  where f.is_here or f.entered is not null
  having count(*) > 0)`;
}

/** SQL for whether the customer has a placed order that was not canceled. */
const hasOrderedText = ({ accountId, mode }: FactsNames) => `
      select bool_or(exists (
          select from orders as o where o.account_id = ${accountId} and o.mode = ${mode} and o.user_id = k.user_id and ${isPlacedOf})
        or exists (select from orders as o where o.account_id || '' = ${accountId} and o.mode = ${mode}
          and ${PHONE} = k.phone and ${isPlacedOf})
        or exists (select from orders as o where o.account_id || '' = ${accountId} and o.mode = ${mode}
          and ${MAILBOX} = k.email and ${HAS_EMAIL} and ${isPlacedOf})
        or exists (select from payment_methods as c join orders as o on o.payment_method_id = c.payment_method_id
          where c.account_id = ${accountId} and c.mode = ${mode}
            and coalesce(c.fingerprint, c.gateway_token) = k.card and ${isPlacedOf})) from k`;

/** SQL of the SHA-256 under which a generated code is stored. */
export const codeHash = (code: string) => `sha256(convert_to(${code}, 'UTF8'))`;

/** SQL of the feed's ids of each product's category and of all above it, by the product's number. */
const categoriesText = ({ storeId, productNos }: FactsNames) => `
  with recursive above as (
    select product_no, category_no as no, 1 as depth from products
    where store_id = ${storeId} and product_no = any(${productNos})
    union all
    select a.product_no, c.parent_no, a.depth + 1 from above as a
    join categories as c on c.store_id = ${storeId} and c.category_no = a.no
    where c.parent_no is not null and a.depth < 32
  )
  select json_object_agg(product_no, ids) from (
    select a.product_no, json_agg(c.external_id) as ids from above as a
    join categories as c on c.store_id = ${storeId} and c.category_no = a.no group by a.product_no) as of_products`;
