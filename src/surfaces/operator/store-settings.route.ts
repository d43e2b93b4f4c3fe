import { present } from 'doorstep/collections';
import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { OperatorAction, RecordChange } from '../../access/sessions/actions.db.ts';
import { findStoreCourier, setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { setPreparation } from '../../ordering/order/set-preparation.flow.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import {
  component,
  describedObject,
  flag,
  optionalText,
  optionalWhole,
  orNull,
} from '../../platform/http/api-components.ts';
import { cutPage, NEXT } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField, invalidRequest } from '../../platform/http/request-schema.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import { isLabelPattern, MAX_LABEL_PATTERNS } from '../../supply/catalog/scale-label.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { isExceptionDate } from '../../supply/stores/hours.ts';
import { KITCHEN_LIMITS, PREPARATIONS, preparationSetting } from '../../supply/stores/kitchen.ts';
import {
  findAgreement,
  findStorePreferences,
  type StorePreferences,
  type StoreSwitches,
  updateStorePreferences,
} from '../../supply/stores/set-store.db.ts';
import { setAgreement, setDelisting, setStore } from '../../supply/stores/set-store.flow.ts';
import { countOrigins, findListedStore, findStore, listStoresAfter } from '../../supply/stores/stores.db.ts';
import { TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import { maybeText, showRow } from './field-schemas.ts';
import { isUnreachedOffer } from './health.db.ts';
import { DELIVERY_FIELDS, presentDelivery, StoreParams, storeNotFound } from './stores.route.ts';

/** Stores as their feeds list them, and the settings of one: switches, language, courier, and whether it may be sold. */

const LISTED = {
  store_id: Type.String(),
  external_id: Type.String({ description: "The store's ID in its feed." }),
  name: Type.String(),
  source: Type.String({ description: "The store's feed." }),
  listed: Type.Boolean({ description: 'Whether the feed still lists the store.' }),
  merged_into: maybeText('The store that search shows instead.'),
  delist_reason: maybeText("Why an operator delisted it. Null if it isn't delisted."),
};
const SWITCHES = {
  online_ordering: Type.Boolean({ description: 'Whether the store takes orders.' }),
  accept_delivery: DELIVERY_FIELDS.accept_delivery,
  accept_pickup: DELIVERY_FIELDS.accept_pickup,
  markup: Type.Boolean({ description: 'Whether carts can be priced above its prices.' }),
};
const AGREEMENT = {
  signed_on: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'When the store agreed.' }),
  by: Type.String({ minLength: 1, maxLength: 200, description: 'Who signed for the store.' }),
  reference: orNull(Type.String({ maxLength: 200 }), 'Where the agreement is filed.'),
};
const perQuarter = (what: string) =>
  Type.Integer({
    minimum: 0,
    maximum: KITCHEN_LIMITS.perQuarter,
    description: `The kitchen capacity in ${what} per 15-minute window. 0 means no limit.`,
  });
export const MAX_DRIVER_PAY_CENTS = 100_000;
const SETTINGS = {
  language: Type.Enum([...LANGUAGES], { description: 'Used in the console, tickets, emails and text messages.' }),
  courier: Type.String({
    pattern: '^[a-z_]{1,40}$',
    description: 'The courier company for its live orders. `none` means its own drivers.',
  }),
  tax_class: Type.Enum([...TAX_CLASSES], { description: 'The tax category for products whose menu lists none.' }),
  tax_ids: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
    maxItems: 8,
    description: 'Tax registration numbers, shown on receipts and statements if the store remits the taxes.',
  }),
  scale_label: Type.Array(Type.String({ minLength: 1, maxLength: 14 }), {
    maxItems: MAX_LABEL_PATTERNS,
    description: "The price-embedded barcodes' patterns, such as `21IIIIIWWWWWC`. Empty for common ones.",
  }),
  driver_pay_cents: Type.Integer({
    minimum: 0,
    maximum: MAX_DRIVER_PAY_CENTS,
    description: "The store's pay per delivery for its own drivers in cents, shown on the driver's page. 0 hides it.",
  }),
  store_refunds: Type.String({
    pattern: '^(off|on|[0-9]{1,6}([.][0-9]{2})?)$',
    description: 'The daily refund limit for the store: `off`, `on` for no limit, or an amount such as 200.00.',
  }),
  kitchen_orders: perQuarter('orders'),
  kitchen_items: perQuarter('items'),
  prep: Type.Enum([...PREPARATIONS], {
    description: 'The prep times in its quotes: `stated`, or `auto` for prep-time estimates from its orders.',
  }),
};

