import { statfs } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { budgetDay } from '../../access/budgets/budget.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { listBreakers } from '../../ordering/payments/declines.db.ts';
import type { Gateways } from '../../ordering/payments/payment-gateway.ts';
import { countUnrecordedOrders } from '../../ordering/statements/tax-records.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { bool, component, integer, orNull, text } from '../../platform/http/api-components.ts';
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

/* The service's health for operators: conditions, queues, jobs, and what fails. */

const QueueSchema = component('QueueHealth', 'A queue of the service.', {
  queue: Type.String(),
  waiting: integer('The number of waiting rows, counted up to 10000.'),
  failing: integer('The number of them whose last attempt failed.'),
  due_since: moment('Since when the longest-waiting row has been due.'),
  last_error: maybeText('Why the longest-waiting failed row failed.'),
});
const JobSchema = component('JobHealth', 'A kind of background job.', {
  job: Type.String(),
  waiting: Type.Integer(),
  retrying: integer('The number of waiting jobs that have failed before.'),
  running: Type.Integer(),
  failed: integer('Failed jobs that are no longer retried and are kept for some days.'),
  due_since: moment('Since when the longest-waiting job has been due.'),
});
const FailingChannelSchema = component('FailingChannel', 'A store channel whose every attempt fails.', {
  store_id: Type.String(),
  store_name: Type.String(),
  channel: Type.String(),
  target: maybeText('An email address, a phone, a URL or HOST:PORT.'),
  failing_since: integer('Epoch seconds.'),
  last_error: maybeText('Why the last attempt failed.'),
});
const UnreachedStoreSchema = component('UnreachedStore', 'A live store that no channel reaches.', {
  store_id: Type.String(),
  store_name: Type.String(),
  channels: Type.Array(Type.String(), {
    description: "The store's channels. Each is failing, or is a console without an open session.",
  }),
});
const SilentStoreSchema = component(
  'SilentStore',
  'A store that was sent live orders and has never acknowledged one.',
  {
    store_id: Type.String(),
    store_name: Type.String(),
    offered_since: integer('When its first order was sent, in epoch seconds.'),
  },
);
const StatewideTaxStoreSchema = component(
  'StatewideTaxStore',
  'A live store without its own taxes, which uses the built-in table.',
  {
    store_id: Type.String(),
    store_name: Type.String(),
    left_out: text("The taxes that the place's statewide table leaves out."),
  },
);
const FailingEndpointSchema = component('FailingEndpoint', 'A webhook endpoint that is failing or disabled.', {
  account_id: Type.String(),
  account_name: Type.String(),
  mode: Type.Enum(['live', 'sandbox']),
  enabled: bool('`false` if the endpoint was disabled.'),
  failing_since: moment('Since when every delivery has failed.'),
});
const UsedUpBudgetSchema = component('UsedUpBudget', 'A daily budget that an account has used up.', {
  account_id: Type.String(),
  account_name: Type.String(),
  mode: Type.Enum(['live', 'sandbox']),
  budget: Type.String(),
  used: Type.Integer(),
  limit: Type.Integer(),
});
const PartySchema = component('OutsideParty', 'An external service used by live orders.', {
  party: Type.String(),
  is_configured: bool('Whether the settings name it.'),
  last_error: maybeText('Why an item waiting for it failed.'),
});

const LeftOutStoreSchema = component(
  'LeftOutStore',
  "A listed store that search omits because it can't be converted.",
  { store_id: Type.String(), reason: Type.String() },
);
const SearchDifferenceSchema = component(
  'SearchDifference',
  'A process whose search index differed from the database and was reloaded.',
  {
    differed_at: integer('Epoch seconds.'),
    missing: integer('The number of stores that search lacked. 0 if it contained unlisted stores.'),
    first_missing: maybeText("The first one's ID."),
  },
);

const ConditionSchema = component('HealthCondition', 'A problem with the service or its database.', {
  condition: Type.Enum(CONDITION_KEYS),
  severity: Type.Enum(['critical', 'warning']),
  title: text('The problem, as a sentence.'),
});

const HealthSchema = component('ServiceHealth', "The service's health.", {
  now: integer("The service's clock, in epoch seconds."),
  version: text("This node's version."),
  commit: maybeText("This node's commit. Null if it runs from a folder without git."),
  quiet: maybeText('Why this node sends, calls, charges and refunds nothing. Null if it does.'),
  conditions: Type.Array(ConditionSchema, { description: 'The current problems of the service and its database.' }),
  setting_warnings: Type.Array(Type.String(), {
    description: "This node's valid but probably wrong settings, one sentence each.",
  }),
  queues: Type.Array(QueueSchema),
  jobs: Type.Array(JobSchema),
  failing_channels: Type.Array(FailingChannelSchema, { description: 'Up to 100, longest failing first.' }),
  unreached_stores: Type.Array(UnreachedStoreSchema, { description: 'Up to 100.' }),
  stores_without_agreement: Type.Array(Type.Object({ store_id: Type.String(), store_name: Type.String() }), {
    description: "Up to 100 stores excluded from live orders by REQUIRE_AGREEMENT. Empty if it isn't set.",
  }),
  silent_stores: Type.Array(SilentStoreSchema, {
    description: 'Up to 100. Excludes stores that confirm automatically.',
  }),
  statewide_tax_stores: Type.Array(StatewideTaxStoreSchema, { description: 'Up to 100, by ID.' }),
  left_out_stores: Type.Array(LeftOutStoreSchema, { description: 'Up to 100, by ID.' }),
  search_differences: Type.Array(SearchDifferenceSchema, {
    description: "The last day's, latest first, with the last of each process.",
  }),
  undeclared_proxies: Type.Array(Type.String(), {
    description:
      "Up to 10 addresses that sent X-Forwarded-For to this process and aren't in TRUST_PROXY. Their visitors count as one client.",
  }),
  failing_endpoints: Type.Array(FailingEndpointSchema, { description: 'Up to 100.' }),
  used_up_budgets: Type.Array(UsedUpBudgetSchema, { description: 'Up to 100.' }),
  card_breakers: Type.Array(BreakerSchema, { description: 'Up to 100, newest first.' }),
  parties: Type.Array(PartySchema),
  on_duty: integer('The number of on-duty operators that alerts can reach. If 0, alerts go to admins.'),
  alerted: integer('The number of operators that alerts reach: on-duty operators or admins.'),
  database: Type.Union([
    Type.Object({
      migrations: Type.Integer(),
      last_migration: Type.String(),
      migrated_at: integer("Epoch seconds, on the database's clock."),
      bytes: Type.Integer(),
      connections: Type.Integer(),
      max_connections: Type.Integer(),
    }),
    Type.Null(),
  ]),
  disk: orNull(
    Type.Object({ free_bytes: Type.Integer(), total_bytes: Type.Integer() }),
    "The embedded database's disk. Null for another database.",
  ),
});
type Health = Static<typeof HealthSchema>;

export const readServiceHealthOperation = operation({
  endpoint: 'GET /health',
  summary: 'Get the health of queues, channels, external services, database and disk',
  description: 'Returns the waiting and failing items, and since when.',
  answer: HealthSchema,
  on: { operator: { role: 'viewer' } },
}).run((deps: HealthDeps) => readHealth(deps));

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

/** The service's health: queues, failures, external services, database and disk. */
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
