import { type Static, Type } from 'typebox';
import { listOptions } from '../catalog/options-off.ts';
import type { StoreProduct } from '../catalog/store-products.db.ts';
import { named } from '../http/api-components.ts';

/** A product as its store sees it, known by the ids of its feed. */
export const MerchantProductSchema = Type.Object(
  {
    external_id: Type.String({ description: 'The id that the feed gives the product.' }),
    name: Type.String(),
    category: Type.String({ description: 'Name of its category.' }),
    available: Type.Boolean({ description: 'Whether it is on sale.' }),
    qty_available: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Units that may still be sold; null where the stock is not counted.',
    }),
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
  named('MerchantProduct', 'A product as its store sees it: whether it and its options are on sale, and its stock.'),
);

export function presentMerchantProduct(product: StoreProduct): Static<typeof MerchantProductSchema> {
  const options = listOptions(product.customizations, new Set(product.optionsOff));
  return {
    external_id: product.externalId,
    name: product.name,
    category: product.category,
    available: product.available,
    qty_available: product.qtyAvailable,
    options: options.map(({ id, ...option }) => ({ external_id: id, ...option })),
  };
}
