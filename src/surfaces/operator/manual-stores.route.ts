import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { setStoreTerms } from '../../ordering/statements/store-terms.db.ts';
import { presentTerms, readTerms, TermsChangesSchema } from '../../ordering/statements/terms.ts';
import type { Db } from '../../platform/db/connect.ts';
import { describedObject } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { addressText } from '../../supply/addresses/address-parameter.ts';
import { PRECISIONS } from '../../supply/addresses/geocoder.ts';
import { type Geocoding, REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import type { ManualLine } from '../../supply/imports/import-tables.ts';
import { findManualStore } from '../../supply/imports/manual-stores.db.ts';
import { addManualStore, setManualStore } from '../../supply/imports/manual-stores.flow.ts';
import { maybeText } from './field-schemas.ts';
import { findListed } from './operator-lists.db.ts';
import { StoreParams } from './stores.route.ts';

/** Operator endpoints for stores without a feed: added, read and changed as one line of a feed. */

const part = (description: string) =>
  Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true, description }));
const text = (description: string) => Type.String({ maxLength: 2000, description });

/** A bound for hours and fees; a line of a feed may be longer because of its menu. */
export const MAX_LINE_BYTES = 64 * 1024;

const LineSchema = Type.Object({
  name: text('The name that customers see.'),
  type: Type.Enum(['restaurant', 'grocery']),
  address: Type.Object({
    street_addr: text('The house number and street.'),
    street_addr_2: Type.Optional(text('The unit or floor.')),
    city: text('City.'),
    state: text('The state or province, such as `NY`.'),
    zipcode: text('The ZIP or postal code.'),
    country: Type.Enum(['US', 'CA']),
  }),
  latitude: Type.Number({ description: 'The latitude in degrees.' }),
  longitude: Type.Number({ description: 'The longitude in degrees.' }),
  phone: Type.Optional(text('As customers dial it.')),
  description: Type.Optional(text('A description for the store page.')),
  language: Type.Optional(Type.Enum(['en', 'fr', 'es'])),
  hours: part('Like a feed\'s `hours`, such as `{ "operational": "Mo-Su 11:00-21:00" }`.'),
  cuisines: Type.Optional(Type.Array(text('For example, `pizza`.'), { maxItems: 50 })),
  pickup: part('As in a feed: `{ enabled, accepting, prep_minutes }`.'),
  delivery: part('As in a feed: `{ enabled, accepting, party, radius_miles, prep_minutes }` and so on.'),
  fees: part('As in a feed: `delivery_fee`, `service_fee`, `order_minimum`, `sales_tax_percent` and so on.'),
  scheduling: part('As in a feed. Without it, the store takes no scheduled orders.'),
  kitchen: part('As in a feed: `{ orders, items, max_wait_minutes }`. Without it, capacity is unlimited.'),
  photos: part('As in a feed: URLs of `food`, `logo` and `store`.'),
});

const EXAMPLE: Static<typeof LineSchema> = {
  name: 'Corner Noodle House',
  type: 'restaurant',
  address: { street_addr: '12 Canal St', city: 'Chicago', state: 'IL', zipcode: '60606', country: 'US' },
  latitude: 41.8805,
  longitude: -87.6398,
  phone: '+13125550142',
  hours: { operational: 'Mo-Su 11:00-21:00' },
  pickup: { enabled: true, prep_minutes: [15, 25] },
  delivery: { enabled: true, party: 'first', radius_miles: 3, prep_minutes: [15, 25] },
  fees: { order_minimum: 1000, delivery_fee: { delivery_fee_flat: 299 } },
};

const AddedSchema = describedObject('Searchable within two seconds. Takes orders once it has a menu.', {
  store_id: Type.String(),
  merged_into: maybeText('The same business, which search shows instead.'),
});

type Deps = { db: Db; clock: Clock; inventory: Pick<InventoryCache, 'evict'> };

