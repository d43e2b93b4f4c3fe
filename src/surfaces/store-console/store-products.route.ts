import { splitWords } from 'doorstep/search-engine/text';
import { type Static, Type } from 'typebox';
import { type Merchant, refuseLink, sandboxOfMerchant } from '../../access/sessions/merchant.ts';
import {
  component,
  describedObject,
  flag,
  optionalText,
  optionalWhole,
  orNull,
} from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
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

/** A product as shown to its store, identified by the ids of its feed. */
const MerchantProductSchema = component(
  'MerchantProduct',
  'A product as its store sees it: whether it and its options are on sale, and its stock.',
  {
    external_id: Type.String({ description: 'The id that the feed gives the product.' }),
    name: Type.String(),
    category: Type.String({ description: 'Name of its category.' }),
    available: Type.Boolean({ description: 'Whether it is on sale.' }),
    available_at: orNull(
      Type.Integer(),
      'Epoch seconds at which it goes on sale again by itself; null: not by itself, or it is on sale.',
    ),
    qty_available: orNull(Type.Integer(), 'Units that may still be sold; null where the stock is not counted.'),
    options: Type.Array(
      Type.Object({
        external_id: Type.String({ description: 'The id that the feed gives the option; unique within the product.' }),
        name: Type.String(),
        customization: Type.String({ description: 'Name of the customization that the option belongs to.' }),
        available: Type.Boolean({ description: 'Whether it is on sale.' }),
      }),
      { description: 'All options, nested ones after the option that they open with.' },
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

const SwitchedSchema = describedObject('The product as it is now.', {
  ...MerchantProductSchema.properties,
  change_id: CHANGE_ID,
});

/** Maximum products and options per page, which ends at either, because a product may have 20,000 options. */
const PAGE_LIMITS = { maxProducts: 50, maxOptions: 2000 };
const MAX_PRODUCT_NO = 2 ** 31 - 1;

const listSchema = {
  operationId: 'listStoreProducts',
  summary: 'The products of the store, with what is on sale',
  description:
    'At most 50 products a page; a page ends early with the product whose options pass 2,000. Send `next_after` as `after` for the next page.',
  example: { query: { query: 'pancakes' } },
  querystring: Type.Object({
    query: optionalText(200, 'Words of the name; the last one may be a beginning.'),
    off_sale: flag('`true`: only products that are off sale, sold out, or have an option off sale.'),
    after: optionalWhole(0, MAX_PRODUCT_NO, '`next_after` of the page before.'),
  }),
  response: {
    200: describedObject('A page of products, in the sequence in which the feed first named them.', {
      products: Type.Array(MerchantProductSchema),
      next_after: orNull(Type.Integer(), 'null on the last page.'),
    }),
  },
};
const listConfig = { audience: 'store', refuses: ['live_only'] } as const;

function listProductsRoute(http: Http, { db }: Pick<StoreDeps, 'db'>): void {
  http.get('/store/products', { schema: listSchema, config: listConfig }, async ({ merchant, query }) => {
    refuseLink(merchant);
    const sandbox = sandboxOfMerchant(merchant);
    const filter = {
      sandbox,
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
  });
}

const productSchema = {
  operationId: 'setStoreProduct',
  summary: 'Take a product off or on sale, or set its stock',
  description:
    'A field that is left out stays as it is; one of them must be there. A value stays until the store changes it, or an import brings a value that differs from the one it brought before.',
  example: { body: { available: true, qty_available: 12 } },
  params: Type.Object({
    external_id: Type.String({
      maxLength: FEED_LIMITS.idCharacters,
      description: 'The id that the feed gives the product.',
    }),
  }),
  body: Type.Object({
    available: flag('Whether it is on sale.'),
    until: Type.Optional(
      Type.Enum(['tomorrow'], {
        description:
          "With `available: false`: it goes on sale again by itself at the store's first opening after 4:00 AM of its clock.",
      }),
    ),
    qty_available: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: FEED_LIMITS.quantity,
        description: 'Units that may still be sold, those of open orders not counted; `null` counts no stock.',
        examples: [12],
      }),
    ),
  }),
  response: { 200: SwitchedSchema },
};
type SwitchDeps = StoreDeps & { jobs: Jobs };
const switchConfig = { audience: 'store', refuses: ['product_not_found', 'live_only'] } as const;

function setProductRoute(http: Http, deps: SwitchDeps): void {
  http.patch(
    '/store/products/:external_id',
    { schema: productSchema, config: switchConfig },
    async ({ merchant, params, body }) => {
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
    },
  );
}

async function readTomorrow({ db, clock }: StoreDeps, { storeId }: Merchant): Promise<Temporal.Instant> {
  const store = await findStore(db, storeId);
  if (!store) throw itemNotFound();
  return tomorrowAt(store, clock.now());
}

/** Sets what a store sells of a product and records it in the history of its menu. */
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

const idOf = (description: string) => Type.String({ maxLength: FEED_LIMITS.idCharacters, description });

const optionSchema = {
  operationId: 'setStoreOption',
  summary: 'Take an option of a product off or on sale',
  description:
    'An option that is off sale is left out of the menu with all that opens with it, and stays off through imports until the store sets it on.',
  example: {
    path: { product_external_id: 'buttermilk-pancakes', option_external_id: 'blueberries' },
    body: { available: false },
  },
  params: Type.Object({
    product_external_id: idOf('The id that the feed gives the product.'),
    option_external_id: idOf('The id that the feed gives the option, at any depth of nesting.'),
  }),
  body: Type.Object({ available: Type.Boolean({ description: 'Whether it is on sale.' }) }),
  response: { 200: SwitchedSchema },
};

function setOptionRoute(http: Http, deps: SwitchDeps): void {
  const url = '/store/options/:product_external_id/:option_external_id';
  http.patch(url, { schema: optionSchema, config: switchConfig }, async ({ merchant, params, body }) => {
    const { product_external_id: productExternalId, option_external_id: optionExternalId } = params;
    return setSwitches(deps, merchant, productExternalId, { options: { [optionExternalId]: body.available } });
  });
}

/** What of the menu is on sale. */
export const PRODUCT_ROUTES = [listProductsRoute, setProductRoute, setOptionRoute];
