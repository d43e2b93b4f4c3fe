import { splitWords } from 'doorstep/search-engine/text';
import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { type Merchant, refuseLink, sandboxOfMerchant } from '../../access/sessions/merchant.ts';
import {
  component,
  describedObject,
  flag,
  optionalText,
  optionalWhole,
  orNull,
} from '../../platform/http/api-components.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { END_OFF_SALE } from '../../supply/catalog/end-off-sale.job.ts';
import { listOptions } from '../../supply/catalog/options-off.ts';
import { findStoreProduct, listStoreProducts, type StoreProduct } from '../../supply/catalog/store-products.db.ts';
import { itemNotFound, switchItem } from '../../supply/menus/edit-menu.flow.ts';
import type { Switches } from '../../supply/menus/menu-edits.ts';
import { FEED_LIMITS } from '../../supply/stores/feed-fields.ts';
import { tomorrowAt } from '../../supply/stores/open-state.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import type { StoreDeps } from './change-store.flow.ts';
import { CHANGE_ID, changeId, edit } from './menu.route.ts';

/** Store API endpoints that list a store's products and set the availability of products and options. */

/** A product as shown to its store, identified by its feed's ids. */
const MerchantProductSchema = component(
  'MerchantProduct',
  'A product as its store sees it, with its availability and stock.',
  {
    external_id: Type.String({ description: "The product's ID in the feed." }),
    name: Type.String(),
    category: Type.String({ description: "The category's name." }),
    available: Type.Boolean({ description: "Whether it's on sale." }),
    available_at: orNull(
      Type.Integer(),
      "When it automatically returns to sale, in epoch seconds. Null if it doesn't, or if it's on sale.",
    ),
    qty_available: orNull(Type.Integer(), "The units left to sell. Null if stock isn't counted."),
    options: Type.Array(
      Type.Object({
        external_id: Type.String({ description: "The option's ID in the feed, unique within the product." }),
        name: Type.String(),
        customization: Type.String({ description: "The name of the option's customization." }),
        available: Type.Boolean({ description: "Whether it's on sale." }),
      }),
      { description: 'All options. Nested options follow the option that they belong to.' },
    ),
  },
);
export type MerchantProduct = Static<typeof MerchantProductSchema>;

function presentMerchantProduct(product: StoreProduct): MerchantProduct {
  const options = listOptions(product.customizations, new Set(product.optionsOff));
  return {
    external_id: product.externalId,
    name: product.name,
    category: product.category,
    available: product.available,
    available_at: product.availableAt && epochSeconds(product.availableAt),
    qty_available: product.qtyAvailable,
    options: options.map(({ id, ...option }) => ({ external_id: id, ...option })),
  };
}

const SwitchedSchema = describedObject("The product's current state.", {
  ...MerchantProductSchema.properties,
  change_id: CHANGE_ID,
});

/** Maximum products and options per page, which ends at either, because a product may have 20,000 options. */
const PAGE_LIMITS = { maxProducts: 50, maxOptions: 2000 };
const MAX_PRODUCT_NO = 2 ** 31 - 1;

type SwitchDeps = StoreDeps & { jobs: Jobs };
const SWITCH = {
  answer: SwitchedSchema,
  on: { store: { refuses: ['product_not_found', 'live_only'] } },
} as const;
const idOf = (description: string) => Type.String({ maxLength: FEED_LIMITS.idCharacters, description });

