import type { Clock as BossClock } from 'pg-boss';
import type { Logger } from 'pino';
import type { CourierUrls } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Config } from '../../platform/config/config.ts';
import type { NewerSchemaError } from '../../platform/db/newer-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { PublicHttpOptions } from '../../platform/lib/public-http.ts';
import type { Peers } from './peers.ts';

/** An `api` node answers requests, a `worker` node runs jobs and queues; `all` does both. */
export type Role = 'all' | 'api' | 'worker';

export type ServiceOptions = {
  config: Config;
  connectionString: string;
  log: Logger;
  role: Role;
  /** The PostgreSQL schema of the tables; the job queue's is `<schema>_jobs`. */
  schema: string;
  clock: Clock;
  /** The command's other workers. */
  peers: Peers;
  /** Called when a newer version has migrated the schema beyond this one, after which the process must end. */
  onNewerSchema?: (error: NewerSchemaError) => void;
  /** How often cached inventories are compared with the database; 0 for every request. */
  inventoryPollMs?: number;
  /** A test's clock for the job queue. With it, background tasks run only when the test runs them. */
  bossClock?: BossClock;
  /** Google Places' address, if not the production one. */
  googlePlacesUrl?: string;
  /** Courier companies' addresses, if not the production ones, by company name. */
  courierUrls?: Readonly<Record<string, CourierUrls>>;
  /** Stripe's address, if not the production one. */
  stripeUrl?: string;
  /** Webhook call options that differ from production. */
  publicHttp?: Partial<PublicHttpOptions>;
};