const SettingsSchema = component(
  'OperatorStoreSettings',
  "A store's switches, language, courier, tax category and agreement, and its delivery providers.",
  {
    ...LISTED,
    type: Type.String(),
    ...SETTINGS,
    online_ordering: SWITCHES.online_ordering,
    markup: SWITCHES.markup,
    agreement: orNull(Type.Object(AGREEMENT), 'Null if none is recorded.'),
    ...DELIVERY_FIELDS,
  },
);

const MAX_STORES = 1000;

export const listFeedStoresOperation = operation({
  endpoint: 'GET /stores/listed',
  refuses: ['not_found'],
  summary: 'List stores by feed and feed ID',
  description: 'Includes merged stores and stores removed from their feed.',
  query: Type.Object({
    source: optionalText(200, "Returns only this feed's stores."),
    search: optionalText(200, 'Returns only stores whose name contains this text.'),
    unreached: flag('Returns only stores with a menu and no channel for orders.'),
    after: optionalText(64, "The previous page's `next`."),
    limit: optionalWhole(1, MAX_STORES, 'Stores per page. Defaults to 50.'),
  }),
  answer: Type.Object({ stores: Type.Array(Type.Object(LISTED)), next: NEXT }, { description: 'By feed and ID.' }),
  on: { operator: { command: 'stores list', role: 'viewer' } },
}).run(async ({ db, clock }: { db: Db; clock: Clock }, { query: { source, search, unreached, after, limit = 50 } }) => {
  const last = after === undefined ? undefined : await findListedStore(db, after);
  if (after !== undefined && !last) {
    throw invalidField('query', 'after', 'must be the `next` of a page');
  }
  const rows = await listStoresAfter(db, last, {
    source,
    search,
    where: unreached ? isUnreachedOffer(clock.now()) : undefined,
    limit: limit + 1,
  });
  if (source !== undefined && rows.length === 0 && last === undefined && search === undefined && !unreached) {
    throw new Refusal('not_found', `No feed named ${source} contains stores.`);
  }
  const { page, next } = cutPage(rows, limit, ({ storeId }) => storeId);
  return { stores: page.map(showRow), next };
});

export const countOriginsOperation = operation({
  endpoint: 'GET /stores/origins',
  summary: 'List data sources of stores in search, for attribution',
  description: "Lists open directories' datasets and licenses. A store with data from several is counted for each.",
  answer: describedObject('Sorted by descending number of stores.', {
    origins: Type.Array(
      Type.Object({ dataset: Type.String(), license: maybeText('Null if none is stated.'), stores: Type.Integer() }),
    ),
  }),
  on: { operator: { command: 'stores origins', role: 'viewer' } },
}).run(async ({ db }: { db: Db }) => ({ origins: await countOrigins(db) }));

export const readStoreSettingsOperation = operation({
  endpoint: 'GET /stores/:store_id/settings',
  refuses: ['store_not_found'],
  summary: "Get a store's switches, language and courier",
  description: 'Returns the same data as `doorstep stores show`.',
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  answer: SettingsSchema,
  on: { operator: { command: 'stores show <store_id>', role: 'viewer' } },
}).run(({ db }: { db: Db }, { params }) => readSettings(db, params.store_id));

type SettingsNeeds = {
  db: Db;
  clock: Clock;
  /** Names of the companies that a store may choose. */
  courierCompanies: readonly string[];
  inventory: Pick<InventoryCache, 'evict'>;
};

