import { present } from 'doorstep/collections';
import { Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import type { Db } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { compileRequestPart } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { isProductAvailable, menuPriceForMode } from '../../supply/catalog/availability.ts';
import { openCategory, openProduct, sealCategory, sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import { listMenu } from '../../supply/catalog/load-menu.flow.ts';
import { isMenuProductSold, MAX_INLINE_OPTIONS, type MenuProduct } from '../../supply/catalog/present-menu.ts';
import type { Customization, Option } from '../../supply/catalog/product.ts';
import { findCatalogProducts } from '../../supply/catalog/products.db.ts';
import { currencyOf, type Mode, type Store } from '../../supply/stores/store.ts';
import { READ_ONLY } from '../agents/tool.ts';
import type { Asking, Operation } from './admit-platform.flow.ts';
import { MENU_SCHEMA_PATH, menuCapability } from './profile.ts';

/**
 * The menu of a location, which the protocol lacks: categories of dishes in the shapes of `dish` and `modification`,
 * with the bounds of their groups. A grocery has its categories first; a dish with many options has them by its ID.
 */

type Deps = { db: Db; clock: Clock; tokens: TokenSealer; inventory: InventoryCache };

const MenuQuery = Type.Object({
  location_id: Type.String({ minLength: 1, maxLength: 64 }),
  method: Type.Optional(Type.Enum(['delivery', 'pickup'], { description: 'Dishes and prices may differ.' })),
  category_id: Type.Optional(Type.String({ maxLength: 512 })),
  dish_id: Type.Optional(Type.String({ maxLength: 256 })),
});
type MenuQuery = { location_id: string; method?: Mode; category_id?: string; dish_id?: string };
const parseQuery = compileRequestPart(MenuQuery, 'query');

export const menuOperation = (baseUrl: string): Operation<Deps> => ({
  method: 'GET',
  paths: ['/menu'],
  tool: 'get_menu',
  title: 'Read a menu',
  description: 'The dishes of a location, or one category or dish of it, with their modifications.',
  hints: READ_ONLY,
  capability: menuCapability(baseUrl),
  input: MenuQuery,
  run(deps, { given: { meta: _, ...given }, asking }) {
    const parsed = parseQuery(given);
    if ('error' in parsed) throw parsed.error;
    return readMenu(deps, parsed.value as MenuQuery, asking);
  },
});

async function readMenu(deps: Deps, query: MenuQuery, { caller }: Asking): Promise<object> {
  const { location_id: storeId, category_id: categoryId, dish_id: dishId } = query;
  const sandbox = caller ? sandboxOf(caller) : null;
  const snapshot = await deps.inventory.snapshot(storeId, sandbox);
  if (!snapshot?.store.listed) throw new Refusal('not_found', 'There is no such location.');
  const { store } = snapshot;
  const mode = query.method ?? (store.delivery.enabled ? 'delivery' : 'pickup');
  const menu: Menu = { ...deps, store, mode, now: deps.clock.now() };
  const head = { location_id: storeId, method: mode, currency: currencyOf(store.address.country) };
  if (dishId !== undefined) {
    const ref = openProduct(deps.tokens, dishId);
    const [product] =
      ref?.storeId === storeId ? await findCatalogProducts(deps.db, storeId, [ref.productNo], sandbox) : [];
    if (!product || product.removed) throw new Refusal('not_found', 'This location has no such dish.');
    return { ...head, dishes: [showDish(menu, product, isProductAvailable(product, mode, menu.now, store))] };
  }
  const category = categoryId === undefined ? null : openCategory(deps.tokens, categoryId);
  const isKnown = category === null || category?.storeId === storeId;
  const question = { storeId, sandbox, mode, categoryNo: category?.categoryNo ?? null } as const;
  const listed = isKnown ? await listMenu(deps.db, question) : undefined;
  if (!listed) throw new Refusal('not_found', 'This location has no such category.');
  return {
    ...head,
    categories: listed.shown.map((one) => ({
      id: sealCategory(deps.tokens, { storeId, categoryNo: one.categoryNo }),
      title: one.name,
      has_subcategories: !one.isLeaf,
      dishes: (listed.products.get(one.categoryNo) ?? []).map((product) =>
        showDish(menu, product, isMenuProductSold(product, one, menu)),
      ),
    })),
  };
}

type Menu = Deps & { store: Store; mode: Mode; now: Temporal.Instant };

function showDish({ tokens, store, mode }: Menu, dish: Omit<MenuProduct, 'weight'>, isAvailable: boolean): object {
  const { productNo, name, description, image, customizations, optionCount } = dish;
  const isWhole = customizations.length > 0 || optionCount <= MAX_INLINE_OPTIONS;
  return {
    id: sealProduct(tokens, { storeId: store.storeId, productNo }),
    title: name,
    price: menuPriceForMode(dish, mode),
    ...(description ? { description } : {}),
    ...(image ? { media: [{ type: 'image', url: image }] } : {}),
    is_available: isAvailable,
    ...(isWhole ? { modification_groups: customizations.map(showGroup) } : { has_more_modifications: true }),
  };
}

function showGroup(group: Customization): object {
  const { id, name, minChoiceOptions, maxChoiceOptions, minTotalUnits, maxTotalUnits, options } = group;
  return {
    id,
    title: name,
    min_modifications: minChoiceOptions,
    max_modifications: maxChoiceOptions,
    ...present({ min_units: minTotalUnits, max_units: maxTotalUnits }),
    modifications: options.map(showModification),
  };
}

function showModification(option: Option): object {
  const { id, name, price, minQty, maxQty, defaultQty, conditionalPrice, customizations } = option;
  return {
    id,
    title: name,
    price,
    min_quantity: Math.max(1, minQty),
    max_quantity: maxQty,
    ...(defaultQty > 0 ? { default_quantity: defaultQty } : {}),
    ...(Object.keys(conditionalPrice).length > 0 ? { price_with_modification: conditionalPrice } : {}),
    ...(customizations.length > 0 ? { modification_groups: customizations.map(showGroup) } : {}),
  };
}

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer', minimum: 0 };
const FLAG = { type: 'boolean' };
const METHOD = { enum: ['delivery', 'pickup'] };
const listOf = (name: string) => ({ type: 'array', items: { $ref: `#/$defs/${name}` } });
const shape = (properties: Readonly<Record<string, object>>, optional = '') => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.split(' ').includes(name)),
});
const HEAD = { id: TEXT, title: TEXT };
const IMAGE = shape({ type: { const: 'image' }, url: TEXT });
const MORE = { const: true, description: 'Read the groups with `dish_id`.' };
const PRICES = { type: 'object', additionalProperties: { type: 'integer' } };
const GROUPS = listOf('group');
const UNITS = { min_units: WHOLE, max_units: WHOLE };
const BOUNDS = { min_modifications: WHOLE, max_modifications: WHOLE, ...UNITS, modifications: listOf('modification') };
const QUANTITIES = {
  min_quantity: WHOLE,
  max_quantity: WHOLE,
  default_quantity: WHOLE,
  price_with_modification: PRICES,
};
const DISH = {
  description: TEXT,
  media: { type: 'array', items: IMAGE },
  is_available: FLAG,
  modification_groups: GROUPS,
};

/** The JSON Schema of menus, without the envelope; prices are cents. */
export const menuSchema = (baseUrl: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: baseUrl + MENU_SCHEMA_PATH,
  title: 'Menu',
  ...shape(
    { location_id: TEXT, method: METHOD, currency: TEXT, categories: listOf('category'), dishes: listOf('dish') },
    'categories dishes',
  ),
  oneOf: [{ required: ['categories'] }, { required: ['dishes'] }],
  $defs: {
    category: shape({ ...HEAD, has_subcategories: FLAG, dishes: listOf('dish') }),
    dish: shape(
      { ...HEAD, price: WHOLE, ...DISH, has_more_modifications: MORE },
      'description media modification_groups has_more_modifications',
    ),
    group: shape({ ...HEAD, ...BOUNDS }, 'min_units max_units'),
    modification: shape(
      { ...HEAD, price: { type: 'integer' }, ...QUANTITIES, modification_groups: GROUPS },
      'default_quantity price_with_modification modification_groups',
    ),
  },
});