export const addManualStoreOperation = operation({
  endpoint: 'POST /stores',
  summary: 'Add a store without a feed',
  description:
    'The fields are the same as for a store line in a feed. These stores belong to the feed `manual`. A directory record for the same business is merged as usual.',
  example: { body: { ...EXAMPLE, terms: { commission: 15 } } },
  body: Type.Object({ ...LineSchema.properties, terms: Type.Optional(TermsChangesSchema) }),
  answer: AddedSchema,
  bodyLimit: MAX_LINE_BYTES,
  on: { operator: { role: 'admin' } },
}).run(async (deps: Deps, { save, body }) => {
  const { name, terms = {} } = body;
  const agreed = readTerms(terms, 'terms.');
  const { added: storeId } = await save(
    async (tx, at) => {
      const added = await addManualStore(tx, lineOf(body), at);
      const hasTerms = Object.keys(agreed).length > 0;
      return { added, set: hasTerms ? await setStoreTerms(tx, added, agreed, at) : undefined };
    },
    ({ added, set }) => ({
      action: 'store.create',
      target: added,
      details: { name, ...(set && { terms: presentTerms(set) }) },
    }),
  );
  return shown(deps.db, storeId);
});

export const setManualStoreOperation = operation({
  endpoint: 'POST /stores/:store_id/profile',
  refuses: ['not_found'],
  summary: "Replace a manually added store's data",
  description: 'Send the complete line, as returned by `GET`. The menu, the channels and the switches stay unchanged.',
  example: { path: { store_id: '{store_id}' }, body: EXAMPLE },
  params: StoreParams,
  body: LineSchema,
  answer: AddedSchema,
  bodyLimit: MAX_LINE_BYTES,
  on: { operator: { role: 'admin' } },
}).run(async (deps: Deps, { save, params: { store_id: storeId }, body }) => {
  const { db, inventory } = deps;
  await save(
    async (tx, at) => {
      if (!(await setManualStore(tx, storeId, lineOf(body), at))) throw notManual();
    },
    () => ({ action: 'store.set_profile', target: storeId, details: { name: body.name } }),
  );
  inventory.evict(storeId);
  return shown(db, storeId);
});

export const readManualStoreOperation = operation({
  endpoint: 'GET /stores/:store_id/profile',
  refuses: ['not_found'],
  summary: "Get a manually added store's data",
  description: 'Returns 404 `not_found` for a store from a feed or a directory.',
  example: { path: { store_id: '{store_id}' } },
  params: StoreParams,
  answer: Type.Object(LineSchema.properties, { description: 'The saved store.' }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { params }) => {
  const found = await findManualStore(db, params.store_id);
  if (!found) throw notManual();
  return found.line as Static<typeof LineSchema>;
});

/** The described fields of a body: a menu comes by other ways. */
function lineOf(body: Static<typeof LineSchema>): ManualLine {
  const given = Object.entries(body).filter(
    ([name, value]) => Object.hasOwn(LineSchema.properties, name) && value !== null,
  );
  return Object.fromEntries(given);
}

async function shown(db: Db, storeId: string) {
  const found = await findListed(db, storeId);
  return { store_id: storeId, merged_into: found?.mergedInto ?? null };
}

function notManual(): Refusal {
  return new Refusal('not_found', "This store wasn't added manually. Its data comes from its feed or directory.");
}

export const geocodeForOperatorOperation = operation({
  endpoint: 'GET /geocode',
  refuses: REFUSES_ADDRESS,
  summary: 'Geocode an address to add a store there',
  description:
    "Like `GET /utils/geocode`. Without a geocoder, only the addresses, postal codes and cities of stores are found. All operators share one account's limits.",
  example: { query: { address: '60607' } },
  query: Type.Object({ address: addressText('An address on one line.') }),
  answer: describedObject('The matches, best first.', {
    results: Type.Array(
      Type.Object({
        latitude: Type.Number(),
        longitude: Type.Number(),
        address: Type.String({ description: "The geocoder's spelling." }),
        precision: Type.Enum([...PRECISIONS]),
      }),
    ),
  }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ geocoding }: { geocoding: Geocoding }, { query }) => {
  const found = await geocoding.findForOperators(query.address, { in: 'query', name: 'address' });
  return {
    results: found.map(({ latitude, longitude, address, precision }) => ({
      latitude,
      longitude,
      address,
      precision,
    })),
  };
});
