import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { codeHash } from './promotion-facts.db.ts';

/** Distinct codes that do not exist, by the name of their guesser, in the hour before a moment. */
export type Guesses = ReadonlyMap<string, { count: number; oldest: Temporal.Instant }>;

export const GUESS_HOURS = 1;
const since = (at: Temporal.Instant) => at.subtract({ hours: GUESS_HOURS }).toString();

export async function countGuesses(sql: Sql, names: readonly string[], at: Temporal.Instant): Promise<Guesses> {
  const byHash = new Map(names.map((name) => [sha256(name).toString('hex'), name]));
  const { rows } = await raw<{ guesser: string; count: number; oldest: Temporal.Instant }>`
    select encode(guesser, 'hex') as guesser, count(*)::int as count, min(guessed_at) as oldest from code_guesses
    where guesser = any(${names.map((name) => sha256(name))}::bytea[]) and guessed_at > ${since(at)}
    group by guesser`.execute(sql);
  return new Map(rows.map(({ guesser, ...counted }) => [byHash.get(guesser) ?? '', counted]));
}

/** Counts codes for each guesser, each code once an hour. */
export async function insertGuesses(
  sql: Sql,
  names: readonly string[],
  codes: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  await raw`insert into code_guesses as g (guesser, code_hash, guessed_at)
    select n.guesser, c.code_hash, ${at.toString()} from unnest(${names.map((name) => sha256(name))}::bytea[]) as n (guesser),
      unnest(${codes.map((code) => sha256(code))}::bytea[]) as c (code_hash)
    on conflict (guesser, code_hash) do update set guessed_at = excluded.guessed_at
      where g.guessed_at <= ${since(at)}`.execute(sql);
}

/** The codes that no store, the operator or the account has ever had; those that have ended or not begun exist. */
export async function findUnknownCodes(sql: Sql, accountId: string, codes: readonly string[]): Promise<string[]> {
  const { rows } = await raw<{ code: string }>`
    select e.code from unnest(${[...codes]}::text[]) as e (code) where not exists (
      select from promotions as p
      where (p.offered_by <> 'account' or p.owner_id in (${accountId}, ${`${accountId} sandbox`}))
        and (p.code = e.code or (p.generated_codes > 0 and exists (select from promotion_codes as c
          where c.promotion_id = p.promotion_id and c.code_hash = ${raw.raw(codeHash('e.code'))}))))`.execute(sql);
  return rows.map(({ code }) => code);
}
