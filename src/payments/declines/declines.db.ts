import { sql as raw } from 'kysely';
import { DECLINES_AN_HOUR } from '../../accounts/budgets/budget.ts';
import { limitText } from '../../accounts/budgets/spend-budget.db.ts';
import { instantParam, type Sql } from '../../db/connect.ts';
import { runHot, unnested } from '../../db/hot-statement.ts';
import { type Attempt, countedSince, type DeclineScope, type HeldBack, subjectsOf } from './decline.ts';

/** Records a declined charge, or a card that the gateway would not have. */
export async function insertDecline(sql: Sql, attempt: Attempt, at: Temporal.Instant): Promise<void> {
  const { accountId, mode } = attempt;
  const rows = subjectsOf(attempt).map((subject) => ({ accountId, mode, ...subject, at: at.toString() }));
  if (rows.length > 0) await sql.insertInto('cardDeclines').values(rows).execute();
}

/** The SQL of an attempt; a null user, card or key is not looked at. */
type AttemptText = { accountId: string; mode: string; user: string; card: string; key: string; since: string };

/**
 * The scope that holds an attempt back for longest, and the decline with whose end the next attempt is free, as SQL of one
 * row { scope, at } or none. It is the n-th newest decline of the hour, where n declines are allowed.
 */
export function heldBackText({ accountId, mode, user, card, key, since }: AttemptText): string {
  return `
    select s.scope, nth.at from (values ('user', ${user}), ('card', ${card}), ('key', ${key})) as s (scope, subject)
    cross join lateral (
      select d.at from card_declines as d
      where d.account_id = ${accountId} and d.mode = ${mode} and d.scope = s.scope and d.subject = s.subject
        and d.at > ${since}
      order by d.at desc
      offset greatest(${limitText(accountId, 'declines', String(DECLINES_AN_HOUR))} - 1, 0) limit 1
    ) as nth
    order by nth.at desc limit 1`;
}

/** An attempt at a moment. */
export type AttemptAt = { attempt: Attempt; now: Temporal.Instant };

/** What holds each attempt back; undefined in the place of an attempt whose card may be charged. */
export async function findHeldBacks(sql: Sql, attempts: readonly AttemptAt[]): Promise<(HeldBack | undefined)[]> {
  const list = (of: (attempt: Attempt) => string | null | undefined) =>
    attempts.map(({ attempt }) => of(attempt) ?? null);
  const { rows } = await runHot<HeldBack & { n: number }>(sql, HELD_BACKS_TEXT, [
    ...[list(({ accountId }) => accountId), list(({ mode }) => mode)],
    ...[list(({ userId }) => userId), list(({ card }) => card), list(({ keyId }) => keyId)],
    attempts.map(({ now }) => countedSince(now).toString()),
  ]);
  const found = new Map(rows.map(({ n, scope, at }) => [n, { scope, at }]));
  return attempts.map((_, index) => found.get(index + 1));
}

const HELD_BACKS_TEXT = `
  select q.n, h.scope, h.at from ${unnested(['text', 'text', 'text', 'text', 'text', 'timestamptz'])} with ordinality
    as q (account_id, mode, user_id, card, key_id, since, n)
  cross join lateral (${heldBackText({
    ...{ accountId: 'q.account_id', mode: 'q.mode', user: 'q.user_id', card: 'q.card', key: 'q.key_id' },
    since: 'q.since',
  })}) as h`;

/** What holds an attempt back; undefined where the card may be charged. */
export async function findHeldBack(sql: Sql, attempt: Attempt, now: Temporal.Instant): Promise<HeldBack | undefined> {
  const [heldBack] = await findHeldBacks(sql, [{ attempt, now }]);
  return heldBack;
}

export type Breaker = { accountId: string; mode: 'sandbox' | 'live'; scope: DeclineScope; subject: string } & {
  declines: number;
  /** Of the decline with whose end the next attempt is free. */
  at: Temporal.Instant;
};

/** Users, cards and keys that are held back at the moment, of one account or of all; the newest first. */
export async function listBreakers(
  sql: Sql,
  { accountId, now, limit }: { accountId?: string; now: Temporal.Instant; limit: number },
): Promise<Breaker[]> {
  const most = raw`${raw.raw(limitText('d.account_id', 'declines', String(DECLINES_AN_HOUR)))}`;
  const { rows } = await raw<Breaker>`
    select d.account_id, d.mode, d.scope, d.subject, count(*)::int as declines,
      (array_agg(d.at order by d.at desc))[greatest(${most}, 1)::int] as at
    from card_declines as d
    where d.at > ${instantParam(countedSince(now))} and (${accountId ?? null}::text is null or d.account_id = ${accountId ?? null})
    group by 1, 2, 3, 4 having count(*) >= greatest(${most}, 1)
    order by max(d.at) desc limit ${limit}`.execute(sql);
  return rows;
}

/** Forgets declines that no longer count. */
export async function deleteOldDeclines(sql: Sql, now: Temporal.Instant): Promise<void> {
  await sql
    .deleteFrom('cardDeclines')
    .where('at', '<=', raw<Temporal.Instant>`${instantParam(countedSince(now))}`)
    .execute();
}
