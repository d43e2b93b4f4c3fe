import { Type } from 'typebox';
import { sandboxOf } from '../../../access/accounts/account.ts';
import type { Context } from '../../../platform/db/context.ts';
import { optionalText } from '../../../platform/http/api-components.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { TokenSealer } from '../../../platform/lib/tokens.ts';
import { requirePickup } from '../../../supply/catalog/availability.ts';
import { openCategory, sealCategory, sealProduct } from '../../../supply/catalog/catalog-tokens.ts';
import { isRequired } from '../../../supply/catalog/fill-group.ts';
import type { InventoryCache } from '../../../supply/catalog/inventory.cache.ts';
import { type ListedMenu, listMenu } from '../../../supply/catalog/load-menu.flow.ts';
import {
  isMenuProductSold,
  MAX_INLINE_OPTIONS,
  type MenuCategory,
  type MenuProduct,
  presentPrices,
} from '../../../supply/catalog/present-menu.ts';
import { presentWeighed } from '../../../supply/catalog/present-weight.ts';
import { currencyOf, type Mode, type Store } from '../../../supply/stores/store.ts';
import { showFood, showWeight } from '../product-choices.ts';
import {
  CURSOR,
  clip,
  cursorPosition,
  defineTool,
  MAX_LIST_BYTES,
  MAX_NAME,
  money,
  positionCursor,
  READ_ONLY,
  type Tool,
  takeFitting,
} from '../tool.ts';

/* Tool `get_menu`: a store's inventory in as few tokens as an agent needs, by section or by words. */

const MAX_DESCRIPTION = 140;
/** Maximum stock shown, because an order can request no more units. */
const MAX_SHOWN_STOCK = 99;
const MAX_ENTRIES = 100;

const input = {
  store_id: Type.String({ maxLength: 64, description: 'A store_id from a search' }),
  pickup: Type.Boolean({ description: 'true: pickup; false: delivery' }),
  category_id: optionalText(512, 'What is in this category'),
  cursor: CURSOR,
};

type Deps = Context & { tokens: TokenSealer; inventory: InventoryCache };
type MenuContext = Deps & { store: Store; mode: Mode; now: Temporal.Instant };

/** Defines the tool that lists a store's inventory (docs/inventory.md#inventory). */
export function getMenuTool(deps: Deps): Tool {
  return defineTool({
    name: 'get_menu',
    description:
      'Lists categories and products in pages. A grocery returns categories first: call again with a category_id. Call get_product if `choices` is required or many.',
    annotations: READ_ONLY,
    input,
    async run(caller, { cursor, ...given }) {
      const { store_id: storeId, pickup, category_id: categoryId } = given;
      const sandbox = sandboxOf(caller);
      const snapshot = await deps.inventory.snapshot(storeId, sandbox);
      if (!snapshot) throw new Refusal('store_not_found', 'There is no store with this store_id.');
      if (pickup) requirePickup(snapshot.store);
      const mode = pickup ? 'pickup' : 'delivery';
      const category = categoryId === undefined ? null : openCategory(deps.tokens, categoryId);
      const isKnown = category !== undefined && (category === null || category.storeId === storeId);
      const question = { storeId, sandbox, mode, categoryNo: category?.categoryNo ?? null } as const;
      const menu = isKnown ? await listMenu(deps.db, question) : undefined;
      if (!menu) throw new Refusal('subcategory_not_found', 'This store has no category with this category_id.');
      const shown = { ...deps, store: snapshot.store, mode, now: deps.clock.now() } as const;
      return menuPage(shown, menu, given, cursorPosition(cursor, given).page);
    },
  });
}

type Entry = { category: MenuCategory; product?: MenuProduct };

/** Returns the entries from number `from` on: categories first, then products in menu order. */
function menuPage(shown: MenuContext, menu: ListedMenu, query: object, from: number) {
  const { store, mode } = shown;
  const categories = menu.shown.map((category): Entry => ({ category }));
  const products = menu.shown.flatMap((category) =>
    (menu.products.get(category.categoryNo) ?? []).map((product): Entry => ({ category, product })),
  );
  // An entry takes at least a hundred bytes, so this limits the work to a response's size.
  const all = [...categories, ...products].slice(from);
  const page = takeFitting(
    all.slice(0, MAX_ENTRIES).map((entry) => showEntry(shown, menu, entry)),
    MAX_LIST_BYTES,
  );
  return {
    store_id: store.storeId,
    store: clip(store.name, MAX_NAME),
    mode,
    currency: currencyOf(store.address.country),
    categories: page.flatMap((entry) => ('category' in entry ? [entry.category] : [])),
    products: page.flatMap((entry) => ('product' in entry ? [entry.product] : [])),
    ...(page.length < all.length
      ? { next_cursor: positionCursor({ page: from + page.length, skipped: 0 }, query) }
      : {}),
    hint: menu.shown.length === 0 ? NOTHING_SOLD : categoryHint(page.length < all.length, products.length > 0),
  };
}

const NOTHING_SOLD =
  'The store sells nothing for this fulfillment type: try the other value of pickup, or another store.';

function categoryHint(isCut: boolean, hasProducts: boolean): string {
  if (!hasProducts) return 'These are categories: call get_menu with one of their category_ids for its contents.';
  return isCut
    ? 'The menu continues: call get_menu with next_cursor, or with a category_id for only that category.'
    : "This is the end of the menu or category. Call get_product for a product's choices.";
}

function showEntry(shown: MenuContext, menu: ListedMenu, { category, product }: Entry) {
  return product
    ? { product: showProduct(shown, category, product) }
    : { category: showCategory(shown, menu, category) };
}

function showCategory({ tokens, store }: MenuContext, menu: ListedMenu, { categoryNo, name, isLeaf }: MenuCategory) {
  return {
    category_id: sealCategory(tokens, { storeId: store.storeId, categoryNo }),
    name: clip(name, MAX_NAME),
    has_subcategories: !isLeaf,
    products: menu.counts.get(categoryNo) ?? 0,
  };
}

function showProduct(shown: MenuContext, category: MenuCategory, product: MenuProduct) {
  const { tokens, store, mode } = shown;
  const { price, min_price: minPrice } = presentPrices(product, mode);
  return {
    product_id: sealProduct(tokens, { storeId: store.storeId, productNo: product.productNo }),
    name: clip(product.name, MAX_NAME),
    category: clip(category.name, 60),
    ...money('price', price),
    ...showWeight(presentWeighed(product, price)),
    ...(minPrice === price ? {} : money('price_with_cheapest_choices', minPrice)),
    ...(product.description ? { description: clip(product.description, MAX_DESCRIPTION) } : {}),
    available: isMenuProductSold(product, category, shown),
    ...(product.qtyAvailable !== null && product.qtyAvailable <= MAX_SHOWN_STOCK ? { left: product.qtyAvailable } : {}),
    choices: choiceNeed(product),
    ...showFood(product.food),
  };
}

/** Whether choices are required or optional; `many` if the menu does not read them. */
function choiceNeed({ optionCount, customizations }: MenuProduct): 'none' | 'optional' | 'required' | 'many' {
  if (optionCount > MAX_INLINE_OPTIONS) return 'many';
  if (customizations.length === 0) return 'none';
  return customizations.some(isRequired) ? 'required' : 'optional';
}
