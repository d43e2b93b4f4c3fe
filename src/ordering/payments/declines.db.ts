import { sql as raw } from 'kysely';
import { type DeclineScope, MAX_DECLINES_PER_HOUR } from '../../access/budgets/budget.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import { runPrepared } from '../../platform/db/hot-statement.ts';
import { type Attempt, countedSince, type DeclineBlock, subjectsOf } from './decline.ts';

/** Records a declined charge, or a card that the gateway refused to save. */
export async function insertDecline(sql: Sql, attempt: Attempt, at: Temporal.Instant): Promise<void> {
  const { accountId, mode } = attempt;
  const rows = subjectsOf(attempt).map((subject) => ({ accountId, mode, ...subject, at: at.toString() }));
  if (rows.length > 0) await sql.insertInto('cardDeclines').values(rows).execute();
}

/** Records a live charge: for its key within the hour, and for its card permanently. */
export async function insertCharge(
  sql: Sql,
  { accountId, keyId, card }: Pick<Attempt, 'accountId' | 'keyId' | 'card'>,
  at: Temporal.Instant,
): Promise<void> {
  await runPrepared(sql, CHARGE_TEXT, [accountId, keyId ?? null, card ?? null, at.toString()]);
}

/**
 * Returns SQL that records the charges of a query's rows: for their keys within the hour, for their cards permanently.
 * A row without an account is not a live charge.
 */
export function chargesText(rows: string, at: string): string {
  return `charged_before as (
    insert into charged_cards (account_id, card)
    select distinct account_id, card from ${rows} where account_id is not null and card is not null order by 1, 2
    on conflict do nothing
  ), charged_now as (
    insert into key_charges (account_id, key_id, at)
    select account_id, key_id, ${at} from ${rows} where account_id is not null and key_id is not null
  )`;
}

const CHARGE_TEXT = `
  with given as (select $1::text as account_id, $2::text as key_id, $3::text as card, $4::timestamptz as at),
  ${chargesText('given', 'at')}
  select from given`;

/**
 * Returns SQL for the number of declines per hour that blocks a scope: for a user or a card the limit minus one, for a
 * key the limit.
 */
function tooManyText(accountId: string, scope: string): string {
  const { user, card, key } = MAX_DECLINES_PER_HOUR;
  return `(coalesce(
      (select max from account_limits where account_id = ${accountId} and kind = 'declines_' || ${scope}),
      case ${scope} when 'user' then ${user} when 'card' then ${card} else ${key} end
    ) + (${scope} = 'key')::integer)`;
}

/** Returns SQL for whether a key had more declines than charges since a moment. */
function mostlyDeclinedText(accountId: string, key: string, since: string, declines: string): string {
  return `${declines} > (
    select count(*) from key_charges as c where c.account_id = ${accountId} and c.key_id = ${key} and c.at > ${since}
  )`;
}

/** SQL expressions of an attempt; a null user, card or key is skipped. */
type AttemptText = { accountId: string; mode: string; user: string; card: string; key: string; since: string };

/**
 * Returns SQL for one row { scope, at } or none: the blocking limit that expires last, and the decline that it expires
 * with. A key is blocked while most of its attempts with never-charged cards are declined.
 */
export function declineBlockText({ accountId, mode, user, card, key, since }: AttemptText): string {
  const declines = `card_declines as d
      where d.account_id = ${accountId} and d.mode = ${mode} and d.scope = s.scope and d.subject = s.subject
        and d.at > ${since}`;
  return `
    select s.scope, nth.at from (values ('user', ${user}), ('card', ${card}), ('key', ${key})) as s (scope, subject)
    cross join lateral (
      select d.at from ${declines}
      order by d.at desc offset ${tooManyText(accountId, 's.scope')} - 1 limit 1
    ) as nth
    where case when s.scope = 'key' and nth.at is not null then
      not exists (select from charged_cards as c where c.account_id = ${accountId} and c.card = ${card})
      and ${mostlyDeclinedText(accountId, 's.subject', since, `(select count(*) from ${declines})`)}
    else true end
    order by nth.at desc limit 1`;
}

/** Finds the block of an attempt; undefined if the card may be charged. */
export async function findDeclineBlock(
  sql: Sql,
  attempt: Attempt,
  now: Temporal.Instant,
): Promise<DeclineBlock | undefined> {
  const { accountId, mode, userId, card, keyId } = attempt;
  const values = [accountId, mode, userId, card ?? null, keyId ?? null, countedSince(now).toString()];
  const { rows } = await runPrepared<DeclineBlock>(sql, DECLINE_BLOCK_TEXT, values);
  return rows[0];
}

const DECLINE_BLOCK_TEXT = declineBlockText({
  accountId: '$1::text',
  mode: '$2::text',
  user: '$3::text',
  card: '$4::text',
  key: '$5::text',
  since: '$6::timestamptz',
});

export type Breaker = { accountId: string; mode: 'sandbox' | 'live'; scope: DeclineScope; subject: string } & {
  declines: number;
  /** Time of the decline that ends the block. */
  at: Temporal.Instant;
};

/** Lists blocked users, cards and keys, of one account or of all, newest first. */
export async function listBreakers(
  sql: Sql,
  { accountId, now, limit }: { accountId?: string; now: Temporal.Instant; limit: number },
): Promise<Breaker[]> {
  const tooMany = raw.raw(tooManyText('d.account_id', 'd.scope'));
  const since = countedSince(now);
  const mostlyDeclined = raw.raw(
    mostlyDeclinedText('d.account_id', 'd.subject', `'${since}'::timestamptz`, 'count(*)'),
  );
  const { rows } = await raw<Breaker>`
    select d.account_id, d.mode, d.scope, d.subject, count(*)::int as declines,
      (array_agg(d.at order by d.at desc))[${tooMany}] as at
    from card_declines as d
    where d.at > ${instantParam(since)} and (${accountId ?? null}::text is null or d.account_id = ${accountId ?? null})
    group by 1, 2, 3, 4 having count(*) >= ${tooMany} and (d.scope <> 'key' or ${mostlyDeclined})
    order by max(d.at) desc limit ${limit}`.execute(sql);
  return rows;
}
