import type { PublicHttp } from 'doorstep/public-http';
import { Type } from 'typebox';
import { type ConsoleSession, listSessions } from '../../access/sessions/sessions.db.ts';
import { listStaff } from '../../access/sessions/staff.db.ts';
import { setChannels } from '../../fulfillment/store-channels/set-channels.flow.ts';
import { type Channel, isPrinter, StoreChannelSchema } from '../../fulfillment/store-channels/store-channel.ts';
import { findAutoConfirm, listChannels } from '../../fulfillment/store-channels/store-channels.db.ts';
import { requirePublicUrl } from '../../notify/webhooks/public-url.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, optionalText, orNull } from '../../platform/http/api-components.ts';
import { cutPage } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { epochSecondsOrNull } from '../../platform/lib/time.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import { DeliveryPartiesSchema, presentParties } from '../../supply/stores/delivery-parties.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import type { Store } from '../../supply/stores/store.ts';
import { isStoreId } from '../../supply/stores/store-id.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { partsOfStore, writeAddress } from '../../supply/stores/street-address.ts';
import { KeySchema } from './accounts-schema.ts';
import { ChannelsBody, changedChannels, type PrinterNames, readChannelChanges } from './channel-changes.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';
import { type FoundStore, findListed, findStoresByName, listStoreKeys, listStoresOfFeed } from './operator-lists.db.ts';
import { procedure } from './procedure.ts';

/** Operator endpoints that list and change stores, and the channels by which they receive orders. */

export const StoreParams = Type.Object({ store_id: Type.String({ maxLength: 64, description: 'A store.' }) });

const found = {
  store_id: Type.String(),
  name: Type.String(),
  city: Type.String(),
  state: Type.String(),
  source: Type.String({ description: 'The feed of the store.' }),
  listed: Type.Boolean({ description: 'Whether the feed still lists the store.' }),
  merged_into: maybeText('The store that search shows in its place.'),
  online_ordering: Type.Boolean(),
  has_catalog: Type.Boolean(),
  has_channel: Type.Boolean({ description: 'Whether live keys can order from it.' }),
  is_failing: Type.Boolean({ description: 'Whether a channel fails.' }),
};

const FoundStoreSchema = component('OperatorListedStore', 'A store in a list of operators.', found);

const ChannelSchema = component('OperatorChannel', 'How a store receives its live orders, without secrets.', {
  channel: StoreChannelSchema,
  target: maybeText('An email address, a phone, a URL, or the address of a printer.'),
  failing_since: moment('Since when every attempt fails.'),
  last_error: maybeText('Why the last attempt failed.'),
  print_at: Type.Optional(Type.Enum(['offered', 'confirmed'])),
  encoding: Type.Optional(Type.String()),
  stations: Type.Optional(
    Type.Array(Type.String(), { description: 'The categories whose items a printer among several prints.' }),
  ),
});

export const SessionSchema = component('OpenSession', "An open console session, or an operator's key.", {
  session_id: Type.String(),
  name: maybeText('The operator or staff member; null for the owner of a store.'),
  device: Type.String({ description: 'What the browser calls itself.' }),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  seen_at: Type.Integer({ description: 'Epoch seconds.' }),
  expires_at: Type.Integer({ description: 'Epoch seconds.' }),
});

const StaffSchema = component(
  'OperatorStaff',
  'A staff member who signs in to the console of a store with a code of their own.',
  { staff_id: Type.String(), name: Type.String(), created_at: Type.Integer(), seen_at: moment('The last use.') },
);

/** Whether and by whom a store delivers, and whether it has pickup. */
export const DELIVERY_FIELDS = {
  accept_delivery: Type.Boolean({ description: 'Whether it accepts delivery orders now.' }),
  accept_pickup: Type.Boolean({ description: 'Whether it accepts pickup orders now.' }),
  delivery_enabled: Type.Boolean(),
  pickup_enabled: Type.Boolean(),
  delivery_parties: DeliveryPartiesSchema,
};

