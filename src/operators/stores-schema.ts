import { Type } from 'typebox';
import { named } from '../http/api-components.ts';
import { epochSeconds } from '../lib/time.ts';
import { type Channel, STORE_CHANNELS } from '../offers/store-channel.ts';
import { DeliveryPartiesSchema } from '../stores/delivery-parties.ts';
import { KeySchema } from './accounts-schema.ts';
import { maybeText, moment } from './field-schemas.ts';
import type { FoundStore } from './operator-lists.db.ts';

export const StoreParams = Type.Object({ store_id: Type.String({ maxLength: 64, description: 'A store.' }) });

const found = {
  store_id: Type.String(),
  name: Type.String(),
  city: Type.String(),
  state: Type.String(),
  source: Type.String({ description: 'The feed of the store.' }),
  listed: Type.Boolean({ description: 'Whether its feed names it.' }),
  merged_into: maybeText('The store that search shows instead.'),
  online_ordering: Type.Boolean(),
  has_catalogue: Type.Boolean(),
  has_channel: Type.Boolean({ description: 'Whether live keys can order from it.' }),
  is_failing: Type.Boolean({ description: 'Whether a channel fails.' }),
};

export const FoundStoreSchema = Type.Object(found, named('OperatorListedStore', 'A store in a list of operators.'));

const ChannelSchema = Type.Object(
  {
    channel: Type.Enum([...STORE_CHANNELS]),
    target: maybeText('An e-mail address, a phone, a URL or HOST:PORT.'),
    failing_since: moment('Since when every attempt fails.'),
    last_error: maybeText('Why the last attempt failed.'),
    print_at: Type.Optional(Type.Enum(['offered', 'confirmed'])),
    encoding: Type.Optional(Type.String()),
  },
  named('OperatorChannel', 'How a store receives its live orders, without secrets.'),
);

export const SessionSchema = Type.Object(
  {
    session_id: Type.String(),
    device: Type.String({ description: 'What the browser calls itself.' }),
    created_at: Type.Integer({ description: 'Epoch seconds.' }),
    seen_at: Type.Integer({ description: 'Epoch seconds.' }),
  },
  named('OpenSession', 'An open console session.'),
);

export const StoreSchema = Type.Object(
  {
    ...found,
    address: Type.String(),
    phone: Type.Union([Type.Integer(), Type.Null()]),
    time_zone: Type.String(),
    accept_delivery: Type.Boolean(),
    accept_pickup: Type.Boolean(),
    delivery_enabled: Type.Boolean(),
    pickup_enabled: Type.Boolean(),
    delivery_parties: DeliveryPartiesSchema,
    channels: Type.Array(ChannelSchema),
    auto_confirm_minutes: Type.Union([Type.Integer(), Type.Null()]),
    sessions: Type.Array(SessionSchema),
    keys: Type.Array(KeySchema),
  },
  named('OperatorStore', 'A store with its channels, switches, sessions and keys.'),
);

export const ChannelsAnswerSchema = Type.Object(
  {
    store_id: Type.String(),
    channels: Type.Array(ChannelSchema),
    auto_confirm_minutes: Type.Union([Type.Integer(), Type.Null()]),
    signing_secret: Type.Optional(
      Type.String({ description: 'Of a webhook that was added by this request. No later answer shows it again.' }),
    ),
  },
  named('OperatorChannels', 'The channels of a store after a change.'),
);

export function presentFound(store: FoundStore) {
  return {
    store_id: store.storeId,
    name: store.name,
    city: store.city,
    state: store.state,
    source: store.source,
    listed: store.listed,
    merged_into: store.mergedInto,
    online_ordering: store.onlineOrdering,
    has_catalogue: store.hasCatalogue,
    has_channel: store.hasChannel,
    is_failing: store.isFailing,
  };
}

export function presentChannel({ channel, target, failingSince, lastError, printAt, encoding }: Channel) {
  return {
    channel,
    target,
    failing_since: failingSince && epochSeconds(failingSince),
    last_error: lastError,
    ...(channel === 'printer' ? { print_at: printAt, encoding } : {}),
  };
}