/** The availability of menu items. */
export const PRODUCT_OPERATIONS = [
  operation({
    name: 'listStoreProducts',
    endpoint: 'GET /products',
    summary: "List the store's products and their availability",
    description:
      'Lists up to 50 products per page. A page ends early after the product whose options exceed 2,000. Send `next_after` as `after` to get the next page.',
    example: { query: { query: 'pancakes' } },
    query: Type.Object({
      query: optionalText(200, 'Words from the name. The last word may be incomplete.'),
      off_sale: flag('`true`: returns only products that are off sale, sold out, or have an option off sale.'),
      after: optionalWhole(0, MAX_PRODUCT_NO, "The previous page's `next_after`."),
    }),
    answer: describedObject('A page of products, in the order that the feed first listed them.', {
      products: Type.Array(MerchantProductSchema),
      next_after: orNull(Type.Integer(), 'null on the last page.'),
    }),
    on: { store: { admit: refuseLink, refuses: ['live_only'] } },
  }).run(async ({ db }: SwitchDeps, { by: { merchant }, query }) => {
    const filter = {
      sandbox: sandboxOfMerchant(merchant),
      words: splitWords(query.query ?? ''),
      offSale: query.off_sale ?? false,
      afterNo: query.after ?? 0,
    };
    const { products, isLast } = await listStoreProducts(db, merchant.storeId, filter, PAGE_LIMITS);
    const last = products.at(-1);
    return {
      products: products.map(presentMerchantProduct),
      next_after: isLast || last === undefined ? null : last.productNo,
    };
  }),
  operation({
    ...SWITCH,
    name: 'setStoreProduct',
    endpoint: 'PATCH /products/:external_id',
    summary: "Set a product's availability or stock",
    description:
      'Send at least one field. Omitted fields stay unchanged. A value applies until the store changes it, or until an import provides a value that differs from its previous one.',
    example: { body: { available: true, qty_available: 12 } },
    params: Type.Object({ external_id: idOf("The product's ID in the feed.") }),
    body: Type.Object({
      available: flag("Whether it's on sale."),
      until: Type.Optional(
        Type.Enum(['tomorrow'], {
          description:
            "With `available: false`: the product automatically returns to sale at the store's first opening after 4:00 AM in its time zone.",
        }),
      ),
      qty_available: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 0,
          maximum: FEED_LIMITS.quantity,
          description: 'The units left to sell, excluding open orders. `null` stops counting stock.',
          examples: [12],
        }),
      ),
    }),
  }).run(async (deps: SwitchDeps, { by: { merchant }, params, body }) => {
    const { available, until, qty_available: qtyAvailable } = body;
    if (available === undefined && qtyAvailable === undefined) {
      throw invalidField('body', 'available', 'is required, or qty_available');
    }
    if (until !== undefined && available !== false) {
      throw invalidField('body', 'until', 'goes with available: false');
    }
    const availableAt = until && (await readTomorrow(deps, merchant));
    return setSwitches(deps, merchant, params.external_id, {
      ...(available === undefined ? {} : { available, availableAtS: availableAt ? epochSeconds(availableAt) : null }),
      ...(qtyAvailable === undefined ? {} : { qtyAvailable }),
    });
  }),
  operation({
    ...SWITCH,
    name: 'setStoreOption',
    endpoint: 'PATCH /options/:product_external_id/:option_external_id',
    summary: "Set an option's availability",
    description:
      'An option that is off sale disappears from the menu together with its nested options. It stays off sale through imports, until the store turns it on.',
    example: {
      path: { product_external_id: 'buttermilk-pancakes', option_external_id: 'blueberries' },
      body: { available: false },
    },
    params: Type.Object({
      product_external_id: idOf("The product's ID in the feed."),
      option_external_id: idOf("The option's ID in the feed, at any nesting depth."),
    }),
    body: Type.Object({ available: Type.Boolean({ description: "Whether it's on sale." }) }),
  }).run((deps: SwitchDeps, { by, params, body: { available } }) =>
    setSwitches(deps, by.merchant, params.product_external_id, { options: { [params.option_external_id]: available } }),
  ),
];

async function readTomorrow({ db, clock }: StoreDeps, { storeId }: Merchant): Promise<Temporal.Instant> {
  const store = await findStore(db, storeId);
  if (!store) throw itemNotFound();
  return tomorrowAt(store, clock.now());
}

/** Sets the availability and stock of a product and records them in the history of its menu. */
async function setSwitches(deps: SwitchDeps, merchant: Merchant, itemId: string, set: Switches) {
  const outcome = await edit(deps, merchant, async (context, tx) => {
    const switched = await switchItem(tx, context, { itemId, set });
    const startAfter = set.availableAtS && instantOfEpochSeconds(set.availableAtS);
    const product = { storeId: merchant.storeId, externalId: itemId };
    if (startAfter) await deps.jobs.enqueue(tx, END_OFF_SALE, product, { startAfter });
    return switched;
  });
  const product = await findStoreProduct(deps.db, merchant.storeId, itemId);
  if (!product) throw itemNotFound();
  return { ...presentMerchantProduct(product), change_id: changeId(outcome) };
}
