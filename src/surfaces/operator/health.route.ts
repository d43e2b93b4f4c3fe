import { statfs } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { budgetDay } from '../../access/budgets/budget.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { listBreakers } from '../../ordering/payments/declines.db.ts';
import type { Gateways } from '../../ordering/payments/payment-gateway.ts';
import { countUnrecordedOrders } from '../../ordering/statements/tax-records.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, orNull } from '../../platform/http/api-components.ts';
import type { UndeclaredProxies } from '../../platform/http/undeclared-proxies.ts';
import { BUILD_COMMIT, VERSION } from '../../platform/lib/build-info.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { listLeftOutStores, listSearchDifferences } from '../../search/stores/search-checks.db.ts';
import { leftOutOfTaxes } from '../../supply/pricing/tax-gaps.ts';
import { BreakerSchema, presentBreaker } from './accounts-schema.ts';
import { listDuty } from './alerts/alerts.db.ts';
import { recipientsOf } from './alerts/alerts.ts';
import { readHealthFacts } from './conditions.db.ts';
import { CONDITION_KEYS, judgeConditions } from './conditions.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';
import {
  countJobs,
  countQueues,
  listFailingChannels,
  listFailingEndpoints,
  listSilentStores,
  listStatewideTaxStores,
  listUnagreedStores,
  listUnreachedStores,
  listUsedUpBudgets,
  readDatabaseHealth,
  readStuckPayments,
} from './health.db.ts';
import { procedure } from './procedure.ts';

/* The service's health for operators: conditions, queues, jobs, and what fails. */

const QueueSchema = component('QueueHealth', 'A queue of the service.', {
  queue: Type.String(),
  waiting: Type.Integer({ description: 'Rows that wait, counted up to 10000.' }),
  failing: Type.Integer({ description: 'Those of them whose last attempt failed.' }),
  due_since: moment('Since when the longest waiting row is due.'),
  last_error: maybeText('Why the longest waiting of them failed.'),
});
const JobSchema = component('JobHealth', 'A kind of background job.', {
  job: Type.String(),
  waiting: Type.Integer(),
  retrying: Type.Integer({ description: 'Those of the waiting that have failed before.' }),
  running: Type.Integer(),
  failed: Type.Integer({ description: 'Given up, and kept for some days.' }),
  due_since: moment('Since when the longest waiting job is due.'),
});
const FailingChannelSchema = component('FailingChannel', 'A channel of a store on which every attempt fails.', {
  store_id: Type.String(),
  store_name: Type.String(),
  channel: Type.String(),
  target: maybeText('An email address, a phone, a URL or HOST:PORT.'),
  failing_since: Type.Integer({ description: 'Epoch seconds.' }),
  last_error: maybeText('Why the last attempt failed.'),
});
const UnreachedStoreSchema = component('UnreachedStore', 'A live store that no channel reaches.', {
  store_id: Type.String(),
  store_name: Type.String(),
  channels: Type.Array(Type.String(), {
    description: 'Its channels: each is failing, or is a console without an open session.',
  }),
});
const SilentStoreSchema = component(
  'SilentStore',
  'A store that was offered live orders and has never acknowledged one.',
  {
    store_id: Type.String(),
    store_name: Type.String(),
    offered_since: Type.Integer({ description: 'When its first order was offered, in epoch seconds.' }),
  },
);
const StatewideTaxStoreSchema = component(
  'StatewideTaxStore',
  'A live store without taxes of its own, which has those of the built-in table.',
  {
    store_id: Type.String(),
    store_name: Type.String(),
    left_out: Type.String({ description: 'What the statewide taxes of its place leave out.' }),
  },
);
const FailingEndpointSchema = component('FailingEndpoint', 'A webhook endpoint that fails or was switched off.', {
  account_id: Type.String(),
  account_name: Type.String(),
  mode: Type.Enum(['live', 'sandbox']),
  enabled: Type.Boolean({ description: 'False once it was switched off.' }),
  failing_since: moment('Since when every call fails.'),
});
const UsedUpBudgetSchema = component('UsedUpBudget', 'A budget of today that an account has used up.', {
  account_id: Type.String(),
  account_name: Type.String(),
  mode: Type.Enum(['live', 'sandbox']),
  budget: Type.String(),
  used: Type.Integer(),
  limit: Type.Integer(),
});
const PartySchema = component('OutsideParty', 'An outside party that live orders depend on.', {
  party: Type.String(),
  is_configured: Type.Boolean({ description: 'Whether the settings name it.' }),
  last_error: maybeText('Why something that waits for it failed.'),
});

