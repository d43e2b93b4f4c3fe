import { Type } from 'typebox';
import { findStoreCourier, setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { named } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { findStoreLanguage, type StoreSwitches, updateStoreLanguage } from '../../supply/stores/set-store.db.ts';
import { setStore } from '../../supply/stores/set-store.flow.ts';
import { countOrigins, findListedStore, findStore, listStoresAfter } from '../../supply/stores/stores.db.ts';
import { recordChange } from './actions.db.ts';
import { cutPage, maybeText, NEXT, showRow } from './field-schemas.ts';
import { procedure } from './procedure.ts';
import { DELIVERY_FIELDS, presentDelivery, StoreParams, storeNotFound } from './stores.route.ts';

/** Stores as their feeds list them, and the settings of one: switches, language and courier. */

const LISTED = {
  store_id: Type.String(),
  external_id: Type.String({ description: 'The ID in the feed.' }),
  name: Type.String(),
  source: Type.String({ description: 'The feed of the store.' }),
  listed: Type.Boolean({ description: 'Whether the feed still lists the store.' }),
  merged_into: maybeText('The store that search shows in its place.'),
};
const SWITCHES = {
  online_ordering: Type.Boolean({ description: 'Whether the store takes orders.' }),
  accept_delivery: DELIVERY_FIELDS.accept_delivery,
  accept_pickup: DELIVERY_FIELDS.accept_pickup,
};
const LANGUAGE = Type.Enum([...LANGUAGES], { description: 'Of its console, kitchen tickets, emails and SMS.' });
const COURIER = Type.String({
  pattern: '^[a-z_]{1,40}$',
  description: 'The courier company of its live orders; `none`: its own drivers.',
});

const SettingsSchema = Type.Object(
  {
    ...LISTED,
    type: Type.String(),
    language: LANGUAGE,
    courier: COURIER,
    online_ordering: SWITCHES.online_ordering,
    ...DELIVERY_FIELDS,
  },
  named('OperatorStoreSettings', "A store's switches, language and courier, and who delivers for it."),
);

const MAX_STORES = 1000;

export const listFeedStoresProcedure = procedure({
  name: 'listFeedStores',
  endpoint: 'GET /operator/stores/listed',
  role: 'viewer',
  refuses: ['not_found'],
  summary: 'Stores by feed and their ID in it',
  description: 'Stores that have left their feed, and merged ones, too.',
  query: Type.Object({
    source: Type.Optional(Type.String({ maxLength: 200, description: 'Only the stores of this feed.' })),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Only stores whose name has this text.' })),
    after: Type.Optional(Type.String({ maxLength: 64, description: 'The `next` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_STORES, description: 'Stores a page; 50 by default.' }),
    ),
  }),
  answer: Type.Object({ stores: Type.Array(Type.Object(LISTED)), next: NEXT }, { description: 'By feed and ID.' }),
  async run({ db }: { db: Db }, { query: { source, search, after, limit = 50 } }) {
    const last = after === undefined ? undefined : await findListedStore(db, after);
    if (after !== undefined && !last) {
      throw invalidRequest([{ in: 'query', name: 'after', message: 'must be the `next` of a page' }]);
    }
    const rows = await listStoresAfter(db, last, { source, search, limit: limit + 1 });
    if (source !== undefined && rows.length === 0 && last === undefined && search === undefined) {
      throw new Refusal('not_found', `No feed named ${source} has stores.`);
    }
    const { page, next } = cutPage(rows, limit, ({ storeId }) => storeId);
    return { stores: page.map(showRow), next };
  },
});

export const countOriginsProcedure = procedure({
  name: 'countOrigins',
  endpoint: 'GET /operator/stores/origins',
  role: 'viewer',
  summary: 'Stores in search by the dataset and license of their data, for attribution',
  description: 'Only stores of open directories have origins. A store with data of several datasets counts for each.',
  answer: Type.Object(
    {
      origins: Type.Array(
        Type.Object({ dataset: Type.String(), license: maybeText('Null if none is stated.'), stores: Type.Integer() }),
      ),
    },
    { description: 'By descending number of stores.' },
  ),
  run: async ({ db }: { db: Db }) => ({ origins: await countOrigins(db) }),
});

export const readStoreSettingsProcedure = procedure({
  name: 'readStoreSettings',
  endpoint: 'GET /operator/stores/:store_id/settings',
  role: 'viewer',
  refuses: ['store_not_found'],
  summary: "A store's switches, language and courier",
  description: 'As `doorstep stores show` prints them.',
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  answer: SettingsSchema,
  run: ({ db }: { db: Db }, { params }) => readSettings(db, params.store_id),
});

type SettingsNeeds = {
  db: Db;
  clock: Clock;
  /** Names of the companies that a store may choose. */
  courierCompanies: readonly string[];
  inventory: Pick<InventoryCache, 'evict'>;
};

export const setStoreSwitchesProcedure = procedure({
  name: 'setStoreSwitches',
  endpoint: 'POST /operator/stores/:store_id/switches',
  role: 'admin',
  refuses: ['store_not_found'],
  summary: 'Set switches, language and courier of a store',
  description:
    'What is left out stays as it is. Store search follows within two seconds; a courier counts for orders that the store confirms from then on. The change is recorded.',
  example: { path: { store_id: EXAMPLE_STORE_ID }, body: { accept_pickup: true } },
  params: StoreParams,
  body: Type.Partial(Type.Object({ ...SWITCHES, language: LANGUAGE, courier: COURIER })),
  answer: SettingsSchema,
  async run(needs: SettingsNeeds, { session, params, body }) {
    const { store_id: storeId } = params;
    const { language, courier, online_ordering, accept_delivery, accept_pickup } = body;
    const changes = { online_ordering, accept_delivery, accept_pickup, language, courier };
    if (Object.values(changes).every((value) => value === undefined)) {
      throw invalidRequest([{ in: 'body', name: 'body', message: 'must set a switch, the language or the courier' }]);
    }
    if (courier !== undefined && courier !== 'none' && !needs.courierCompanies.includes(courier)) {
      const message = `must be none or one of ${needs.courierCompanies.join(', ')}`;
      throw invalidRequest([{ in: 'body', name: 'courier', message }]);
    }
    const switches: StoreSwitches = {
      ...(online_ordering !== undefined && { onlineOrdering: online_ordering }),
      ...(accept_delivery !== undefined && { acceptDelivery: accept_delivery }),
      ...(accept_pickup !== undefined && { acceptPickup: accept_pickup }),
    };
    await recordChange(
      needs,
      session,
      async (tx, at) => {
        if (!(await setStore(tx, storeId, switches, at))) throw storeNotFound();
        if (language !== undefined) await updateStoreLanguage(tx, storeId, language);
        if (courier !== undefined) await setStoreCourier(tx, storeId, courier === 'none' ? undefined : courier, at);
      },
      () => ({ action: 'store.set_switches', target: storeId, details: changes }),
    );
    needs.inventory.evict(storeId);
    return readSettings(needs.db, storeId);
  },
});

async function readSettings(sql: Sql, storeId: string) {
  const [store, listed] = await Promise.all([findStore(sql, storeId), findListedStore(sql, storeId)]);
  if (!store || !listed) throw storeNotFound();
  return {
    ...showRow(listed),
    type: store.type,
    language: await findStoreLanguage(sql, storeId),
    courier: (await findStoreCourier(sql, storeId)) ?? 'none',
    online_ordering: store.onlineOrdering,
    ...presentDelivery(store),
  };
}