export const setStoreSwitchesOperation = operation({
  endpoint: 'POST /stores/:store_id/switches',
  refuses: ['store_not_found'],
  summary: "Update a store's settings",
  description:
    'Sets switches, language, courier, tax category and numbers, labels, driver pay, refunds and kitchen. Omitted fields stay unchanged. Store search follows within two seconds. A new courier applies to orders confirmed from then on, and a new tax category to orders placed from then on.',
  example: { path: { store_id: EXAMPLE_STORE_ID }, body: { accept_pickup: true } },
  params: StoreParams,
  body: Type.Partial(Type.Object({ ...SWITCHES, ...SETTINGS })),
  answer: SettingsSchema,
  on: { operator: { command: 'stores set <store_id>', many: true, role: 'admin' } },
}).run(async (needs: SettingsNeeds, { save, params, body }) => {
  const { store_id: storeId } = params;
  const { courier, store_refunds, prep, scale_label } = body;
  if (Object.keys(body).length === 0) {
    throw invalidRequest([
      {
        in: 'body',
        name: 'body',
        message:
          'must set a switch, the language, the courier, the tax class, tax numbers, labels, the driver pay, refunds or the kitchen',
      },
    ]);
  }
  if (courier !== undefined && courier !== 'none' && !needs.courierCompanies.includes(courier)) {
    throw invalidField('body', 'courier', `must be none or one of ${needs.courierCompanies.join(', ')}`);
  }
  const wrong = scale_label?.findIndex((pattern) => !isLabelPattern(pattern)) ?? -1;
  if (wrong !== -1) {
    const message = 'must be a pattern of 8 to 14 letters I, W or P, V and digits, with C at its end';
    throw invalidField('body', `scale_label[${wrong}]`, message);
  }
  const switches: StoreSwitches = present({
    onlineOrdering: body.online_ordering,
    acceptDelivery: body.accept_delivery,
    acceptPickup: body.accept_pickup,
    allowsMarkup: body.markup,
    taxClass: body.tax_class,
    kitchen: present({ orders: body.kitchen_orders, items: body.kitchen_items }),
  });
  const preferences: Partial<StorePreferences> = present({
    language: body.language,
    taxIds: body.tax_ids,
    scaleLabels: scale_label?.length === 0 ? null : scale_label,
    driverPayCents: body.driver_pay_cents,
    refundLimitCents: store_refunds === undefined ? undefined : refundLimitOf(store_refunds),
  });
  await save(
    async (tx, at) => {
      if (!(await setStore(tx, storeId, switches, at))) throw storeNotFound();
      if (Object.keys(preferences).length > 0) await updateStorePreferences(tx, storeId, preferences);
      if (prep !== undefined) await setPreparation(tx, storeId, prep, at);
      if (courier !== undefined) await setStoreCourier(tx, storeId, courier === 'none' ? undefined : courier, at);
    },
    () => ({ action: 'store.set_switches', target: storeId, details: body }),
  );
  needs.inventory.evict(storeId);
  return readSettings(needs.db, storeId);
});

const refundLimitOf = (given: string) =>
  given === 'on' ? null : given === 'off' ? 0 : Math.round(Number(given) * 100);

type SaleNeeds = Omit<SettingsNeeds, 'courierCompanies'>;
type SaleChange = {
  action: OperatorAction;
  details: Readonly<Record<string, unknown>>;
  change(tx: Sql, storeId: string, at: Temporal.Instant): Promise<unknown>;
};

/** Changes a store, or the one that search shows in its place. */
async function changeSale(needs: SaleNeeds, record: RecordChange, storeId: string, { change, ...done }: SaleChange) {
  const write = async (tx: Sql, at: Temporal.Instant) => {
    const store = await findListedStore(tx, storeId);
    if (!store) throw storeNotFound();
    const target = store.mergedInto ?? storeId;
    await change(tx, target, at);
    return target;
  };
  const target = await record(write, (changed) => ({ ...done, target: changed }));
  needs.inventory.evict(target);
  return readSettings(needs.db, target);
}

