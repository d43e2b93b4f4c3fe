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
  /** The PostgreSQL schema of the tables; the job queue has a schema of its own, `<schema>_jobs`. */
  schema: string;
  clock: Clock;
  /** The other workers of the same command. */
  peers: Peers;
  /** Called when a newer version has brought the schema to what this version cannot work on: the process must end. */
  onNewerSchema?: (error: NewerSchemaError) => void;
  /** How often cached inventories are compared with the database; 0 compares at every request. */
  inventoryPollMs?: number;
  /** The clock of the job queue in a test. With it no background task starts by itself: the test runs each one. */
  bossClock?: BossClock;
  /** The address of Google Places where it is not the production address. */
  googlePlacesUrl?: string;
  /** The addresses of companies of couriers where they are not the production addresses, by the company's name. */
  courierUrls?: Readonly<Record<string, CourierUrls>>;
  /** The address of Stripe where it is not the production address. */
  stripeUrl?: string;
  /** Options of calls to webhook endpoints that differ from production. */
  publicHttp?: Partial<PublicHttpOptions>;
};
