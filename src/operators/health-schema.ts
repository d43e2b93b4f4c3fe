import { type Static, Type } from 'typebox';
import { named } from '../http/api-components.ts';
import { maybeText, moment } from './field-schemas.ts';
import { BreakerSchema } from './limits/account-limits.ts';

const QueueSchema = Type.Object(
  {
    queue: Type.String(),
    waiting: Type.Integer({ description: 'Rows that wait, counted up to 10000.' }),
    failing: Type.Integer({ description: 'Those of them whose last attempt failed.' }),
    due_since: moment('Since when the longest waiting row is due.'),
    last_error: maybeText('Why the longest waiting of them failed.'),
  },
  named('QueueHealth', 'A queue of the service.'),
);
const JobSchema = Type.Object(
  {
    job: Type.String(),
    waiting: Type.Integer(),
    retrying: Type.Integer({ description: 'Those of the waiting that have failed before.' }),
    running: Type.Integer(),
    failed: Type.Integer({ description: 'Given up, and kept for some days.' }),
    due_since: moment('Since when the longest waiting job is due.'),
  },
  named('JobHealth', 'A kind of background job.'),
);
const FailingChannelSchema = Type.Object(
  {
    store_id: Type.String(),
    store_name: Type.String(),
    channel: Type.String(),
    target: maybeText('An e-mail address, a phone, a URL or HOST:PORT.'),
    failing_since: Type.Integer({ description: 'Epoch seconds.' }),
    last_error: maybeText('Why the last attempt failed.'),
  },
  named('FailingChannel', 'A channel of a store on which every attempt fails.'),
);
const UnreachedStoreSchema = Type.Object(
  {
    store_id: Type.String(),
    store_name: Type.String(),
    channels: Type.Array(Type.String(), {
      description: 'Its channels: each is failing, or is a console without an open session.',
    }),
  },
  named('UnreachedStore', 'A live store that no channel reaches.'),
);
const SilentStoreSchema = Type.Object(
  {
    store_id: Type.String(),
    store_name: Type.String(),
    offered_since: Type.Integer({ description: 'When its first order was offered, in epoch seconds.' }),
  },
  named('SilentStore', 'A store that was offered live orders and has never acknowledged one.'),
);
const FailingEndpointSchema = Type.Object(
  {
    account_id: Type.String(),
    account_name: Type.String(),
    mode: Type.Enum(['live', 'sandbox']),
    enabled: Type.Boolean({ description: 'False once it was switched off.' }),
    failing_since: moment('Since when every call fails.'),
  },
  named('FailingEndpoint', 'A webhook endpoint that fails or was switched off.'),
);
const UsedUpBudgetSchema = Type.Object(
  {
    account_id: Type.String(),
    account_name: Type.String(),
    mode: Type.Enum(['live', 'sandbox']),
    budget: Type.String(),
    used: Type.Integer(),
    limit: Type.Integer(),
  },
  named('UsedUpBudget', 'A budget of today that an account has used up.'),
);
const PartySchema = Type.Object(
  {
    party: Type.String(),
    is_configured: Type.Boolean({ description: 'Whether the settings name it.' }),
    last_error: maybeText('Why something that waits for it failed.'),
  },
  named('OutsideParty', 'An outside party that live orders depend on.'),
);

export const HealthSchema = Type.Object(
  {
    now: Type.Integer({ description: "The service's clock, in epoch seconds." }),
    queues: Type.Array(QueueSchema),
    jobs: Type.Array(JobSchema),
    failing_channels: Type.Array(FailingChannelSchema, { description: 'Longest failing first, at most 100.' }),
    unreached_stores: Type.Array(UnreachedStoreSchema, { description: 'At most 100.' }),
    silent_stores: Type.Array(SilentStoreSchema, {
      description: 'At most 100; stores that confirm automatically are left out.',
    }),
    undeclared_proxies: Type.Array(Type.String(), {
      description:
        'Addresses that sent X-Forwarded-For to this process and are not in TRUST_PROXY, at most 10: their visitors count as one client.',
    }),
    failing_endpoints: Type.Array(FailingEndpointSchema, { description: 'At most 100.' }),
    used_up_budgets: Type.Array(UsedUpBudgetSchema, { description: 'At most 100.' }),
    card_breakers: Type.Array(BreakerSchema, { description: 'Newest first, at most 100.' }),
    parties: Type.Array(PartySchema),
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
    disk: Type.Union([Type.Object({ free_bytes: Type.Integer(), total_bytes: Type.Integer() }), Type.Null()], {
      description: 'The disk of the embedded database; null for another database.',
    }),
  },
  named('ServiceHealth', 'How the service is.'),
);
export type Health = Static<typeof HealthSchema>;
