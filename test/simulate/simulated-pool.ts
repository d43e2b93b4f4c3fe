import type pg from 'pg';
import { type Db, openDb } from '../../src/platform/db/connect.ts';
import type { Sabotage } from './sabotages.ts';
import type { Delivery, Fault, Owner, Scheduler } from './scheduler.ts';
import {
  type Ask,
  faultsOf,
  inShort,
  isHeldByLock,
  looksAfterMs,
  REFUSED,
  run,
  runAtOnce,
  type Session,
} from './session.ts';

export type SimulatedPool = { db: Db; crash(): Promise<void> };

/** A pool's owner and maximum connections, and its sabotage. */
export type PoolOf = { owner: Owner; scheduler: Scheduler; max: number; sabotage: Sabotage };

export type Sessions = {
  all: readonly Session[];
  take(): Session | undefined;
  /** Rolls back what was begun, as the server does when a connection ends. */
  giveBack(session: Session): Promise<void>;
  ask: Ask;
};

/** A pool in the shape that Kysely's dialect requires. */
export function createPool(of: PoolOf, sessions: Sessions): SimulatedPool {
  const leased = new Set<Session>();
  let places = of.max;
  const queue: (() => void)[] = [];
  const connect = async () => {
    if (places > 0) places -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    const session = sessions.take();
    if (!session) throw new Error('The simulation has too few sessions.');
    leased.add(session);
    const end = async (): Promise<void> => {
      leased.delete(session);
      await sessions.giveBack(session);
    };
    /** Passes the slot to the request that waited longest, so that a new one cannot overtake. */
    const next = (): void => {
      const waiting = queue.shift();
      if (waiting) waiting();
      else places += 1;
    };
    return clientOf(of, sessions, session, { end, next });
  };
  const pool = { connect, end: async () => {}, options: {} };
  return {
    db: openDb(pool as unknown as pg.Pool),
    // Ends a lock-waiting session first: rolling back its neighbor might unblock its statement, a race inside
    // PostgreSQL.
    async crash() {
      const waitingFirst = [...leased].sort((one, other) => Number(other.isBusy) - Number(one.isBusy));
      for (const session of waitingFirst) await sessions.giveBack(session);
      leased.clear();
    },
  };
}

/** `end` returns the session; `next` admits the next request that waits for a connection. */
type Lease = { end(): Promise<void>; next(): void };

function clientOf({ owner, scheduler, sabotage }: PoolOf, sessions: Sessions, session: Session, lease: Lease) {
  const lane = {};
  let isBroken = false;
  const lose = async (): Promise<void> => {
    isBroken = true;
    await lease.end();
  };
  const isOther = (one: Session) => one !== session && (one.isInTransaction || one.isBusy);
  const query = (written: string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const text = sabotage.rewrite?.(written) ?? written;
    const isLost = text === 'commit' && sabotage.losesCommit?.() === true;
    const statement: Statement = { session, text: isLost ? 'rollback' : text, values, isLost, lose, resolve, reject };
    if (isBroken) reject(new Error('Client has encountered a connection error and is not queryable'));
    else {
      scheduler.submit({
        owner,
        lane,
        party: 'database',
        what: inShort(text),
        faults: faultsOf(text, session),
        freesLocks: text === 'commit' || text === 'rollback',
        perform: (fault, mustNotWait) => perform(statement, fault, mustNotWait),
        looksAfterMs: () => (sessions.all.some(isOther) ? looksAfterMs(text) : undefined),
        isBlocked: () => isHeldByLock(sessions.ask, session.pid),
      });
    }
    return promise;
  };
  const release = (): void => {
    if (!isBroken) void lease.end();
    lease.next();
  };
  return { query, release, processID: session.pid };
}

type Statement = {
  session: Session;
  text: string;
  values: readonly unknown[];
  /** A sabotaged commit: rolled back, but acknowledged. */
  isLost: boolean;
  lose(): Promise<void>;
  resolve(result: pg.QueryResult): void;
  reject(error: unknown): void;
};

async function perform(
  { session, text, values, isLost, lose, resolve, reject }: Statement,
  fault: Fault | undefined,
  mustNotWait: boolean,
): Promise<Delivery | 'held'> {
  const isCut = fault === 'lost_before' || fault === 'lost_after';
  try {
    if (fault === 'refused') await session.client.query(REFUSED);
    const result = fault === 'lost_before' ? undefined : await (mustNotWait ? runAtOnce : run)(session, text, values);
    if (result === 'held') return 'held';
    if (result !== undefined && !isCut) return () => resolve(isLost ? { ...result, command: 'COMMIT' } : result);
  } catch (error) {
    if (!isCut) return () => reject(error);
  }
  await lose();
  return () => reject(new Error('Connection terminated unexpectedly'));
}
