import { Type } from 'typebox';
import { setOption } from '../catalog/set-option.flow.ts';
import { findStoreProduct } from '../catalog/store-products.db.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { FEED_LIMITS } from '../imports/feed/feed-fields.ts';
import { changeStore, type StoreDeps } from './change-store.flow.ts';
import { MerchantProductSchema, presentMerchantProduct } from './merchant-product.ts';

const idOf = (description: string) => Type.String({ maxLength: FEED_LIMITS.idCharacters, description });

const schema = {
  operationId: 'setStoreOption',
  tags: ['Store'],
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
  response: { 200: MerchantProductSchema },
};
const config = { audience: 'store', refuses: ['product_not_found', 'live_only'] } as const;

export function setOptionRoute(http: Http, deps: StoreDeps): void {
  const url = '/store/options/:product_external_id/:option_external_id';
  http.patch(url, { schema, config }, async ({ merchant, params, body }) => {
    const { product_external_id: productExternalId, option_external_id: optionExternalId } = params;
    const changed = await changeStore(deps, merchant, async (tx, storeId, at) => {
      const outcome = await setOption(tx, { storeId, productExternalId, optionExternalId }, body.available, at);
      return 'missing' in outcome ? outcome : findStoreProduct(tx, storeId, productExternalId);
    });
    if (!changed || 'missing' in changed) {
      throw new Refusal(
        'product_not_found',
        `The menu of this store has no ${changed?.missing ?? 'product'} with this id.`,
      );
    }
    return presentMerchantProduct(changed);
  });
}