const StoreSchema = component('OperatorStore', 'A store with its channels, switches, sessions and keys.', {
  ...found,
  address: Type.String(),
  phone: Type.Union([Type.Integer(), Type.Null()]),
  time_zone: Type.String(),
  ...DELIVERY_FIELDS,
  channels: Type.Array(ChannelSchema),
  auto_confirm_minutes: Type.Union([Type.Integer(), Type.Null()]),
  staff: Type.Array(StaffSchema),
  sessions: Type.Array(SessionSchema),
  keys: Type.Array(KeySchema),
});

const ChannelsAnswerSchema = component('OperatorChannels', 'The channels of a store after a change.', {
  store_id: Type.String(),
  channels: Type.Array(ChannelSchema),
  auto_confirm_minutes: Type.Union([Type.Integer(), Type.Null()]),
  signing_secret: Type.Optional(
    Type.String({ description: 'Of a webhook that was added by this request. No later answer shows it again.' }),
  ),
  printer_url: Type.Optional(
    Type.String({ description: 'Where a printer polls that was set by this request. No later answer shows it again.' }),
  ),
});

function presentChannel({ channel, target, failingSince, lastError, printAt, encoding, categories }: Channel) {
  return {
    channel,
    target,
    failing_since: epochSecondsOrNull(failingSince),
    last_error: lastError,
    ...(isPrinter(channel) ? { print_at: printAt, encoding } : {}),
    ...(categories ? { stations: [...categories] } : {}),
  };
}

const PAGE_SIZE = 50;
const MAX_KEYS = 100;

export const storeNotFound = () => new Refusal('store_not_found', 'There is no such store.');

export const listAnyStoresProcedure = procedure({
  endpoint: 'GET /operator/stores',
  role: 'viewer',
  summary: 'Stores by the beginning of their name, by their id, or by their feed',
  description: '50 a page. Without `query` and `source` it lists every store.',
  example: { query: { query: 'Lantern' } },
  query: Type.Object({
    query: optionalText(200, 'A `store_id`, or words of the name; each may be a beginning.'),
    source: optionalText(200, 'The stores of this feed; without `query`.'),
    after: optionalText(64, 'The last `store_id` of the page before.'),
  }),
  answer: describedObject('50 a page.', {
    stores: Type.Array(FoundStoreSchema),
    next: orNull(Type.String(), 'The `after` of the next page; null on the last.'),
  }),
  async run({ db }: { db: Db }, { query }) {
    const rows = await findPage(db, query);
    const { page, next } = cutPage(rows, PAGE_SIZE, ({ storeId }) => storeId);
    return { stores: page.map(showRow), next };
  },
});

export const readAnyStoreProcedure = procedure({
  endpoint: 'GET /operator/stores/:store_id',
  command: ['stores channels <store_id>', 'stores sessions <store_id>'],
  role: 'viewer',
  refuses: ['store_not_found'],
  summary: "Show a store's channels, switches, sessions and keys",
  description:
    'Where its orders go, with the last error of each channel; its switches; who is signed in for it, and its keys without their secrets.',
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  answer: StoreSchema,
  async run({ db, clock }: { db: Db; clock: Clock }, { params }) {
    const { store_id: storeId } = params;
    const [store, found] = await Promise.all([findStore(db, storeId), findListed(db, storeId)]);
    if (!store || !found) throw storeNotFound();
    const [channels, autoConfirmMinutes, staff, sessions, keys] = await Promise.all([
      listChannels(db, storeId),
      findAutoConfirm(db, storeId),
      listStaff(db, storeId),
      listSessions(db, storeId, clock.now()),
      listStoreKeys(db, storeId, MAX_KEYS),
    ]);
    return {
      ...showRow(found),
      ...storeProfile(store),
      channels: channels.map(presentChannel),
      auto_confirm_minutes: autoConfirmMinutes,
      staff: staff.map(showRow),
      sessions: sessions.map(presentSession),
      keys: keys.map(showRow),
    };
  },
});

