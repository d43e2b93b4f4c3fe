import type pg from 'pg';
import { type Db, openDb, openPool } from '../../src/platform/db/connect.ts';
import type { Ask, Session } from './session.ts';
import { createPool, type PoolOf, type SimulatedPool } from './simulated-pool.ts';

export type SimulatedDatabase = {
  /** A connection of the checks, beside the simulation. */
  db: Db;
  /** A pool of a node, in place of the service's own. */
  openPool(of: PoolOf): SimulatedPool;
  /** Asks beside the simulation: not an operation, and free of faults. */
  ask: Ask;
  /**
   * Resets sessions and tables to the state in which every run begins. A snapshot is then held, so PostgreSQL reuses no
   * deleted row's room and rows lie as in any other process.
   */
  reset(text: string): Promise<void>;
  close(): Promise<void>;
};

const SESSIONS = 14;
/** A run must not depend on elapsed time or on earlier plans. */
const SETTINGS = {
  synchronous_commit: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

/** Opens the sessions through the service's own pool: with its types, its settings and its named statements. */
export async function openSimulatedDatabase(connectionString: string, schema: string): Promise<SimulatedDatabase> {
  const pool = openPool({
    connectionString,
    schema,
    settings: SETTINGS,
    max: SESSIONS + 2,
    applicationName: 'simulation',
  });
  const openSession = async (): Promise<Session> => {
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return { client, pid: rows[0]?.pid ?? 0, isInTransaction: false, isBusy: false };
  };
  const monitor = await pool.connect();
  const anchor = await pool.connect();
  const sessions: Session[] = [];
  for (let opened = 0; opened < SESSIONS; opened += 1) sessions.push(await openSession());
  let free = [...sessions];
  const ask = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await monitor.query<Row & pg.QueryResultRow>(text, [...values])).rows;

  /** The server rolls back what the node has begun, as it does when a connection ends. */
  const giveBack = async (session: Session): Promise<void> => {
    if (session.isBusy) {
      const at = sessions.indexOf(session);
      const ended = new Promise((resolve) => session.client.once('end', resolve));
      await ask('select pg_terminate_backend($1)', [session.pid]);
      await ended;
      session.client.release(true);
      const fresh = await openSession();
      sessions[at] = fresh;
      free.push(fresh);
      return;
    }
    if (session.isInTransaction) await session.client.query('rollback');
    session.isInTransaction = false;
    free.push(session);
  };
  const beside = { connect: async () => ({ query: monitor.query.bind(monitor), release: () => {} }) };
  return {
    ask,
    db: openDb(beside as unknown as pg.Pool),
    openPool: (of) => createPool(of, { all: sessions, take: () => free.pop(), giveBack, ask }),
    async reset(text) {
      await anchor.query('rollback');
      for (const session of sessions.filter((one) => !free.includes(one))) await giveBack(session);
      free = [...sessions];
      await monitor.query(text);
      await anchor.query('begin isolation level repeatable read');
      await anchor.query('select 1');
    },
    async close() {
      for (const client of [monitor, anchor, ...sessions.map((session) => session.client)]) client.release(true);
      await pool.end();
    },
  };
}
