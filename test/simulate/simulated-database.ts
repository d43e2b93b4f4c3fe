import type pg from 'pg';
import { type Db, openDb, openPool } from '../../src/platform/db/connect.ts';
import type { Ask, Session } from './session.ts';
import { createPool, type PoolOf, type SimulatedPool } from './simulated-pool.ts';

export type SimulatedDatabase = {
  /** A connection for the checks, outside the simulation. */
  db: Db;
  /** Opens a node's pool, in place of the service's own. */
  openPool(of: PoolOf): SimulatedPool;
  /** Queries outside the simulation, without faults. */
  ask: Ask;
  /**
   * Restores sessions and tables to the start of every run. Holding a snapshot keeps PostgreSQL from reusing deleted
   * rows' space, so that rows lie as in any other process.
   */
  reset(text: string): Promise<void>;
  close(): Promise<void>;
};

const SESSIONS = 14;
/** A run must not depend on elapsed time or on cached plans. */
const SETTINGS = {
  synchronous_commit: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

/** Opens the sessions through the service's own pool, with its types, settings and named statements. */
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

  /** Rolls back what the node began, as the server does when a connection ends. */
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
