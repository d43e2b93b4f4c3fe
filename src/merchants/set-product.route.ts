import { Type } from 'typebox';
import { setProduct } from '../catalog/set-product.flow.ts';
import { findStoreProduct } from '../catalog/store-products.db.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import { FEED_LIMITS } from '../imports/feed/feed-fields.ts';
import { changeStore, type StoreDeps } from './change-store.flow.ts';
import { MerchantProductSchema, presentMerchantProduct } from './merchant-product.ts';

const schema = {
  operationId: 'setStoreProduct',
  tags: ['Store'],
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
    available: Type.Optional(Type.Boolean({ description: 'Whether it is on sale.' })),
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
  response: { 200: MerchantProductSchema },
};
const config = { audience: 'store', refuses: ['product_not_found', 'live_only'] } as const;

export function setProductRoute(http: Http, deps: StoreDeps): void {
  http.patch('/store/products/:external_id', { schema, config }, async ({ merchant, params, body }) => {
    const { available, qty_available: qtyAvailable } = body;
    if (available === undefined && qtyAvailable === undefined) {
      throw invalidRequest([{ in: 'body', name: 'available', message: 'is required, or qty_available' }]);
    }
    const switches = {
      ...(available === undefined ? {} : { available }),
      ...(qtyAvailable === undefined ? {} : { qtyAvailable }),
    };
    const product = await changeStore(deps, merchant, async (tx, storeId, at) => {
      await setProduct(tx, { storeId, externalId: params.external_id }, switches, at);
      return findStoreProduct(tx, storeId, params.external_id);
    });
    if (!product) throw new Refusal('product_not_found', 'The menu of this store has no product with this id.');
    return presentMerchantProduct(product);
  });
}