type StoreQuery = { query?: string; source?: string; after?: string };

/** Reads one row more than the page size, to detect a next page. Without `after`, the first page. */
async function findPage(db: Db, { query = '', source, after }: StoreQuery): Promise<FoundStore[]> {
  const name = query.trim();
  if (isStoreId(name)) {
    const store = await findListed(db, name);
    return store ? [store] : [];
  }
  const last = after === undefined ? undefined : await findListed(db, after);
  if (name !== '') return findStoresByName(db, { name, after: last, limit: PAGE_SIZE + 1 });
  return listStoresOfFeed(db, { source, afterId: last?.storeId, limit: PAGE_SIZE + 1 });
}

function storeProfile({ address, phoneNumber, timeZone, ...store }: Store) {
  return {
    address: writeAddress(partsOfStore(address)),
    phone: phoneNumber,
    time_zone: timeZone,
    ...presentDelivery(store),
  };
}

export const presentDelivery = ({ delivery, pickup }: Pick<Store, 'delivery' | 'pickup'>) => ({
  accept_delivery: delivery.accepting,
  accept_pickup: pickup.accepting,
  delivery_enabled: delivery.enabled,
  pickup_enabled: pickup.enabled,
  delivery_parties: presentParties(delivery),
});

/** Selects fields explicitly, because a session's row has more. */
export const presentSession = ({ sessionId, name, device, createdAt, seenAt, expiresAt }: ConsoleSession) =>
  showRow({ sessionId, name, device, createdAt, seenAt, expiresAt });

type StoreChannelsDeps = {
  db: Db;
  clock: Clock;
  publicHttp: PublicHttp;
  inventory: Pick<InventoryCache, 'evict'>;
  config: { baseUrl: string };
} & PrinterNames;

function printerUrlOf(
  { config, polledPrinters }: Pick<StoreChannelsDeps, 'config' | 'polledPrinters'>,
  printer: string,
  secret: string,
): string {
  return `${config.baseUrl}${polledPrinters.get(printer)}/${secret}`;
}

export const setStoreChannelsProcedure = procedure({
  endpoint: 'POST /operator/stores/:store_id/channels',
  command: 'stores channels <store_id>',
  many: true,
  role: 'admin',
  refuses: ['store_not_found', 'webhook_endpoint_not_allowed'],
  summary: 'Set how a store receives its live orders',
  description: 'What is left out stays as it is.',
  example: {
    path: { store_id: EXAMPLE_STORE_ID },
    body: { email: 'kitchen@example.com', printer: 'kitchen-printer:9100', operator: true },
  },
  params: StoreParams,
  body: ChannelsBody,
  answer: ChannelsAnswerSchema,
  async run(deps: StoreChannelsDeps, { record, params, body }) {
    const { store_id: storeId } = params;
    const changes = readChannelChanges(body, deps);
    if (typeof changes.webhook === 'string') {
      changes.webhook = (await requirePublicUrl(deps.publicHttp, changes.webhook, 'webhook')).url;
    }
    const { set, hadWebhook } = await record(
      async (tx, at) => {
        const before = await listChannels(tx, storeId);
        const done = await setChannels(tx, storeId, changes, at);
        if (!done) throw storeNotFound();
        return { set: done, hadWebhook: before.some(({ channel }) => channel === 'webhook') };
      },
      () => ({ action: 'store.set_channels', target: storeId, details: changedChannels(changes) }),
    );
    deps.inventory.evict(storeId);
    const secret = hadWebhook ? undefined : set.channels.find(({ channel }) => channel === 'webhook')?.signingSecret;
    return {
      store_id: storeId,
      channels: set.channels.map(presentChannel),
      auto_confirm_minutes: set.autoConfirmMinutes,
      ...(secret ? { signing_secret: secret } : {}),
      ...(set.printerSecret ? { printer_url: printerUrlOf(deps, changes.printer ?? '', set.printerSecret) } : {}),
    };
  },
});
