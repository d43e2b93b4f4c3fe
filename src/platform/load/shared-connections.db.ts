import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.ts';

/** Milliseconds that a statement waits for a connection, as in the pool itself. */
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * `ownerNow` returns the owner of the current work. Statements of one owner queue behind each other; owners are served
 * round-robin.
 */
export type SharingOptions = { ownerNow: () => string; maxOfOwner: ConcurrencyLimits['maxRunningOfOwner'] };

/** Connections of a pool; `waiting` counts statements and transactions that wait for one. */
export type ConnectionUse = { busy: number; idle: number; max: number; waiting: number };

/**
 * Lends a pool's connections round-robin by owner, so that a statement does not wait for hundreds of another owner's.
 * Rejects like the pool if none is free for 10 seconds.
 */
export function shareConnections(pool: pg.Pool, { ownerNow, maxOfOwner }: SharingOptions) {
  let waiting = 0;
  const limiter = new ConcurrencyLimiter({
    maxRunning: pool.options.max,
    maxRunningOfOwner: maxOfOwner,
    maxWaiting: Infinity,
    maxWaitingOfOwner: Infinity,
    refusal: () => new Error('Too many statements are waiting.'),
  });

  function connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      let isWaiting = true;
      waiting += 1;
      const tooLong = setTimeout(() => {
        isWaiting = false;
        waiting -= 1;
        reject(new Error('timeout exceeded when trying to connect'));
      }, CONNECTION_TIMEOUT_MS);
      const lent = limiter.run(ownerNow(), async () => {
        clearTimeout(tooLong);
        if (!isWaiting) return;
        const client = await pool.connect().finally(() => {
          waiting -= 1;
        });
        await new Promise<void>((released) => {
          resolve(whenReleased(client, released));
        });
      });
      lent.catch(reject);
    });
  }

  const use = (): ConnectionUse => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    max: pool.options.max,
    waiting,
  });

  // The query builder cancels statements with its own client.
  const { Client } = pool as unknown as Pick<PostgresPool, 'Client'>;
  return { ...(Client ? { Client } : {}), connect, end: () => pool.end(), options: pool.options, use };
}

/** Calls `released` when the loan ends. The pool gives each loan its own `release` function. */
function whenReleased(client: pg.PoolClient, released: () => void): pg.PoolClient {
  const { release } = client;
  client.release = (destroy) => {
    release.call(client, destroy);
    released();
  };
  return client;
}
