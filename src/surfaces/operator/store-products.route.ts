import { present } from 'doorstep/collections';
import { splitWords } from 'doorstep/search-engine/text';
import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, optionalText, optionalWhole, orNull } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { findStoreProduct, listStoreProducts } from '../../supply/catalog/store-products.db.ts';
import { switchItem } from '../../supply/menus/edit-menu.flow.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { StoreParams, storeNotFound } from './stores.route.ts';

/** A store's products, with those on sale and each one's remaining stock. */

const MAX_STOCK = 2_147_483_647;
const SWITCHES = {
  available: Type.Boolean({ description: 'Whether the product can be ordered.' }),
  qty_available: orNull(
    Type.Integer({ minimum: 0, maximum: MAX_STOCK }),
    "The number of units in stock. Null if they aren't counted.",
  ),
};
const ProductSchema = component('OperatorProduct', "A store's product, with its ID in the feed.", {
  store_id: Type.String(),
  external_id: Type.String(),
  name: Type.String(),
  ...SWITCHES,
});

/** A page ends with the product whose options pass their limit. */
const PAGE_LIMITS = { maxProducts: 200, maxOptions: 20_000 };

export const listAnyProductsOperation = operation({
  endpoint: 'GET /stores/:store_id/products',
  refuses: ['store_not_found'],
  summary: "List a store's products and their availability",
  description: "Up to 200 per page. `next` is the next page's `after`.",
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  query: Type.Object({
    query: optionalText(200, 'Words from the name.'),
    after: optionalWhole(0, MAX_STOCK, "The previous page's `next`."),
  }),
  answer: describedObject('In the order they were added.', {
    products: Type.Array(ProductSchema),
    next: Type.Union([Type.Integer(), Type.Null()]),
  }),
  on: { operator: { command: 'products list <store_id>', role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { params: { store_id: storeId }, query: { query = '', after: afterNo = 0 } }) => {
  if (!(await findStore(db, storeId))) throw storeNotFound();
  const filter = { sandbox: null, words: splitWords(query), offSale: false, afterNo };
  const { products, isLast } = await listStoreProducts(db, storeId, filter, PAGE_LIMITS);
  const last = products.at(-1);
  return {
    products: products.map(({ externalId, name, available, qtyAvailable }) => ({
      store_id: storeId,
      external_id: externalId,
      name,
      available,
      qty_available: qtyAvailable,
    })),
    next: isLast || !last ? null : last.productNo,
  };
});

export const setAnyProductOperation = operation({
  endpoint: 'POST /stores/:store_id/products',
  refuses: ['store_not_found', 'product_not_found'],
  summary: "Set a product's availability or stock",
  description: "The change is made in the store's name and listed in its menu, too.",
  example: { path: { store_id: EXAMPLE_STORE_ID }, body: { external_id: '{external_id}', available: true } },
  params: StoreParams,
  body: Type.Object({
    external_id: Type.String({ minLength: 1, maxLength: 1000, description: "The product's ID in its feed." }),
    available: Type.Optional(SWITCHES.available),
    qty_available: Type.Optional(SWITCHES.qty_available),
  }),
  answer: ProductSchema,
  on: { operator: { command: 'products set <store_id> <external_id>', role: 'admin' } },
}).run(async (_needs: object, { by: { session }, save, params: { store_id: storeId }, body }) => {
  const { external_id: externalId, available, qty_available: qtyAvailable } = body;
  if (available === undefined && qtyAvailable === undefined) {
    throw invalidField('body', 'body', 'must set available or qty_available');
  }
  const product = await save(
    async (tx, at) => {
      if (!(await findStore(tx, storeId))) throw storeNotFound();
      const find = () => findStoreProduct(tx, storeId, externalId);
      if (!(await find())) throw noSuchProduct(storeId, externalId);
      const context = { storeId, actor: { source: 'operator', id: session.operatorId }, at } as const;
      const set = present({ available, qtyAvailable });
      await switchItem(tx, context, { itemId: externalId, set });
      const now = await find();
      if (!now) throw noSuchProduct(storeId, externalId);
      return now;
    },
    () => ({
      action: 'store.set_product',
      target: storeId,
      details: { external_id: externalId, available, qty_available: qtyAvailable },
    }),
  );
  const { name, available: isOnSale, qtyAvailable: left } = product;
  return { store_id: storeId, external_id: externalId, name, available: isOnSale, qty_available: left };
});

const noSuchProduct = (storeId: string, externalId: string) =>
  new Refusal('product_not_found', `Store ${storeId} has no product ${externalId}.`);
