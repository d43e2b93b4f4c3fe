import { Type } from 'typebox';
import { listStoreProducts } from '../catalog/store-products.db.ts';
import type { Http } from '../http/http.ts';
import { wordsOf } from '../lib/text/normalise-text.ts';
import type { StoreDeps } from './change-store.flow.ts';
import { refuseLink, sandboxOfMerchant } from './merchant.ts';
import { MerchantProductSchema, presentMerchantProduct } from './merchant-product.ts';

/** A page ends at either: a product may have 20,000 options. */
const PAGE_LIMITS = { maxProducts: 50, maxOptions: 2000 };
const MAX_PRODUCT_NO = 2 ** 31 - 1;

const schema = {
  operationId: 'listStoreProducts',
  tags: ['Store'],
  summary: 'The products of the store, with what is on sale',
  description:
    'At most 50 products a page; a page ends early with the product whose options pass 2,000. Send `next_after` as `after` for the next page.',
  example: { query: { query: 'pancakes' } },
  querystring: Type.Object({
    query: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Words of the name; the last one may be a beginning.',
      }),
    ),
    off_sale: Type.Optional(
      Type.Boolean({ description: '`true`: only products that are off sale, sold out, or have an option off sale.' }),
    ),
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_PRODUCT_NO, description: '`next_after` of the page before.' }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        products: Type.Array(MerchantProductSchema),
        next_after: Type.Union([Type.Integer(), Type.Null()], { description: 'null on the last page.' }),
      },
      { description: 'A page of products, in the sequence in which the feed first named them.' },
    ),
  },
};
const config = { audience: 'store', refuses: ['live_only'] } as const;

export function listProductsRoute(http: Http, { db }: Pick<StoreDeps, 'db'>): void {
  http.get('/store/products', { schema, config }, async ({ merchant, query }) => {
    refuseLink(merchant);
    const sandbox = sandboxOfMerchant(merchant);
    const filter = {
      sandbox,
      words: wordsOf(query.query ?? ''),
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
