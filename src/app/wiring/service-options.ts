import type { Clock as BossClock } from 'pg-boss';
import type { Logger } from 'pino';
import type { CourierUrls } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Config } from '../../platform/config/config.ts';
import type { NewerSchemaError } from '../../platform/db/newer-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { PublicHttpOptions } from '../../platform/lib/public-http.ts';
import type { Street } from '../../surfaces/sandbox/street-route.ts';
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
  /** Streets that the simulated drivers of the sandbox follow. */
  streets?: readonly Street[];
  /** Called when a newer version has migrated the schema beyond this one; then the process must end. */
  onNewerSchema?: (error: NewerSchemaError) => void;
  /** Interval at which cached inventories are compared with the database; 0 for every request. */
  inventoryPollMs?: number;
  /** Clock of the job queue, for tests. With it, background tasks run only when the test runs them. */
  bossClock?: BossClock;
  /** URL of Google Places, if not the production one. */
  googlePlacesUrl?: string;
  /** URL of Google's or the Census' geocoder, if not the production one. */
  geocoderUrl?: string;
  /** URLs of courier companies, by company name, if not the production ones. */
  courierUrls?: Readonly<Record<string, CourierUrls>>;
  /** URL of Stripe, if not the production one. */
  stripeUrl?: string;
  /** Webhook call options that differ from production. */
  publicHttp?: Partial<PublicHttpOptions>;
};
