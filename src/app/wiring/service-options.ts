import type { PublicHttpOptions } from 'doorstep/public-http';
import type { Logger } from 'pino';
import type { NewerSchemaError } from '../../platform/db/newer-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Street } from '../../surfaces/sandbox/street-route.ts';
import type { Peers } from './peers.ts';
import type { ServiceConfig } from './read-settings.ts';

/** An `api` node answers requests, a `worker` node runs jobs and queues; `all` does both. */
export type Role = 'all' | 'api' | 'worker';

/** URLs by the plug-in's name, then by purpose. */
export type PartyUrls = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type ServiceOptions = {
  config: ServiceConfig;
  connectionString: string;
  log: Logger;
  role: Role;
  /** The PostgreSQL schema of the tables. */
  schema: string;
  clock: Clock;
  /** The command's other workers. */
  peers: Peers;
  /** Streets that the simulated drivers of the sandbox follow. */
  streets?: readonly Street[];
  /** Called when a newer version has migrated the schema beyond this one; then the process must end. */
  onNewerSchema?: (error: NewerSchemaError) => void;
  /** Interval for comparing cached inventories with the database; 0 for every request. */
  inventoryPollMs?: number;
  /** Background tasks run only when a test runs them. */
  isDriven?: true;
  /** URLs of external services, by the plug-in's name, if not the production ones. */
  partyUrls?: PartyUrls;
  /** Webhook call options that differ from production. */
  publicHttp?: Partial<PublicHttpOptions>;
};
