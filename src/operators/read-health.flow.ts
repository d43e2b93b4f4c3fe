import { statfs } from 'node:fs/promises';
import { budgetDay } from '../accounts/budgets/budget.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { UndeclaredProxies } from '../http/undeclared-proxies.ts';
import type { Clock } from '../lib/clock.ts';
import { epochSeconds } from '../lib/time.ts';
import type { Messaging } from '../messages/messaging.ts';
import { listBreakers } from '../payments/declines/declines.db.ts';
import type { Gateways } from '../payments/payment-gateway.ts';
import {
  countJobs,
  countQueues,
  listFailingChannels,
  listFailingEndpoints,
  listSilentStores,
  listUnreachedStores,
  readDatabaseHealth,
} from './health.db.ts';
import type { Health } from './health-schema.ts';
import { presentBreaker } from './limits/account-limits.ts';
import { listUsedUpBudgets } from './limits/used-up-budgets.db.ts';

const MAX_LISTED = 100;

export type HealthDeps = {
  db: Db;
  clock: Clock;
  config: Config;
  gateways: Gateways;
  messaging: Messaging;
  undeclaredProxies: UndeclaredProxies;
};

const secondsOf = (moment: Temporal.Instant | null) => moment && epochSeconds(moment);

/** How the service is: its queues, what fails, the parties that it depends on, its database and its disk. */
export async function readHealth(deps: HealthDeps): Promise<Health> {
  const { db, clock, config, gateways, messaging, undeclaredProxies } = deps;
  const now = clock.now();
  const [queues, jobs, channels, unreached, silent, endpoints, budgets, breakers, database, disk] = await Promise.all([
    countQueues(db, now),
    countJobs(db, now),
    listFailingChannels(db, MAX_LISTED),
    listUnreachedStores(db, now, MAX_LISTED),
    listSilentStores(db, MAX_LISTED),
    listFailingEndpoints(db, MAX_LISTED),
    listUsedUpBudgets(db, { day: budgetDay(now), defaults: config.dailyBudgets, limit: MAX_LISTED }),
    listBreakers(db, { now, limit: MAX_LISTED }),
    readDatabaseHealth(db),
    config.databaseUrl === undefined ? readDisk(config.dataDir) : null,
  ]);
  const errorOf = (name: string) => queues.find(({ queue }) => queue === name)?.lastError ?? null;
  return {
    now: epochSeconds(now),
    queues: queues.map(({ queue, waiting, failing, dueSince, lastError }) => ({
      ...{ queue, waiting, failing, due_since: secondsOf(dueSince), last_error: lastError },
    })),
    jobs: jobs.map(({ dueSince, ...job }) => ({ ...job, due_since: secondsOf(dueSince) })),
    failing_channels: channels.map(({ storeId, storeName, channel, target, failingSince, lastError }) => ({
      ...{ store_id: storeId, store_name: storeName, channel, target },
      ...{ failing_since: epochSeconds(failingSince), last_error: lastError },
    })),
    unreached_stores: unreached.map(({ storeId, storeName, channels }) => ({
      store_id: storeId,
      store_name: storeName,
      channels,
    })),
    silent_stores: silent.map(({ storeId, storeName, offeredSince }) => ({
      store_id: storeId,
      store_name: storeName,
      offered_since: epochSeconds(offeredSince),
    })),
    undeclared_proxies: undeclaredProxies.list(),
    failing_endpoints: endpoints.map(({ accountId, accountName, mode, enabled, failingSince }) => ({
      ...{ account_id: accountId, account_name: accountName, mode, enabled, failing_since: secondsOf(failingSince) },
    })),
    used_up_budgets: budgets.map(({ accountId, accountName, mode, kind, used, most }) => ({
      ...{ account_id: accountId, account_name: accountName, mode, budget: kind, used, limit: most },
    })),
    card_breakers: breakers.map(presentBreaker),
    parties: [
      { party: 'payment gateway', is_configured: gateways.live !== undefined, last_error: null },
      { party: 'mail', is_configured: messaging.mailer !== undefined, last_error: errorOf('e-mails') },
      { party: 'SMS', is_configured: messaging.texter !== undefined, last_error: errorOf('SMS') },
    ],
    database: database
      ? {
          ...{ migrations: database.migrations, last_migration: database.lastMigration },
          ...{ migrated_at: epochSeconds(database.migratedAt), bytes: database.bytes },
          ...{ connections: database.connections, max_connections: database.maxConnections },
        }
      : null,
    disk,
  };
}

/** The disk of the embedded database; null where the file system does not tell. */
async function readDisk(folder: string): Promise<Health['disk']> {
  const found = await statfs(folder).catch(() => undefined);
  if (!found) return null;
  return { free_bytes: found.bavail * found.bsize, total_bytes: found.blocks * found.bsize };
}