const LeftOutStoreSchema = component(
  'LeftOutStore',
  'A listed store that search leaves out, because it cannot be converted.',
  { store_id: Type.String(), reason: Type.String() },
);
const SearchDifferenceSchema = component(
  'SearchDifference',
  'The search index of a process differed from the database, and was loaded again.',
  {
    differed_at: Type.Integer({ description: 'Epoch seconds.' }),
    missing: Type.Integer({ description: 'Stores that search lacked; 0 if it had others that are not listed.' }),
    first_missing: maybeText('The id of the first of them.'),
  },
);

const ConditionSchema = component('HealthCondition', 'A fault of the service or its database.', {
  condition: Type.Enum(CONDITION_KEYS),
  severity: Type.Enum(['critical', 'warning']),
  title: Type.String({ description: 'What is wrong, as a sentence.' }),
});

const HealthSchema = component('ServiceHealth', 'How the service is.', {
  now: Type.Integer({ description: "The service's clock, in epoch seconds." }),
  version: Type.String({ description: 'The version of this node.' }),
  commit: maybeText('The commit of this node; null: it runs from a folder without git.'),
  quiet: maybeText('Why this node sends, calls, charges and refunds nothing; null: it does.'),
  conditions: Type.Array(ConditionSchema, { description: 'Faults of the service and its database now.' }),
  setting_warnings: Type.Array(Type.String(), {
    description: 'Settings of this node that are valid and probably wrong, a sentence each.',
  }),
  queues: Type.Array(QueueSchema),
  jobs: Type.Array(JobSchema),
  failing_channels: Type.Array(FailingChannelSchema, { description: 'Longest failing first, at most 100.' }),
  unreached_stores: Type.Array(UnreachedStoreSchema, { description: 'At most 100.' }),
  stores_without_agreement: Type.Array(Type.Object({ store_id: Type.String(), store_name: Type.String() }), {
    description: 'Stores that REQUIRE_AGREEMENT keeps from live orders, at most 100; none where it is not set.',
  }),
  silent_stores: Type.Array(SilentStoreSchema, {
    description: 'At most 100; stores that confirm automatically are left out.',
  }),
  statewide_tax_stores: Type.Array(StatewideTaxStoreSchema, { description: 'By id, at most 100.' }),
  left_out_stores: Type.Array(LeftOutStoreSchema, { description: 'By id, at most 100.' }),
  search_differences: Type.Array(SearchDifferenceSchema, {
    description: 'Of the last day, latest first, the last of each process.',
  }),
  undeclared_proxies: Type.Array(Type.String(), {
    description:
      'Addresses that sent X-Forwarded-For to this process and are not in TRUST_PROXY, at most 10: their visitors count as one client.',
  }),
  failing_endpoints: Type.Array(FailingEndpointSchema, { description: 'At most 100.' }),
  used_up_budgets: Type.Array(UsedUpBudgetSchema, { description: 'At most 100.' }),
  card_breakers: Type.Array(BreakerSchema, { description: 'Newest first, at most 100.' }),
  parties: Type.Array(PartySchema),
  on_duty: Type.Integer({ description: 'Operators on duty whom alerts can reach. 0: alerts go to administrators.' }),
  alerted: Type.Integer({ description: 'Operators whom alerts reach: on duty, or administrators.' }),
  database: Type.Union([
    Type.Object({
      migrations: Type.Integer(),
      last_migration: Type.String(),
      migrated_at: Type.Integer({ description: "Epoch seconds, on the database's clock." }),
      bytes: Type.Integer(),
      connections: Type.Integer(),
      max_connections: Type.Integer(),
    }),
    Type.Null(),
  ]),
  disk: orNull(
    Type.Object({ free_bytes: Type.Integer(), total_bytes: Type.Integer() }),
    'The disk of the embedded database; null for another database.',
  ),
});
type Health = Static<typeof HealthSchema>;

export const readServiceHealthProcedure = procedure({
  endpoint: 'GET /operator/health',
  role: 'viewer',
  summary: 'Queues, failing channels and endpoints, outside parties, database and disk',
  description: 'What waits, since when, and what fails, at the moment of the request.',
  answer: HealthSchema,
  run: (deps: HealthDeps) => readHealth(deps),
});

const MAX_LISTED_ROWS = 100;
const STUCK_WORDS = 'a live payment has waited for its answer for two minutes';

type HealthDeps = {
  db: Db;
  clock: Clock;
  config: Config;
  gateways: Gateways;
  messaging: Messaging;
  quietBecause: string | undefined;
  undeclaredProxies: UndeclaredProxies;
};

