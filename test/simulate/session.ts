import { errorCode } from 'doorstep/files';
import type pg from 'pg';
import type { Fault } from './scheduler.ts';

/** A server session. Sessions outlive simulated nodes, because opening one takes longer than a whole order. */
export type Session = { client: pg.PoolClient; pid: number; isInTransaction: boolean; isBusy: boolean };

/** Queries the server outside the simulation. */
export type Ask = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Fails the statement as a full disk does, and aborts the transaction. */
export const REFUSED = `do $$ begin
  raise exception 'could not extend file: No space left on device' using errcode = '53100';
end $$`;

export async function run(session: Session, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
  session.isBusy = true;
  try {
    const result = await session.client.query(text, values as unknown[]);
    if (text === 'begin' || text.startsWith('start transaction')) session.isInTransaction = true;
    if (text === 'commit' || text === 'rollback') session.isInTransaction = false;
    return result;
  } finally {
    session.isBusy = false;
  }
}

const isLocking = (text: string) => /^\s*(insert|update|delete|with)\b|\bfor (no key )?(update|share)\b/i.test(text);
/** Independent of load: a blocked statement would wait forever, because nothing else runs. */
const HELD_AFTER = `set local lock_timeout = '20ms'`;
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs a statement, or undoes it if a lock would block it. */
export async function runAtOnce(
  session: Session,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult | 'held'> {
  if (!isLocking(text)) return run(session, text, values);
  const { client, isInTransaction } = session;
  await client.query(isInTransaction ? `savepoint simulated; ${HELD_AFTER}` : HELD_AFTER.replace('local', 'session'));
  try {
    const result = await run(session, text, values);
    await client.query(isInTransaction ? 'release simulated; set local lock_timeout = 0' : 'set lock_timeout = 0');
    return result;
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) {
      if (!isInTransaction) await client.query('set lock_timeout = 0');
      throw error;
    }
    await client.query(isInTransaction ? 'rollback to simulated; release simulated' : 'set lock_timeout = 0');
    return 'held';
  }
}

export function faultsOf(text: string, session: Session): readonly Fault[] {
  if (text === 'rollback') return ['lost_before', 'lost_after'];
  const isWrite = /^\s*(insert|update|delete|with)\b/i.test(text) || (text === 'commit' && session.isInTransaction);
  return isWrite ? ['refused', 'lost_before', 'lost_after'] : ['lost_before', 'lost_after'];
}

/**
 * When to check for a blocking lock: soon for statements that take locks, for others long after any response. A check
 * costs as much as a statement.
 */
export const looksAfterMs = (text: string): number => (isLocking(text) ? 10 : 1000);

export async function isHeldByLock(ask: Ask, pid: number): Promise<boolean> {
  const [row] = await ask<{ held: boolean }>('select cardinality(pg_blocking_pids($1)) > 0 as held', [pid]);
  return row?.held === true;
}

const SHOWN = 90;

export function inShort(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN);
}
