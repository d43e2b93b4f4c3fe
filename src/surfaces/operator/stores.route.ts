import type { PublicHttp } from 'doorstep/public-http';
import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
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

/** Operator endpoints that list and change stores, and the channels by which they receive orders. */

export const StoreParams = Type.Object({ store_id: Type.String({ maxLength: 64, description: 'A store.' }) });

const found = {
  store_id: Type.String(),
  name: Type.String(),
  city: Type.String(),
  state: Type.String(),
  source: Type.String({ description: "The store's feed." }),
  listed: Type.Boolean({ description: 'Whether the feed still lists the store.' }),
  merged_into: maybeText('The store that search shows instead.'),
  online_ordering: Type.Boolean(),
  has_catalog: Type.Boolean(),
  has_channel: Type.Boolean({ description: 'Whether live keys can order from it.' }),
  is_failing: Type.Boolean({ description: 'Whether a channel is failing.' }),
};

const FoundStoreSchema = component('OperatorListedStore', "A store in an operator's list.", found);

const ChannelSchema = component('OperatorChannel', "A channel for a store's live orders, without secrets.", {
  channel: StoreChannelSchema,
  target: maybeText("An email address, a phone number, a URL, or a printer's address."),
  state: Type.Enum(['working', 'failing', 'untried']),
  failing_since: moment('Since when every attempt has failed.'),
  last_error: maybeText('Why the last attempt failed.'),
  print_at: Type.Optional(Type.Enum(['offered', 'confirmed'])),
  encoding: Type.Optional(Type.String()),
  stations: Type.Optional(
    Type.Array(Type.String(), { description: 'The categories that this printer prints, if there are several.' }),
  ),
  signing_secret: Type.Optional(
    Type.String({ description: 'The secret of a webhook added by this request. No later response shows it.' }),
  ),
});

export const SessionSchema = component('OpenSession', "An open console session, or an operator's key.", {
  session_id: Type.String(),
  name: maybeText("The operator or staff member. Null for a store's owner."),
  device: Type.String({ description: "The browser's description of itself." }),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  seen_at: Type.Integer({ description: 'Epoch seconds.' }),
  expires_at: Type.Integer({ description: 'Epoch seconds.' }),
});

const StaffSchema = component('OperatorStaff', "A staff member with their own code for a store's console.", {
  staff_id: Type.String(),
  name: Type.String(),
  created_at: Type.Integer(),
  seen_at: moment('Last used.'),
});

/** Whether and by whom a store delivers, and whether it has pickup. */
export const DELIVERY_FIELDS = {
  accept_delivery: Type.Boolean({ description: 'Whether the store accepts delivery orders now.' }),
  accept_pickup: Type.Boolean({ description: 'Whether the store accepts pickup orders now.' }),
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

const ChannelsAnswerSchema = component('OperatorChannels', "A store's channels after a change.", {
  store_id: Type.String(),
  channels: Type.Array(ChannelSchema),
  auto_confirm_minutes: Type.Union([Type.Integer(), Type.Null()]),
  signing_secret: Type.Optional(Type.String({ description: "The new webhook's secret, shown only once." })),
  printer_url: Type.Optional(Type.String({ description: "The new printer's polling URL, shown only once." })),
});

function presentChannel({ channel, target, failingSince, lastError, printAt, encoding, categories }: Channel) {
  return {
    channel,
    target,
    state: failingSince ? ('failing' as const) : lastError === null ? ('working' as const) : ('untried' as const),
    failing_since: epochSecondsOrNull(failingSince),
    last_error: lastError,
    ...(isPrinter(channel) ? { print_at: printAt, encoding } : {}),
    ...(categories ? { stations: [...categories] } : {}),
  };
}

const PAGE_SIZE = 50;
const MAX_KEYS = 100;

export const storeNotFound = () => new Refusal('store_not_found', 'There is no such store.');

export const listAnyStoresOperation = operation({
  endpoint: 'GET /stores',
  summary: 'Search for stores by name, ID or feed',
  description: 'Returns 50 per page. Without `query` and `source`, lists every store.',
  example: { query: { query: 'Lantern' } },
  query: Type.Object({
    query: optionalText(200, 'A `store_id`, or words from the name. Each may be incomplete.'),
    source: optionalText(200, "Returns this feed's stores. Can't be combined with `query`."),
    after: optionalText(64, "The previous page's last `store_id`."),
  }),
  answer: describedObject('50 a page.', {
    stores: Type.Array(FoundStoreSchema),
    next: orNull(Type.String(), 'Send it as `after` to get the next page. Null on the last page.'),
  }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { query }) => {
  const rows = await findPage(db, query);
  const { page, next } = cutPage(rows, PAGE_SIZE, ({ storeId }) => storeId);
  return { stores: page.map(showRow), next };
});

export const readAnyStoreOperation = operation({
  endpoint: 'GET /stores/:store_id',
  refuses: ['store_not_found'],
  summary: 'Get a store with its channels, switches, sessions and keys',
  description:
    "Returns the store's channels with their last errors, its switches, the signed-in users, and its keys without their secrets.",
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  answer: StoreSchema,
  on: { operator: { command: ['stores channels <store_id>', 'stores sessions <store_id>'], role: 'viewer' } },
}).run(async ({ db, clock }: { db: Db; clock: Clock }, { params }) => {
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

export const setStoreChannelsOperation = operation({
  endpoint: 'POST /stores/:store_id/channels',
  refuses: ['store_not_found', 'webhook_endpoint_not_allowed'],
  summary: "Set a store's channels for live orders",
  description: 'Omitted fields stay unchanged.',
  example: {
    path: { store_id: EXAMPLE_STORE_ID },
    body: { email: 'kitchen@example.com', printer: 'kitchen-printer:9100', operator: true },
  },
  params: StoreParams,
  body: ChannelsBody,
  answer: ChannelsAnswerSchema,
  on: { operator: { command: 'stores channels <store_id>', many: true, role: 'admin' } },
}).run(async (deps: StoreChannelsDeps, { save, params, body }) => {
  const { store_id: storeId } = params;
  const changes = readChannelChanges(body, deps);
  if (typeof changes.webhook === 'string') {
    changes.webhook = (await requirePublicUrl(deps.publicHttp, changes.webhook, 'webhook')).url;
  }
  const { set, hadWebhook } = await save(
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
    channels: set.channels
      .map(presentChannel)
      .map((shown) => (shown.channel === 'webhook' && secret ? { ...shown, signing_secret: secret } : shown)),
    auto_confirm_minutes: set.autoConfirmMinutes,
    ...(secret ? { signing_secret: secret } : {}),
    ...(set.printerSecret ? { printer_url: printerUrlOf(deps, changes.printer ?? '', set.printerSecret) } : {}),
  };
});