export const setStoreAgreementOperation = operation({
  endpoint: 'POST /stores/:store_id/agreement',
  refuses: ['store_not_found'],
  summary: "Record a store's agreement to be listed for sale",
  description: 'Replaces the agreement in its feed. `REQUIRE_AGREEMENT=true` requires one for live orders.',
  example: { path: { store_id: EXAMPLE_STORE_ID }, body: { signed_on: '2026-11-01', by: 'Lee Chen' } },
  params: StoreParams,
  body: Type.Object({ ...AGREEMENT, reference: Type.Optional(AGREEMENT.reference) }),
  answer: SettingsSchema,
  on: { operator: { command: 'stores agreement <store_id>', role: 'admin' } },
}).run(async (needs: SaleNeeds, { save, params, body: { signed_on: signedOn, by, reference = null } }) => {
  if (!isExceptionDate(signedOn)) {
    throw invalidField('body', 'signed_on', 'must be a date such as 2026-11-01');
  }
  return changeSale(needs, save, params.store_id, {
    action: 'store.set_agreement',
    details: { signed_on: signedOn, by, reference },
    change: (tx, storeId, at) => setAgreement(tx, storeId, { signedOn, by, reference }, at),
  });
});

export const delistStoreOperation = operation({
  endpoint: 'POST /stores/:store_id/delist',
  refuses: ['store_not_found'],
  summary: 'Delist a store from search and sale',
  description:
    'Takes effect immediately, even if feeds still list the store. Its records, orders and statements are kept.',
  example: { path: { store_id: EXAMPLE_STORE_ID }, body: { reason: 'The owner asked.' } },
  params: StoreParams,
  body: Type.Object({
    reason: Type.String({ minLength: 1, maxLength: 500, description: 'The reason, for the history.' }),
  }),
  answer: SettingsSchema,
  on: { operator: { command: 'stores delist <store_id>', role: 'admin' } },
}).run((needs: SaleNeeds, { save, params, body: { reason } }) =>
  changeSale(needs, save, params.store_id, {
    action: 'store.delist',
    details: { reason },
    change: (tx, storeId, at) => setDelisting(tx, storeId, reason, at),
  }),
);

export const relistStoreOperation = operation({
  endpoint: 'POST /stores/:store_id/relist',
  refuses: ['store_not_found'],
  summary: 'Undo a delisting',
  description: 'The store returns to search and sale once a feed lists it.',
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  answer: SettingsSchema,
  on: { operator: { command: 'stores relist <store_id>', role: 'admin' } },
}).run((needs: SaleNeeds, { save, params }) =>
  changeSale(needs, save, params.store_id, {
    action: 'store.relist',
    details: {},
    change: (tx, storeId, at) => setDelisting(tx, storeId, null, at),
  }),
);

async function readSettings(sql: Sql, storeId: string) {
  const [store, listed, agreement, preferences] = await Promise.all([
    findStore(sql, storeId),
    findListedStore(sql, storeId),
    findAgreement(sql, storeId),
    findStorePreferences(sql, storeId),
  ]);
  if (!store || !listed) throw storeNotFound();
  const { refundLimitCents: limit } = preferences;
  return {
    ...showRow(listed),
    type: store.type,
    language: preferences.language,
    courier: (await findStoreCourier(sql, storeId)) ?? 'none',
    tax_class: store.taxClass,
    tax_ids: preferences.taxIds,
    scale_label: preferences.scaleLabels ?? [],
    driver_pay_cents: preferences.driverPayCents,
    store_refunds: limit === null ? 'on' : limit === 0 ? 'off' : (limit / 100).toFixed(2),
    kitchen_orders: store.kitchen?.orders ?? 0,
    kitchen_items: store.kitchen?.items ?? 0,
    prep: preparationSetting(store),
    online_ordering: store.onlineOrdering,
    markup: store.allowsMarkup,
    agreement: agreement && showRow(agreement),
    ...presentDelivery(store),
  };
}
