import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { epochSeconds } from '../lib/time.ts';
import { listSessions } from '../merchants/sessions.db.ts';
import { findAutoConfirm, listChannels } from '../offers/store-channels.db.ts';
import { presentParties } from '../stores/delivery-parties.ts';
import { EXAMPLE_STORE_ID } from '../stores/example-store.ts';
import type { Store } from '../stores/store.ts';
import { isStoreId } from '../stores/store-id.ts';
import { findStore } from '../stores/stores.db.ts';
import { presentKey } from './accounts-schema.ts';
import { type FoundStore, findListed, findStoresByName, listStoreKeys, listStoresOfFeed } from './operator-lists.db.ts';
import { FoundStoreSchema, presentChannel, presentFound, StoreParams, StoreSchema } from './stores-schema.ts';

const PAGE = 50;
const MAX_KEYS = 100;
const audience = 'operator' as const;

const listSchema = {
  operationId: 'listAnyStores',
  tags: ['Operator'],
  summary: 'Stores by the beginning of their name, by their id, or by their feed',
  description: '50 a page. Without `query` and `source` it lists every store.',
  example: { query: { query: 'Lantern' } },
  querystring: Type.Object({
    query: Type.Optional(Type.String({ maxLength: 200, description: 'A `store_id`, or how the name begins.' })),
    source: Type.Optional(Type.String({ maxLength: 200, description: 'The stores of this feed; without `query`.' })),
    after: Type.Optional(Type.String({ maxLength: 64, description: 'The last `store_id` of the page before.' })),
  }),
  response: {
    200: Type.Object(
      {
        stores: Type.Array(FoundStoreSchema),
        next: Type.Union([Type.String(), Type.Null()], {
          description: 'The `after` of the next page; null on the last.',
        }),
      },
      { description: '50 a page.' },
    ),
  },
};
const readSchema = {
  operationId: 'readAnyStore',
  tags: ['Operator'],
  summary: 'A store with its channels, switches, sessions and keys',
  description:
    'Where its orders go, with the last error of each channel; its switches; who is signed in for it, and its keys without their secrets.',
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  response: { 200: StoreSchema },
};

export const storeNotFound = () => new Refusal('store_not_found', 'There is no such store.');

/** GET /operator/stores and /operator/stores/{store_id}. */
export function storesRoutes(http: Http, { db, clock }: { db: Db; clock: Clock }): void {
  http.get('/operator/stores', { schema: listSchema, config: { audience } as const }, async ({ query }) => {
    const rows = await findPage(db, query);
    const page = rows.slice(0, PAGE);
    return { stores: page.map(presentFound), next: rows.length > PAGE ? (page.at(-1)?.storeId ?? null) : null };
  });

  const config = { audience, refuses: ['store_not_found'] } as const;
  http.get('/operator/stores/:store_id', { schema: readSchema, config }, async ({ params }) => {
    const { store_id: storeId } = params;
    const [store, found] = await Promise.all([findStore(db, storeId), findListed(db, storeId)]);
    if (!store || !found) throw storeNotFound();
    const [channels, autoConfirmMinutes, sessions, keys] = await Promise.all([
      listChannels(db, storeId),
      findAutoConfirm(db, storeId),
      listSessions(db, storeId, clock.now()),
      listStoreKeys(db, storeId, MAX_KEYS),
    ]);
    return {
      ...presentFound(found),
      ...profileOf(store),
      channels: channels.map(presentChannel),
      auto_confirm_minutes: autoConfirmMinutes,
      sessions: sessions.map(presentSession),
      keys: keys.map(presentKey),
    };
  });
}

type StoreQuery = { query?: string; source?: string; after?: string };

/** One row more than a page holds. A page that follows no store is the first. */
async function findPage(db: Db, { query = '', source, after }: StoreQuery): Promise<FoundStore[]> {
  const name = query.trim();
  if (isStoreId(name)) {
    const store = await findListed(db, name);
    return store ? [store] : [];
  }
  const last = after === undefined ? undefined : await findListed(db, after);
  if (name !== '') return findStoresByName(db, { name, after: last, limit: PAGE + 1 });
  return listStoresOfFeed(db, { source, afterId: last?.storeId, limit: PAGE + 1 });
}

function profileOf({ address, phoneNumber, timeZone, delivery, pickup }: Store) {
  const { streetAddr, streetAddr2, city, state, zipcode } = address;
  return {
    address: [streetAddr, streetAddr2, city, state, zipcode].filter((part) => part !== '').join(', '),
    phone: phoneNumber,
    time_zone: timeZone,
    accept_delivery: delivery.accepting,
    accept_pickup: pickup.accepting,
    delivery_enabled: delivery.enabled,
    pickup_enabled: pickup.enabled,
    delivery_parties: presentParties(delivery),
  };
}

type Seen = { sessionId: string; device: string; createdAt: Temporal.Instant; seenAt: Temporal.Instant };

export function presentSession({ sessionId, device, createdAt, seenAt }: Seen) {
  return { session_id: sessionId, device, created_at: epochSeconds(createdAt), seen_at: epochSeconds(seenAt) };
}
