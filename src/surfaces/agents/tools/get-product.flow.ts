import { Type } from 'typebox';
import { sandboxOf } from '../../../access/accounts/account.ts';
import type { Context } from '../../../platform/db/context.ts';
import { flag } from '../../../platform/http/api-components.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { TokenSealer } from '../../../platform/lib/tokens.ts';
import { unavailableBecause, viewedMode } from '../../../supply/catalog/availability.ts';
import { openProduct } from '../../../supply/catalog/catalog-tokens.ts';
import type { InventoryCache } from '../../../supply/catalog/inventory.cache.ts';
import { presentPrices } from '../../../supply/catalog/present-menu.ts';
import { presentWeighed } from '../../../supply/catalog/present-weight.ts';
import type { CatalogProduct } from '../../../supply/catalog/product.ts';
import { findCatalogProducts } from '../../../supply/catalog/products.db.ts';
import { currencyOf, type Mode, type Store } from '../../../supply/stores/store.ts';
import { isAlcohol } from '../../../supply/stores/tax-class.ts';
import { listChoices, showFood, showWeight } from '../product-choices.ts';
import {
  CURSOR,
  clip,
  cursorPosition,
  defineTool,
  MAX_NAME,
  money,
  positionCursor,
  READ_ONLY,
  type Tool,
  takeFitting,
} from '../tool.ts';

const MAX_DESCRIPTION = 400;
/** Byte limit of `choices` per answer; leaves room for the product's other fields. */
const MAX_CHOICES_BYTES = 7 * 1024;

const input = {
  product_id: Type.String({ maxLength: 512, description: 'A product_id from get_menu or search_products' }),
  pickup: flag('true: pickup; false: delivery'),
  cursor: CURSOR,
};

type Deps = Context & { tokens: TokenSealer; inventory: InventoryCache };

/** Defines the tool that reads a product's details (docs/inventory.md#product-details). */
export function getProductTool({ clock, db, tokens, inventory }: Deps): Tool {
  return defineTool({
    name: 'get_product',
    description:
      'Gets a product and its choices as one list, with the number of options to choose. A choice with only_with_option_id applies only with that option. Send the chosen option_ids to quote_order. Missing allergens and diets are unknown.',
    annotations: READ_ONLY,
    input,
    async run(caller, { cursor, ...given }) {
      const { product_id: productId, pickup } = given;
      const ref = openProduct(tokens, productId);
      const sandbox = sandboxOf(caller);
      const [product] = ref ? await findCatalogProducts(db, ref.storeId, [ref.productNo], sandbox) : [];
      const snapshot = product && (await inventory.snapshot(product.storeId, sandbox));
      if (!product || !snapshot) throw new Refusal('product_not_found', 'There is no product with this product_id.');
      const mode = viewedMode(pickup, product);
      const because = unavailableBecause(product, mode, clock.now(), snapshot.store);
      const from = cursorPosition(cursor, given).page;
      const all = listChoices(product.customizations).slice(from);
      const choices = takeFitting(all, MAX_CHOICES_BYTES);
      const next = { page: from + choices.length, skipped: 0 };
      return {
        product_id: productId,
        ...presentHead(product, mode, snapshot.store),
        available: because === undefined,
        ...(because === undefined ? {} : { unavailable_because: because }),
        choices,
        ...(choices.length < all.length ? { next_cursor: positionCursor(next, given) } : {}),
      };
    },
  });
}

function presentHead(product: CatalogProduct, mode: Mode, store: Store) {
  const taxClass = product.taxClass ?? store.taxClass;
  const { price, min_price: minPrice, original_price: originalPrice } = presentPrices(product, mode);
  return {
    name: clip(product.name, MAX_NAME),
    store_id: store.storeId,
    store: clip(store.name, MAX_NAME),
    mode,
    currency: currencyOf(store.address.country),
    ...money('price', price),
    ...showWeight(presentWeighed(product, price)),
    ...(minPrice === price ? {} : money('price_with_cheapest_choices', minPrice)),
    ...(originalPrice === price ? {} : money('price_before_sale', originalPrice)),
    ...(product.description ? { description: clip(product.description, MAX_DESCRIPTION) } : {}),
    ...(product.qtyAvailable === null ? {} : { left: product.qtyAvailable }),
    ...(isAlcohol(product, [taxClass]) ? { is_alcoholic: true } : {}),
    tax_class: taxClass,
    ...showFood(product.food),
  };
}