/** The service's health: queues, failures, outside parties, database and disk. */
async function readHealth(deps: HealthDeps): Promise<Health> {
  const { db, clock, config, gateways, messaging, undeclaredProxies } = deps;
  const now = clock.now();
  const [
    queues,
    jobs,
    channels,
    unreached,
    silent,
    unagreed,
    statewide,
    endpoints,
    budgets,
    breakers,
    leftOut,
    differences,
    database,
    stuck,
    duty,
    unrecorded,
    disk,
    facts,
  ] = await Promise.all([
    countQueues(db, now),
    countJobs(db, now),
    listFailingChannels(db, MAX_LISTED_ROWS),
    listUnreachedStores(db, now, MAX_LISTED_ROWS),
    listSilentStores(db, MAX_LISTED_ROWS),
    config.requireAgreement ? listUnagreedStores(db, MAX_LISTED_ROWS) : Promise.resolve([]),
    config.taxService !== undefined ? Promise.resolve([]) : listStatewideTaxStores(db, MAX_LISTED_ROWS),
    listFailingEndpoints(db, MAX_LISTED_ROWS),
    listUsedUpBudgets(db, { day: budgetDay(now), defaults: config.dailyBudgets, limit: MAX_LISTED_ROWS }),
    listBreakers(db, { now, limit: MAX_LISTED_ROWS }),
    listLeftOutStores(db, MAX_LISTED_ROWS),
    listSearchDifferences(db, now.subtract({ hours: 24 })),
    readDatabaseHealth(db),
    readStuckPayments(db, now),
    listDuty(db),
    countUnrecordedOrders(db, now.subtract({ hours: 24 })),
    config.databaseUrl === undefined ? readDisk(config.dataDir) : null,
    readHealthFacts(db, { quiet: deps.quietBecause }),
  ]);
  const alerted = recipientsOf(duty);
  const queueError = (name: string) => queues.find(({ queue }) => queue === name)?.lastError ?? null;
  return {
    now: epochSeconds(now),
    version: VERSION,
    commit: BUILD_COMMIT,
    quiet: deps.quietBecause ?? null,
    conditions: judgeConditions(facts).flatMap(({ key, severity, title }) =>
      title === undefined ? [] : [{ condition: key, severity, title }],
    ),
    setting_warnings: config.warnings.map(({ text }) => text),
    queues: queues.map(showRow),
    jobs: jobs.map(showRow),
    failing_channels: channels.map(showRow),
    unreached_stores: unreached.map(showRow),
    stores_without_agreement: unagreed.map(showRow),
    silent_stores: silent.map(showRow),
    statewide_tax_stores: statewide.map(({ storeId, storeName, country, state }) => ({
      store_id: storeId,
      store_name: storeName,
      left_out: leftOutOfTaxes(country, state),
    })),
    left_out_stores: leftOut.map(showRow),
    search_differences: differences.map(showRow),
    undeclared_proxies: undeclaredProxies.list(),
    failing_endpoints: endpoints.map(showRow),
    used_up_budgets: budgets.map(({ kind, max, ...row }) => ({ ...showRow(row), budget: kind, limit: max })),
    card_breakers: breakers.map(presentBreaker),
    parties: [
      { party: 'payment gateway', is_configured: gateways.live !== undefined, last_error: stuck && STUCK_WORDS },
      { party: 'mail', is_configured: messaging.mailer !== undefined, last_error: queueError('emails') },
      { party: 'SMS', is_configured: messaging.smsSender !== undefined, last_error: queueError('SMS') },
      ...taxService(config, unrecorded),
    ],
    on_duty: alerted.filter(({ onDuty }) => onDuty).length,
    alerted: alerted.length,
    database: database ? showRow(database) : null,
    disk,
  };
}

/** The tax service, where it computes the taxes or lacks some that it computed; by the number of orders it lacks for a day. */
function taxService({ taxService: name }: Config, unrecorded: number): Health['parties'] {
  if (name === undefined && unrecorded === 0) return [];
  const words = `orders whose taxes have not been recorded for more than a day: ${unrecorded}`;
  return [{ party: 'tax service', is_configured: name !== undefined, last_error: unrecorded > 0 ? words : null }];
}

/** The disk of the embedded database; null if the file system does not report it. */
async function readDisk(folder: string): Promise<Health['disk']> {
  const found = await statfs(folder).catch(() => undefined);
  if (!found) return null;
  return { free_bytes: found.bavail * found.bsize, total_bytes: found.blocks * found.bsize };
}
