import { present } from 'doorstep/collections';
import { type TObject, Type } from 'typebox';
import { type Caller, sandboxOf } from '../../access/accounts/account.ts';
import { readCursor, writeCursor } from '../../platform/http/page-cursor.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import type { FoundProducts, ProductSearch } from '../../search/products/search-products.flow.ts';
import { openProduct, type ProductRef, sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import { findCatalogProducts } from '../../supply/catalog/products.db.ts';
import type { StoreSnapshot } from '../../supply/catalog/store-snapshots.cache.ts';
import type { Mode } from '../../supply/stores/store.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { cursorPosition, positionCursor, READ_ONLY } from '../agents/tool.ts';
import { basePathOf, type HostedShop } from '../shop/hosted-shop.flow.ts';
import type { Call, Operation, Outcome } from './admit-platform.flow.ts';
import { type CategoryWay, findCategoryWays, listProductNos } from './catalog.db.ts';
import {
  GetProduct,
  LookupCatalog,
  type ProductFilter,
  productFilterOf,
  readerOf,
  readSearchCatalog,
  SearchCatalog,
  unknownFilters,
} from './catalog-request.ts';
import { FOUND_PRODUCTS, type Message, PRODUCT, PRODUCTS } from './contract.ts';
import { findOwnStore, findPlace, type Place, type PlaceDeps } from './place.flow.ts';
import {
  isInStock,
  type ListedProduct,
  type ProductView,
  presentProduct,
  productMessages,
  variantCents,
  variantsOf,
} from './present-product.ts';
import { availableMethods } from './price-checkout.flow.ts';
import { CATALOG_LOOKUP, CATALOG_SEARCH, type HandlerConfig, SHOP_FULFILLMENT } from './profile.ts';
import { type Choice, openItem, soldOf, type Variant } from './variants.ts';

/** The catalog of a shop: its stores' products, by words, by filters and by ID. */

export type CatalogDeps = PlaceDeps &
  Parameters<typeof findOwnStore>[0] & {
    db: Parameters<typeof findCategoryWays>[0];
    clock: Clock;
    tokens: ProductView['tokens'];
    searchProducts: ProductSearch;
  };

const READS = { method: 'POST', hints: READ_ONLY, bodyName: 'catalog', isUnsigned: true } as const;
const tool = (schema: TObject) => Type.Object({ catalog: schema });

export const CATALOG_OPERATIONS: readonly Operation<CatalogDeps>[] = [
  {
    ...READS,
    paths: ['/catalog/search'],
    tool: 'search_catalog',
    title: 'Search the catalog',
    description:
      'Products of one store by words, one product a call, or by filters alone. Send the store as context.location; search_locations finds it. Then create_cart with the IDs of variants.',
    capability: CATALOG_SEARCH,
    input: tool(SearchCatalog),
    output: PRODUCTS,
    run: (deps, call) => searchCatalog(deps, shoppingOf(call), call.body),
  },
  {
    ...READS,
    paths: ['/catalog/lookup'],
    tool: 'lookup_catalog',
    title: 'Look up products',
    description: 'Up to 50 products and variants by ID, as they are now.',
    capability: CATALOG_LOOKUP,
    input: tool(LookupCatalog),
    output: FOUND_PRODUCTS,
    run: (deps, call) => lookUpCatalog(deps, shoppingOf(call), call.body),
  },
  {
    ...READS,
    paths: ['/catalog/product'],
    tool: 'get_product',
    title: 'Read a product',
    description: 'Gets one product with its options. Choose with selected, and add the remaining variant to a cart.',
    capability: CATALOG_LOOKUP,
    input: tool(GetProduct),
    output: PRODUCT,
    run: (deps, call) => getProduct(deps, shoppingOf(call), call.body),
  },
];

/** Who shops, where, and where words. */
export type Shopping = {
  hosted: HostedShop;
  siteUrl: string;
  handler: HandlerConfig | undefined;
  caller: Caller;
  language: Locale['language'];
  envelope: Call['admitted']['envelope'];
  hasMethods: boolean;
};

export function shoppingOf({ admitted, asking: { caller, language } }: Call): Shopping {
  const { business, envelope, negotiated } = admitted;
  if (!business.hosted || !caller) throw new Error('A business without a shop was admitted.');
  const { hosted, siteUrl, handler } = business;
  return { hosted, siteUrl, handler, caller, language, envelope, hasMethods: negotiated.has(SHOP_FULFILLMENT) };
}

/** The store's page in the shop. */
export const storePageOf = ({ siteUrl, hosted }: Pick<Shopping, 'siteUrl' | 'hosted'>, storeId: string) =>
  `${siteUrl}${basePathOf(hosted)}/s/store-${storeId}`;

const viewOf = ({ tokens }: CatalogDeps, shopping: Shopping, locale: Locale): ProductView => ({
  tokens,
  locale,
  pageOf: (storeId) => storePageOf(shopping, storeId),
  hasMethods: shopping.hasMethods,
});

const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 10;
/** Products per page, and maximum pages read for one response, which may then have fewer. */
const PAGE_SIZE = 50;
const MAX_PAGES_READ = 10;
/** Maximum stores near an address. */
const MAX_STORES = 20;

/** How long a cursor is valid, in seconds. */
const CURSOR_S = 3600;

function readPosition(cursor: string | undefined, query: object, nowS: number) {
  const parameter = { in: 'body', name: 'pagination.cursor' } as const;
  const read = ([madeS, position]: readonly unknown[]) => {
    const isGood = typeof madeS === 'number' && madeS <= nowS && nowS < madeS + CURSOR_S;
    return isGood && typeof position === 'string' ? position : undefined;
  };
  return cursorPosition(cursor === undefined ? undefined : readCursor(cursor, parameter, read), query, parameter.name);
}

async function searchCatalog(deps: CatalogDeps, shopping: Shopping, body: unknown): Promise<object> {
  const request = readSearchCatalog(body);
  const { query = '', filters = {}, pagination = {} } = request;
  const locale = localeOf(shopping.language, 'US');
  const unknown = unknownFilters(body, locale.words);
  const place = await findPlace(deps, shopping.hosted.shop, shopping.caller, request);
  const filter = productFilterOf(deps.tokens, filters);
  const limit = Math.min(pagination.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const nowS = epochSeconds(deps.clock.now());
  const wanted = { query, filters, place: place.kind === 'store' ? place.snapshot.store.storeId : place };
  const position = readPosition(pagination.cursor, wanted, nowS);
  const search = { query, filter, place, limit, position };
  const found = await findListed(deps, shopping, search);
  if ('code' in found) return { products: [], messages: [placeFault(found.code, request, locale), ...unknown] };
  const { next, relaxed = [] } = found;
  const listed = found.listed.toSorted((one, other) => Number(isInStock(other)) - Number(isInStock(one)));
  const products = listed.map((one) => presentProduct(one, viewOf(deps, shopping, locale)));
  const messages = [
    ...unknown,
    ...(place.kind === 'near' && place.isRequired ? [approximate(locale)] : []),
    ...(listed.length > 0 && relaxed.length > 0 ? [relaxedQuery(relaxed, locale)] : []),
    ...productMessages(listed, locale, (nth) => `$.products[${nth}]`),
  ];
  return {
    products,
    pagination: next
      ? { has_next_page: true, cursor: writeCursor(nowS, positionCursor(next, wanted)) }
      : { has_next_page: false },
    ...withMessages(messages),
  };
}

const withMessages = (messages: readonly Message[]) => (messages.length > 0 ? { messages } : {});

type PlaceFault = 'location_required' | 'location_not_found';

function placeFault(code: PlaceFault, { filters }: { filters?: { fulfills_to?: object } }, { words }: Locale): Message {
  const path = filters?.fulfills_to && code === 'location_not_found' ? '$.filters.fulfills_to' : '$.context.location';
  const content = code === 'location_required' ? words.agent.place.choose : words.agent.place.unknown;
  return { type: 'error', code, path, content, severity: 'recoverable' };
}

const relaxedQuery = (relaxed: readonly string[], { words, format }: Locale): Message => ({
  type: 'info',
  code: 'query_relaxed',
  path: '$.query',
  content: words.agent.catalog.relaxed({ list: format.list(relaxed) }),
});

const approximate = ({ words }: Locale): Message => ({
  type: 'warning',
  code: 'fulfillment_approximate',
  path: '$.filters.fulfills_to',
  content: words.agent.place.approximate,
});

type Position = { page: number; skipped: number };
type Search = { query: string; filter: ProductFilter; place: Place; limit: number; position: Position };
type Listed = { listed: ListedProduct[]; next: Position | undefined; relaxed?: readonly string[] };

async function findListed(
  deps: CatalogDeps,
  shopping: Shopping,
  search: Search,
): Promise<Listed | { code: PlaceFault }> {
  const { query, place } = search;
  if (place.kind === 'unknown') return { code: 'location_not_found' };
  // Without words, products of several stores have no order.
  if (place.kind === 'none' || (place.kind === 'near' && query.trim() === '')) return { code: 'location_required' };
  try {
    return await walk(deps, shopping, search);
  } catch (error) {
    const isVague = error instanceof Refusal && /^(address_not_found|geocoder_not_configured)$/.test(error.code);
    if (place.kind === 'near' && isVague) return { code: 'location_required' };
    throw error;
  }
}

/** Walks over the pages of products until enough pass the filter. */
async function walk(deps: CatalogDeps, shopping: Shopping, search: Search): Promise<Listed> {
  const { filter, limit } = search;
  if (filter.isNone) return { listed: [], next: undefined };
  const listed: ListedProduct[] = [];
  let relaxed: readonly string[] = [];
  let { page, skipped } = search.position;
  for (let pages = 0; pages < MAX_PAGES_READ; pages += 1) {
    if (isSliceOver()) await nextSlice();
    const { refs, nextPage, isLast, ...read } = await readPage(deps, shopping, search, page);
    relaxed = read.relaxed ?? [];
    const found = await loadListed(deps, shopping, refs.slice(skipped), filter.modes);
    const passing = found.flatMap((one, at) =>
      one?.sold && passes(one.listed, one.way, filter, deps) ? [{ one, at }] : [],
    );
    const taken = passing.slice(0, limit - listed.length);
    listed.push(...taken.map(({ one }) => one.listed));
    const after = skipped + (taken.at(-1)?.at ?? 0) + 1;
    if (listed.length >= limit && (taken.length < passing.length || after < refs.length)) {
      return { listed, next: { page, skipped: after }, relaxed };
    }
    if (isLast) return { listed, next: undefined, relaxed };
    [page, skipped] = [nextPage, 0];
    if (listed.length >= limit) break;
  }
  return { listed, next: { page, skipped }, relaxed };
}

type Page = { refs: readonly ProductRef[]; nextPage: number; isLast: boolean; relaxed?: readonly string[] };

/** A page of matching products of the place, best first; without words, in the order of the store's catalog. */
async function readPage(
  { db, tokens, searchProducts }: CatalogDeps,
  { caller, hosted: { shop } }: Shopping,
  { query, place, filter }: Search,
  page: number,
): Promise<Page> {
  if (query.trim() === '' && place.kind === 'store') {
    const { storeId } = place.snapshot.store;
    const { categories } = filter;
    const numbers = await listProductNos(db, storeId, { offset: page * PAGE_SIZE, limit: PAGE_SIZE, categories });
    const refs = numbers.map((productNo) => ({ storeId, productNo }));
    return { refs, nextPage: page + 1, isLast: refs.length < PAGE_SIZE };
  }
  const [mode, ...others] = filter.modes;
  const pickup = mode && others.length === 0 ? { pickup: mode === 'pickup' } : {};
  const where =
    place.kind === 'store'
      ? coordinateOf(place.snapshot)
      : { address: place.kind === 'near' ? place.address : '', delivers_here: true };
  const wanted = { query, ...where, ...pickup, page };
  const found: FoundProducts = await searchProducts(caller, wanted, 'body', { withSoldOut: true });
  const own = found.products.filter(({ store_id: id }) => shop.storeIds?.includes(id) ?? true);
  const near = new Set([...new Set(own.map(({ store_id: id }) => id))].slice(0, MAX_STORES));
  const refs = own.flatMap(({ store_id: id, product_id: productId }) =>
    near.has(id) ? (openProduct(tokens, productId) ?? []) : [],
  );
  const { next_page: nextPage, relaxed } = found;
  return { refs, nextPage, isLast: found.products.length < PAGE_SIZE, relaxed };
}

const coordinateOf = ({ store: { storeId, latitude, longitude } }: StoreSnapshot) => ({
  store_id: storeId,
  user_latitude: latitude,
  user_longitude: longitude,
});

export type Loaded = { listed: ListedProduct; way: CategoryWay | undefined; sold: ListedProduct['sold'] };

/** Products as they are now, in the order of the references; undefined for products that the shop does not have. */
export async function loadListed(
  deps: CatalogDeps,
  { caller, hosted: { shop } }: Pick<Shopping, 'caller' | 'hosted'>,
  refs: readonly ProductRef[],
  modes: readonly Mode[],
): Promise<(Loaded | undefined)[]> {
  const { db, tokens, clock } = deps;
  const now = clock.now();
  const known = new Map<string, Loaded>();
  for (const [storeId, ofStore] of Map.groupBy(refs, (ref) => ref.storeId)) {
    const snapshot = await findOwnStore(deps, shop, caller, storeId);
    if (!snapshot) continue;
    const numbers = [...new Set(ofStore.map(({ productNo }) => productNo))];
    const products = await findCatalogProducts(db, storeId, numbers, sandboxOf(caller));
    const ways = await findCategoryWays(db, storeId, [...new Set(products.map(({ categoryNo }) => categoryNo))]);
    const openModes = new Set(availableMethods(snapshot, now).map(({ type }) => type));
    for (const product of products) {
      if (isSliceOver()) await nextSlice();
      if (product.removed) continue;
      const { store } = snapshot;
      const way = ways.get(product.categoryNo);
      const preferred = [...modes, ...(store.delivery.enabled ? (['delivery'] as const) : []), 'pickup' as const];
      const mode = preferred.find((one) => product.modes[one]) ?? (product.modes.delivery ? 'delivery' : 'pickup');
      const sold = soldOf(tokens, product);
      const listed = { product, store, categoryPath: way?.path, mode, sold, openModes };
      known.set(`${storeId} ${product.productNo}`, { listed, way, sold });
    }
  }
  return refs.map(({ storeId, productNo }) => known.get(`${storeId} ${productNo}`));
}

function passes(
  listed: ListedProduct,
  way: CategoryWay | undefined,
  { categories, price, modes }: ProductFilter,
  { tokens }: Pick<CatalogDeps, 'tokens'>,
): boolean {
  const isNamed =
    categories === null ||
    categories.labels.some((label) => way?.labels.includes(label)) ||
    categories.numbers.some((number) => way?.numbers.includes(number));
  if (!isNamed || (modes.length > 0 && !modes.includes(listed.mode))) return false;
  return variantsOf(listed, tokens)
    .map((variant) => variantCents(listed, variant))
    .some((cents) => cents >= price.min && cents <= price.max);
}

const readLookup = readerOf(LookupCatalog);
const readProduct = readerOf(GetProduct);

/** Returns each product once, with the variants that the IDs name, and a message for each missing one. */
async function lookUpCatalog(deps: CatalogDeps, shopping: Shopping, body: unknown): Promise<object> {
  const { ids: given, filters = {} } = readLookup(body);
  const ids = [...new Set(given)];
  if (ids.length > MAX_LIMIT) throw new Refusal('request_too_large', `Send up to ${MAX_LIMIT} IDs at once.`);
  const { tokens } = deps;
  const locale = localeOf(shopping.language, 'US');
  const filter = productFilterOf(tokens, filters);
  const opened = ids.map((id) => ({ id, ref: openItem(tokens, id) }));
  const refs = opened.flatMap(({ ref }) => ref ?? []);
  const loaded = (await loadListed(deps, shopping, refs, filter.modes)).flatMap((one) => one ?? []);
  const byRef = new Map(loaded.map((one) => [sealProduct(tokens, one.listed.product), one]));
  /** The inputs of each variant, by product. */
  const found = new Map<Loaded, Map<Variant, { id: string; match: string }[]>>();
  const missing: string[] = [];
  for (const { id, ref } of opened) {
    const one = ref && byRef.get(sealProduct(tokens, ref));
    const variants = one ? variantsOf(one.listed, tokens) : [];
    const exact = variants.find((variant) => variant.id === id);
    const isProduct = one && sealProduct(tokens, one.listed.product) === id;
    const variant = exact ?? (isProduct ? variants[0] : undefined);
    if (!one || !variant || !passes(one.listed, one.way, filter, deps)) {
      missing.push(id);
      continue;
    }
    const inputs = found.get(one) ?? new Map();
    inputs.set(variant, [...(inputs.get(variant) ?? []), { id, match: exact ? 'exact' : 'featured' }]);
    found.set(one, inputs);
  }
  const view = viewOf(deps, shopping, locale);
  const shown = [...found.keys()].map(({ listed }) => listed);
  const products = [...found].map(([{ listed }, inputs]) => {
    const product = presentProduct(listed, view, [...inputs.keys()]);
    const byId = new Map([...inputs].map(([variant, list]) => [variant.id, list]));
    return { ...product, variants: product.variants.map((one) => ({ ...one, inputs: byId.get(one.id) })) };
  });
  const messages = [
    ...missing.map((content): Message => ({ type: 'info', code: 'not_found', content })),
    ...unknownFilters(body, locale.words),
    ...productMessages(shown, locale, (nth) => `$.products[${nth}]`),
  ];
  return { products, ...withMessages(messages) };
}

/** Shows a product with the selected choices, as far as there is such a variant. */
async function getProduct(deps: CatalogDeps, shopping: Shopping, body: unknown): Promise<object> {
  const { id, selected = [], preferences = [], filters = {} } = readProduct(body);
  const { tokens } = deps;
  const locale = localeOf(shopping.language, 'US');
  const ref = openItem(tokens, id);
  const [one] = await loadListed(deps, shopping, ref ? [ref] : [], productFilterOf(tokens, filters).modes);
  const all = one ? variantsOf(one.listed, tokens) : [];
  const named = all.find((variant) => variant.id === id);
  if (!one || (!named && sealProduct(tokens, one.listed.product) !== id)) {
    return notFound(shopping, locale.words.agent.catalog.noProduct);
  }
  const { listed } = one;
  const wished = named && named.choices.length > 0 ? named.choices : selected;
  const effective = effectiveChoices(all, wished, preferences);
  const shown = all.filter((variant) => hasChoices(variant, effective));
  const options = (listed.sold?.groups ?? []).map((group) => presentGroup(group, all, effective, isInStock(listed)));
  const product = {
    ...presentProduct(listed, viewOf(deps, shopping, locale), shown),
    ...(options.length > 0 ? { options } : {}),
    ...(effective.length === 0 ? {} : { selected: effective }),
  };
  return { product, ...withMessages(productMessages([listed], locale, () => '$.product')) };
}

const hasChoices = ({ choices }: Pick<Variant, 'choices'>, wished: readonly Choice[]) =>
  wished.every(({ name, label }) => choices.some((one) => one.name === name && one.label === label));

/** Drops choices until a variant has all the rest: first those without preference, then from the last preference. */
function effectiveChoices(
  variants: readonly Variant[],
  wished: readonly Choice[],
  preferences: readonly string[],
): readonly Choice[] {
  const rankOf = ({ name }: Choice) => (preferences.includes(name) ? preferences.indexOf(name) : preferences.length);
  const kept = wished.toSorted((one, other) => rankOf(one) - rankOf(other));
  while (kept.length > 0 && !variants.some((variant) => hasChoices(variant, kept))) kept.pop();
  return kept;
}

function presentGroup(
  { name, labels }: { name: string; labels: readonly string[] },
  variants: readonly Variant[],
  effective: readonly Choice[],
  isSold: boolean,
) {
  const others = effective.filter((choice) => choice.name !== name);
  const values = labels.map((label) => {
    const exists = variants.some((variant) => hasChoices(variant, [...others, { name, label }]));
    return { label, exists, available: exists && isSold };
  });
  return { name, values };
}

/** A response without a resource. */
export const outcome = ({ envelope }: Pick<Shopping, 'envelope'>, ...messages: Message[]): Outcome => ({
  ucp: { ...envelope, status: 'error' },
  messages,
});

/** A response that an ID's object does not exist. */
export const notFound = (shopping: Pick<Shopping, 'envelope'>, content: string, path?: string): Outcome =>
  outcome(shopping, { type: 'error', code: 'not_found', ...present({ path }), content, severity: 'unrecoverable' });
