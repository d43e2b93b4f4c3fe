import { type Static, Type } from 'typebox';
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
import { procedure } from './procedure.ts';
import { StoreParams } from './stores.route.ts';

/** Operator endpoints for stores without a feed: added, read and changed as one line of a feed. */

const part = (description: string) =>
  Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true, description }));
const text = (description: string) => Type.String({ maxLength: 2000, description });

/** A bound for hours and fees; a line of a feed may be longer because of its menu. */
export const MAX_LINE_BYTES = 64 * 1024;

const LineSchema = Type.Object({
  name: text('What customers call it.'),
  type: Type.Enum(['restaurant', 'grocery']),
  address: Type.Object({
    street_addr: text('Number and street.'),
    street_addr_2: Type.Optional(text('Unit or floor.')),
    city: text('City.'),
    state: text('State or province, such as `NY`.'),
    zipcode: text('ZIP or postal code.'),
    country: Type.Enum(['US', 'CA']),
  }),
  latitude: Type.Number({ description: 'Degrees north.' }),
  longitude: Type.Number({ description: 'Degrees east.' }),
  phone: Type.Optional(text('As customers dial it.')),
  description: Type.Optional(text('For the store page.')),
  language: Type.Optional(Type.Enum(['en', 'fr', 'es'])),
  hours: part('As `hours` of a feed, such as `{ "operational": "Mo-Su 11:00-21:00" }`.'),
  cuisines: Type.Optional(Type.Array(text('Such as `pizza`.'), { maxItems: 50 })),
  pickup: part('As in a feed: `{ enabled, accepting, prep_minutes }`.'),
  delivery: part('As in a feed: `{ enabled, accepting, party, radius_miles, prep_minutes }` and so on.'),
  fees: part('As in a feed: `delivery_fee`, `service_fee`, `order_minimum`, `sales_tax_percent` and so on.'),
  scheduling: part('As in a feed; without it the store takes no orders for later.'),
  kitchen: part('As in a feed: `{ orders, items, max_wait_minutes }`; without it nothing limits the kitchen.'),
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

const AddedSchema = describedObject('Search finds the store within two seconds. It takes orders once it has a menu.', {
  store_id: Type.String(),
  merged_into: maybeText('The store that search shows in its place, where both are one business.'),
});

type Deps = { db: Db; clock: Clock; inventory: Pick<InventoryCache, 'evict'> };

export const addManualStoreProcedure = procedure({
  endpoint: 'POST /operator/stores',
  role: 'admin',
  summary: 'Add a store that has no feed',
  description:
    'The members are those of a store line of a feed. The feed of such stores is `manual`; a record of the same business from a directory is merged as usual. The change is recorded.',
  example: { body: { ...EXAMPLE, terms: { commission: 15 } } },
  body: Type.Object({ ...LineSchema.properties, terms: Type.Optional(TermsChangesSchema) }),
  answer: AddedSchema,
  bodyLimit: MAX_LINE_BYTES,
  async run(deps: Deps, request) {
    const { name, terms = {} } = request.body;
    const agreed = readTerms(terms, 'terms.');
    const { added: storeId } = await request.record(
      async (tx, at) => {
        const added = await addManualStore(tx, lineOf(request.body), at);
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
  },
});

export const setManualStoreProcedure = procedure({
  endpoint: 'POST /operator/stores/:store_id/profile',
  role: 'admin',
  refuses: ['not_found'],
  summary: 'Replace what was entered of a store without a feed',
  description:
    'The whole line, as `GET` returns it. The menu, the channels and the switches stay. The change is recorded.',
  example: { path: { store_id: '{store_id}' }, body: EXAMPLE },
  params: StoreParams,
  body: LineSchema,
  answer: AddedSchema,
  bodyLimit: MAX_LINE_BYTES,
  async run(deps: Deps, { record, params: { store_id: storeId }, body }) {
    const { db, inventory } = deps;

    await record(
      async (tx, at) => {
        if (!(await setManualStore(tx, storeId, lineOf(body), at))) throw notManual();
      },
      () => ({ action: 'store.set_profile', target: storeId, details: { name: body.name } }),
    );
    inventory.evict(storeId);
    return shown(db, storeId);
  },
});

export const readManualStoreProcedure = procedure({
  endpoint: 'GET /operator/stores/:store_id/profile',
  role: 'viewer',
  refuses: ['not_found'],
  summary: 'What was entered of a store without a feed',
  description: '404 `not_found` for a store of a feed or a directory.',
  example: { path: { store_id: '{store_id}' } },
  params: StoreParams,
  answer: Type.Object(LineSchema.properties, { description: 'The store as it was saved.' }),
  async run({ db }: { db: Db }, { params }) {
    const found = await findManualStore(db, params.store_id);
    if (!found) throw notManual();
    return found.line as Static<typeof LineSchema>;
  },
});

/** The described members of a body: a menu comes by other ways. */
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
  return new Refusal('not_found', 'This store was not added by hand: its feed or directory says what it is.');
}

export const geocodeForOperatorProcedure = procedure({
  endpoint: 'GET /operator/geocode',
  role: 'viewer',
  refuses: REFUSES_ADDRESS,
  summary: 'Find the coordinate of an address, to add a store there',
  description:
    'As `GET /utils/geocode`; a service without a geocoder knows the addresses, postal codes and cities of its stores. Look-ups of all operators count as those of one account.',
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
  async run({ geocoding }: { geocoding: Geocoding }, { query }) {
    const found = await geocoding.findForOperators(query.address, { in: 'query', name: 'address' });
    return {
      results: found.map(({ latitude, longitude, address, precision }) => ({
        latitude,
        longitude,
        address,
        precision,
      })),
    };
  },
});
