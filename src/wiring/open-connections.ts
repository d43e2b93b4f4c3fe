import { CLOCK_OVERRIDE_SETTING } from 'pg-boss';
import { type Db, openDb, openPool } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { readTokenSecrets } from '../db/token-secret.db.ts';
import { createTokenSealer, type TokenSealer, type TokenSecrets } from '../lib/tokens.ts';
import type { ServiceOptions } from './service-options.ts';

export type Connections = {
  db: Db;
  /** The sandbox gateway's own connections: it plays an outside party, so no transaction of an order may contain it. */
  gatewayDb: Db;
  /** The secrets of the service, the same on every node. */
  tokenSecrets: TokenSecrets;
  tokens: TokenSealer;
};

/** Connects to the database and applies the migrations that are missing. */
export async function openConnections(options: ServiceOptions, opened: AsyncDisposableStack): Promise<Connections> {
  const { config, connectionString, log, schema } = options;
  const pool = openPool({
    connectionString,
    schema,
    max: 16,
    // The job queue reads the test's clock on every session that enqueues.
    settings: options.bossClock ? { [CLOCK_OVERRIDE_SETTING]: 'on' } : {},
    onError: (error) => {
      // Log the message only: the driver attaches the whole client, password included, to the error. While the service
      // closes, a lost connection is no news.
      if (!opened.disposed) log.warn({ reason: error.message }, 'database connection lost');
    },
  });
  const db = openDb(pool);
  opened.defer(() => db.destroy());
  await migrate(pool, schema);
  const gatewayDb = openDb(openPool({ connectionString, schema, max: 4, applicationName: 'doorstep-sandbox-gateway' }));
  opened.defer(() => gatewayDb.destroy());
  const tokenSecrets = await readTokenSecrets(db, config);
  return { db, gatewayDb, tokenSecrets, tokens: createTokenSealer(tokenSecrets) };
}
