import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import type { CustomerCaller } from '../../access/customers/authenticate-customer.hook.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { unquotedItem } from '../../ordering/order/product-line.ts';
import { lineDiscountCents } from '../../ordering/order/shown-discounts.ts';
import { MAX_ITEMS, orderRequestOf } from '../../ordering/place/order-body.ts';
import { discountCart } from '../../ordering/place/place-order.flow.ts';
import { pageLanguage } from '../../platform/languages/page-language.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { isoSeconds } from '../../platform/lib/time.ts';
import { menuPriceForMode } from '../../supply/catalog/availability.ts';
import { sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import type { StoreSnapshot } from '../../supply/catalog/store-snapshots.cache.ts';
import { type PricedPromotions, withinOrderLimit } from '../../supply/pricing/price-order.ts';
import { quoteFor } from '../../supply/pricing/quote.ts';
import { currencyOf, type Mode } from '../../supply/stores/store.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { READ_ONLY } from '../agents/tool.ts';
import type { HostedShop } from '../shop/hosted-shop.flow.ts';
import type { HandedCart, HandedLine } from '../shop/shop-visit.ts';
import { type Call, CHANGES, ENDS, idOf, type Operation, type Outcome } from './admit-platform.flow.ts';
import {
  type Cart,
  type CartOwner,
  cartExpiresAt,
  changeCart,
  findCart,
  insertCart,
  type WantedLine,
} from './carts.db.ts';
import { Context, namedIn, OPEN, readerOf, text } from './catalog-request.ts';
import { type OrderedLine, type ShopLine, statusOf } from './checkout.ts';
import { discountTotals, lineTotals, linksOf } from './checkout-lines.ts';
import { orderBodyOf, recoverable } from './checkout-request.ts';
import { findCheckout } from './checkouts.db.ts';
import { CART_ANSWER, type Message } from './contract.ts';
import { codeWarnings, Discounts, orderedCodes, presentDiscounts } from './discounts.ts';
import { findOwnStore } from './place.flow.ts';
import { presentShopLine } from './present-checkout.ts';
import { isInStock, productMessages, variantCents } from './present-product.ts';
import { ANYWHERE } from './price-checkout.flow.ts';
import { CART, DISCOUNT } from './profile.ts';
import {
  amountOf,
  type Basis,
  basisOf,
  EACH,
  mostOf,
  type Revision,
  settleQuantity,
  shopWeightOf,
  unitsOf,
  writeQuantity,
} from './quantities.ts';
import {
  type CatalogDeps,
  type Loaded,
  loadListed,
  notFound,
  outcome,
  type Shopping,
  shoppingOf,
  storePageOf,
} from './search-catalog.flow.ts';
import { openItem, type Variant } from './variants.ts';

/**
 * Carts of a shop: a platform's items from one store. A cart keeps unavailable items, with quantity 0, so that the
 * platform can offer something else. It is priced whenever it is shown, and reserves nothing.
 */

export type CartDeps = CatalogDeps &
  Pick<OrderDeps, 'inventory' | 'orderStatements' | 'codeGuesses' | 'db' | 'clock' | 'tokens'>;

const Unit = Type.Object({ unit: Type.String({ maxLength: 10 }), scale: Type.Optional(Type.Integer()) });
const Item = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 512, description: "A variant's." }),
    quantity_unit: Type.Optional(Unit),
  },
  OPEN,
);
const quantity = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const LineRequest = Type.Object({ id: text(64), item: Item, quantity }, OPEN);
export type LineRequest = Static<typeof LineRequest>;
/** The lines of a request, at least so many. */
export const linesSchema = (minItems?: number) =>
  Type.Array(LineRequest, { ...present({ minItems }), maxItems: MAX_ITEMS });
const CartBody = Type.Object(
  { line_items: linesSchema(1), context: Type.Optional(Context), discounts: Discounts },
  OPEN,
);
type CartBody = Static<typeof CartBody>;
const readCart = readerOf(CartBody);

const ID = Type.String({ maxLength: 64, description: "The cart's ID." });
const at = (path: string) => ({ paths: [`/carts${path}`], capability: CART, output: CART_ANSWER });
const WRITES = { bodyName: 'cart', idempotency: 'optional', hints: CHANGES } as const;

export const CART_OPERATIONS: readonly Operation<CartDeps>[] = [
  {
    ...at(''),
    ...WRITES,
    method: 'POST',
    tool: 'create_cart',
    title: 'Create a cart',
    description:
      'Creates a cart at one store from variant IDs. It lists sold-out items with alternatives, and a person can continue at continue_url.',
    creates: true,
    input: Type.Object({ cart: CartBody }),
    run: (deps, call) => createCart(deps, cartingOf(call), call.body),
  },
  {
    ...at('/:id'),
    method: 'GET',
    tool: 'get_cart',
    title: 'Read a cart',
    description: 'The cart at the prices of now.',
    hints: READ_ONLY,
    input: Type.Object({ id: ID }),
    run: (deps, call) => withCart(deps, call, async (carting, cart) => (await showCart(deps, carting, cart)).shown),
  },
  {
    ...at('/:id'),
    ...WRITES,
    method: 'PUT',
    tool: 'update_cart',
    title: 'Update a cart',
    description: 'Replaces all lines. An omitted line is removed.',
    input: Type.Object({ id: ID, cart: CartBody }),
    run: (deps, call) => withCart(deps, call, (carting, cart) => updateCart(deps, carting, cart, call.body)),
  },
  {
    ...at('/:id/cancel'),
    method: 'POST',
    tool: 'cancel_cart',
    title: 'Cancel a cart',
    description: 'Ends the cart.',
    hints: ENDS,
    idempotency: 'needed by tool',
    input: Type.Object({ id: ID }),
    run: (deps, call) =>
      withCart(deps, call, (carting, cart) => cancelCart(deps, carting, cart), {
        withCanceled: call.asking.isRepeated,
      }),
  },
];

export type Carting = Shopping & {
  owner: Required<CartOwner>;
  customer: CustomerCaller | undefined;
  /** Whether it is proven who asks. */
  isKnown: boolean;
};

export function cartingOf(call: Call): Carting {
  const shopping = shoppingOf(call);
  const { accountId, mode } = shopping.hosted.shop;
  const { profileUrl, customer, isProven } = call.admitted;
  const owner = { accountId, mode, profileUrl, userId: customer?.userId ?? null };
  return { ...shopping, owner, customer, isKnown: isProven || customer !== undefined };
}

/** A call in the language of its cart or checkout, if the call names none or that language wins. */
export function spokenIn(call: Call, made: string | undefined, { wins } = { wins: false }): Call {
  const { asking } = call;
  if ((asking.isLanguageGiven && !wins) || made === undefined) return call;
  return { ...call, asking: { ...asking, language: pageLanguage([made], undefined), isLanguageGiven: true } };
}

async function withCart(
  { db, clock }: CartDeps,
  call: Call,
  work: (carting: Carting, cart: Cart) => Promise<object>,
  which: { withCanceled?: boolean } = {},
): Promise<object> {
  const carting = cartingOf(call);
  const cart = await findCart(db, idOf(call), carting.owner, clock.now(), which);
  if (cart) return work(cartingOf(spokenIn(call, cart.content.context.language)), cart);
  return noCart(carting);
}

const noCart = (carting: Carting) => notFound(carting, localeOf(carting.language, 'US').words.agent.cart.unknown);

/** A line of a cart as it is now: its available quantity, and its messages. */
export type CartLine = {
  wanted: WantedLine;
  loaded: Loaded | undefined;
  variant: Variant | undefined;
  /** The available quantity: 0 if the item is unavailable. */
  quantity: number;
  revisions: readonly Revision[];
  fault: { code: 'out_of_stock' | 'item_unavailable'; content: string; isForBuyer?: boolean } | undefined;
};

async function createCart(deps: CartDeps, carting: Carting, body: unknown): Promise<object> {
  const wanted = readCart(body);
  const { line_items: given, context = {} } = wanted;
  carting.caller.visitor?.count('carts');
  const snapshot = await findStoreOfCart(deps, carting, given, context);
  if ('fault' in snapshot) return outcome(carting, { ...snapshot.fault, severity: 'unrecoverable' });
  const locale = localeOf(carting.language, snapshot.store.address.country);
  const merged = await mergeLines(deps, carting, given, []);
  const cart: Cart = {
    cartId: randomId('crt_', 16),
    ...carting.owner,
    storeId: snapshot.store.storeId,
    checkoutId: null,
    content: contentOf(carting, merged.lines, wanted),
    changedAt: deps.clock.now(),
  };
  const lines = await resolveLines(deps, carting, snapshot, merged.lines, locale);
  const none = noneOf(deps, carting, cart.storeId, { lines, given, merged, locale });
  if (none) return none;
  const more = merged.messagesAt(merged.lines, locale);
  const { shown, priced } = await presentCart(deps, carting, { cart, snapshot, lines, locale }, more, []);
  await insertCart(deps.db, priced);
  return shown;
}

type Resolved = { lines: readonly CartLine[]; given: readonly LineRequest[]; merged: Merged; locale: Locale };

/**
 * The error of a request without any available line, with paths of the request; undefined if a line is available.
 * `continue_url` is the store's page, or the page of a product whose options the buyer must choose.
 */
export function noneOf(
  { tokens }: CartDeps,
  carting: Carting,
  storeId: string,
  { lines, given, merged, locale }: Resolved,
): Outcome | undefined {
  if (!lines.every(({ fault }) => fault)) return undefined;
  const placeOf = (itemId: string) => given.findIndex(({ item }) => item.id === itemId);
  const faults = lines.flatMap(({ fault, wanted }) => faultOf(fault, placeOf(wanted.itemId)));
  const ended = faults.map((one) => ({ ...one, severity: 'unrecoverable' }) as Message);
  const [product] = lines.flatMap(({ fault, loaded }) => (fault?.isForBuyer && loaded ? loaded.listed.product : []));
  const item = product ? `#item=${encodeURIComponent(sealProduct(tokens, product))}` : '';
  const continue_url = storePageOf(carting, storeId) + item;
  return { ...outcome(carting, ...merged.messagesAt([], locale), ...ended), continue_url };
}

async function updateCart(deps: CartDeps, carting: Carting, cart: Cart, body: unknown): Promise<object> {
  const wanted = readCart(body);
  const merged = await mergeLines(deps, carting, wanted.line_items, cart.content.lines);
  const changed = { ...cart, content: contentOf(carting, merged.lines, wanted), changedAt: deps.clock.now() };
  // Shown first: codes that are refused as guesses are not kept.
  const { shown, priced } = await showCart(deps, carting, changed, merged, cart.content.codes ?? []);
  return (await changeCart(deps.db, priced)) ? shown : noCart(carting);
}

async function cancelCart(deps: CartDeps, carting: Carting, cart: Cart): Promise<object> {
  await changeCart(deps.db, { ...cart, content: { ...cart.content, isCanceled: true } });
  return (await showCart(deps, carting, cart)).shown;
}

/** A platform's codes if it supports discounts; they replace earlier codes. */
export const keptCodes = (
  { envelope }: Pick<Carting, 'envelope'>,
  { codes = [] }: NonNullable<Static<typeof Discounts>> = {},
): Pick<Cart['content'], 'codes'> => (DISCOUNT in envelope.capabilities && codes.length > 0 ? { codes } : {});

function contentOf(carting: Carting, lines: readonly WantedLine[], { context = {}, discounts }: CartBody) {
  return { lines, context: namedIn(Context, context), ...keptCodes(carting, discounts) };
}

/** The store that the context names, otherwise the first line's, otherwise the only one. */
export async function findStoreOfCart(
  deps: CartDeps,
  { hosted: { shop }, caller, language }: Carting,
  lines: readonly LineRequest[],
  { location }: Context,
): Promise<StoreSnapshot | { fault: Omit<Extract<Message, { type: 'error' }>, 'severity'> }> {
  const ofLines = lines.flatMap(({ item }) => openItem(deps.tokens, item.id)?.storeId ?? []);
  const only = shop.storeIds?.length === 1 ? shop.storeIds : [];
  const [storeId] = [location, ...ofLines, ...only].filter((id) => id !== undefined);
  const snapshot = storeId === undefined ? undefined : await findOwnStore(deps, shop, caller, storeId);
  if (snapshot) return snapshot;
  const { agent } = localeOf(language, 'US').words;
  return {
    fault:
      location === undefined
        ? { type: 'error', code: 'item_unavailable', path: '$.line_items[0]', content: agent.catalog.noProduct }
        : { type: 'error', code: 'location_not_found', path: '$.context.location', content: agent.place.unknown },
  };
}

/** Messages about a line at its index. */
type Written = (place: number, locale: Locale) => Message[];
type Merged = { lines: WantedLine[]; messagesAt(shown: readonly WantedLine[], locale: Locale): Message[] };

/**
 * One line an item: equal ones are summed on the first. Lines keep the IDs of the earlier cart. Messages about
 * them have paths of a response with these lines, otherwise paths of the request.
 */
export async function mergeLines(
  deps: CartDeps,
  carting: Pick<Carting, 'caller' | 'hosted'>,
  given: readonly LineRequest[],
  before: readonly WantedLine[],
): Promise<Merged> {
  const asserted = await findAsserted(deps, carting, given);
  const byItem = new Map<string, WantedLine>();
  const said: { itemId: string; nth: number; write: Written }[] = [];
  const used = new Set(before.map(({ id }) => id));
  const taken = new Set<string>();
  for (const [nth, { id, item, quantity: wanted }] of given.entries()) {
    const say = (itemId: string, write: Written) => said.push({ itemId, nth, write });
    const known = before.find((line) => line.id === id && !taken.has(line.id));
    if (known) taken.add(known.id);
    const same = byItem.get(item.id);
    const { product = {}, basis = undefined } = asserted.get(item.id) ?? {};
    const settled = basis
      ? settleQuantity({ quantity: wanted, unit: item.quantity_unit }, basis, Number.MAX_SAFE_INTEGER)
      : { quantity: wanted, revisions: [] };
    if (!settled) {
      say(known?.itemId ?? item.id, (place, { words: { agent } }) => {
        const unit = asserted.get(item.id)?.product.weight?.unit ?? '';
        const content = basis === EACH ? agent.cart.sizedByPiece : agent.cart.sizedByWeight({ unit });
        return [recoverable('quantity_unit_mismatch', `$.line_items[${place}].item.quantity_unit`, content)];
      });
      if (known) byItem.set(known.itemId, known);
      continue;
    }
    const { quantity, revisions } = settled;
    say(item.id, (place, locale) => revisionMessages({ product, quantity, revisions }, place, locale));
    if (same) {
      byItem.set(item.id, { ...same, quantity: Math.min(same.quantity + quantity, Number.MAX_SAFE_INTEGER) });
      say(item.id, (place, { words: { agent } }) => [
        { type: 'info', code: 'lines_merged', path: `$.line_items[${place}]`, content: agent.cart.merged },
      ]);
    } else {
      const { unitCents } = before.find(({ itemId }) => itemId === item.id) ?? {};
      byItem.set(item.id, { id: known?.id ?? freshId(used), itemId: item.id, quantity, ...present({ unitCents }) });
    }
  }
  return {
    lines: [...byItem.values()],
    messagesAt: (shown, locale) =>
      said.flatMap(({ itemId, nth, write }) => {
        const place = shown.findIndex((line) => line.itemId === itemId);
        return write(place < 0 ? nth : place, locale);
      }),
  };
}

/** The products of lines that assert a unit, by item, with the units of their quantities. */
async function findAsserted(
  deps: CartDeps,
  carting: Pick<Carting, 'caller' | 'hosted'>,
  given: readonly LineRequest[],
) {
  const ids = [...new Set(given.flatMap(({ item }) => (item.quantity_unit ? [item.id] : [])))];
  const asserted = new Map<string, { product: CatalogProduct; basis: Basis }>();
  if (ids.length === 0) return asserted;
  const loaded = await loadLines(deps, carting, ids);
  for (const [nth, id] of ids.entries()) {
    const product = loaded[nth]?.listed.product;
    if (product) asserted.set(id, { product, basis: basisOf(product) });
  }
  return asserted;
}

/** The products of items; undefined for unknown ones. */
function loadLines(deps: CartDeps, carting: Pick<Carting, 'caller' | 'hosted'>, ids: readonly string[]) {
  const refs = ids.map((id) => openItem(deps.tokens, id) ?? { storeId: '', productNo: 0 });
  return loadListed(deps, carting, refs, []);
}

type Revised = { product: Partial<CatalogProduct>; quantity: number; revisions: readonly Revision[] };

/** Says how a quantity was changed. */
function revisionMessages({ product, quantity, revisions }: Revised, nth: number, locale: Locale): Message[] {
  const { cart } = locale.words.agent;
  const names = { product: product.name ?? '', left: writeQuantity(product, quantity, locale) };
  const contents = {
    quantity_adjusted: cart.lowered,
    quantity_increment_revised: cart.stepped,
    quantity_unit_converted: cart.converted,
  };
  const path = `$.line_items[${nth}].quantity`;
  return revisions.map((code) => ({ type: 'warning', code, path, content: contents[code](names) }));
}

function freshId(used: Set<string>): string {
  let number = used.size + 1;
  while (used.has(`li_${number}`)) number += 1;
  used.add(`li_${number}`);
  return `li_${number}`;
}

export async function resolveLines(
  deps: CartDeps,
  carting: Pick<Carting, 'caller' | 'hosted'>,
  { store }: StoreSnapshot,
  wanted: readonly WantedLine[],
  { words }: Locale,
): Promise<CartLine[]> {
  const ids = wanted.map(({ itemId }) => itemId);
  const loaded = await loadLines(deps, carting, ids);
  return wanted.map((line, nth): CartLine => {
    const one = loaded[nth];
    const none = { wanted: line, loaded: one, variant: undefined, quantity: 0, revisions: [] };
    const { catalog, cart } = words.agent;
    const unavailable = (content: string) => ({ ...none, fault: { code: 'item_unavailable' as const, content } });
    if (!one) return unavailable(catalog.noProduct);
    const { listed, sold } = one;
    const { product } = listed;
    if (listed.store.storeId !== store.storeId) return unavailable(cart.otherStore({ store: listed.store.name }));
    if (!sold) {
      const content = cart.needsChoices({ product: product.name });
      return { ...none, fault: { code: 'item_unavailable', content, isForBuyer: true } };
    }
    const variant =
      sold.variants.find(({ id }) => id === line.itemId) ?? (sold.variants.length === 1 ? sold.variants[0] : undefined);
    if (!variant) return unavailable(catalog.noProduct);
    if (!isInStock(listed)) {
      return {
        ...none,
        variant,
        fault: { code: 'out_of_stock', content: cart.soldOut({ product: product.name, store: store.name }) },
      };
    }
    const settled = settleQuantity(line, basisOf(product), mostOf(product)) ?? { quantity: 0, revisions: [] };
    return { wanted: line, loaded: one, variant, ...settled, fault: undefined };
  });
}

/** Messages about lines; `more` precede those about changed quantities. */
export const linesInWords = (lines: readonly CartLine[], locale: Locale, more: readonly Message[] = []): Message[] => [
  ...lines.flatMap(({ fault }, nth) => faultOf(fault, nth)),
  ...more,
  ...lines.flatMap(({ fault, loaded, quantity, revisions }, nth) =>
    fault || !loaded ? [] : revisionMessages({ product: loaded.listed.product, quantity, revisions }, nth, locale),
  ),
];

function faultOf(fault: CartLine['fault'], nth: number): Message[] {
  if (!fault) return [];
  const { code, content, isForBuyer } = fault;
  const severity = isForBuyer ? 'requires_buyer_input' : 'recoverable';
  return [{ type: 'error', code, path: `$.line_items[${nth}]`, content, severity }];
}

/** Shows a cart at current prices. `merged` has messages of this call; `known` are codes that the cart had before. */
async function showCart(
  deps: CartDeps,
  carting: Carting,
  cart: Cart,
  merged?: Merged,
  known = cart.content.codes ?? [],
): Promise<PricedCart> {
  const snapshot = await findOwnStore(deps, carting.hosted.shop, carting.caller, cart.storeId);
  const locale = localeOf(carting.language, snapshot?.store.address.country ?? 'US');
  if (!snapshot) {
    const content = locale.words.agent.place.unknown;
    const fault = { type: 'error', code: 'location_not_found', content, severity: 'unrecoverable' } as const;
    return { shown: outcome(carting, fault), priced: cart };
  }
  const lines = await resolveLines(deps, carting, snapshot, cart.content.lines, locale);
  const more = merged?.messagesAt(cart.content.lines, locale) ?? [];
  return presentCart(deps, carting, { cart, snapshot, lines, locale }, more, known);
}

/** The response of a cart, and the cart with the prices in it. */
type PricedCart = { shown: object; priced: Cart };

type ShownCart = { cart: Cart; snapshot: StoreSnapshot; lines: readonly CartLine[]; locale: Locale };

async function presentCart(
  deps: CartDeps,
  carting: Carting,
  { cart, snapshot, lines, locale }: ShownCart,
  more: readonly Message[],
  known: readonly string[],
): Promise<PricedCart> {
  const { store } = snapshot;
  const items = lines.map((line) => presentLine(line, store.taxClass));
  const wanted = items.map(({ line }) => line);
  const subtotal = items.reduce((sum, { cents }) => withinOrderLimit(sum + cents), 0);
  const { codes = [] } = cart.content;
  const userId = carting.customer?.userId ?? '';
  const promotions: PricedPromotions =
    DISCOUNT in carting.envelope.capabilities
      ? await findCartDiscounts(deps, carting, cart, { lines, wanted, mode: modeOf(store), known })
      : {};
  // Discounts count the lines that can be had.
  const counted = lines.flatMap(({ fault }, nth) => (fault ? [] : [nth]));
  const pathOfLine = (line: number) => `$.line_items[${counted[line] ?? line}]`;
  const discounts = presentDiscounts(codes, promotions, { pathOfLine }, locale);
  const { agent } = locale.words;
  const inCart = lines.flatMap(({ loaded }, nth) => (loaded ? [{ nth, listed: loaded.listed }] : []));
  const listed = inCart.map((one) => one.listed);
  const messages: Message[] = [
    ...more,
    ...linesInWords(lines, locale, await findAlternatives(deps, carting, lines, locale)),
    ...priceMessages(lines, wanted, locale),
    ...productMessages(listed, locale, (at) => `$.line_items[${inCart[at]?.nth ?? at}]`),
    ...codeWarnings(codes, promotions, userId !== '', locale),
    { type: 'info', code: 'estimate_excludes_fees', path: '$.totals', content: agent.cart.estimate },
    ...minimumMessages(deps, carting, snapshot, subtotal, locale),
  ];
  const shown = {
    id: cart.cartId,
    line_items: items.map(({ line, cents, more }, nth) =>
      presentShopLine(line, lineTotals(cents, lineDiscountCents(promotions, counted.indexOf(nth))), more),
    ),
    ...(Object.keys(cart.content.context).length > 0 ? { context: cart.content.context } : {}),
    currency: currencyOf(store.address.country),
    ...present({ discounts }),
    totals: totalsOfCart(subtotal, promotions, locale),
    messages,
    links: linksOf(carting.hosted.branding),
    continue_url: cartUrlOf(deps, carting, cart.cartId),
    expires_at: isoSeconds(cartExpiresAt(cart)),
  };
  const pricedLines = lines.map(({ wanted: line, fault }, nth) => {
    const { unitCents } = (fault ? line : wanted[nth]) ?? {};
    return { ...line, ...present({ unitCents }) };
  });
  return { shown, priced: { ...cart, content: { ...cart.content, lines: pricedLines } } };
}

/** A warning for each line whose price has changed since its last answer, or since `first` if it has had none. */
export const priceMessages = (
  lines: readonly CartLine[],
  priced: readonly ShopLine[],
  { words, format }: Locale,
  first: readonly ShopLine[] = [],
): Message[] =>
  priced.flatMap(({ unitCents, title: product }, nth) => {
    const { fault, wanted } = lines[nth] ?? {};
    const before = wanted?.unitCents ?? first[nth]?.unitCents ?? unitCents;
    if (fault || before === unitCents) return [];
    const content = words.agent.checkout.newPrice({ product, price: format.money(unitCents) });
    return [{ type: 'warning', code: 'price_changed', path: `$.line_items[${nth}].item.price`, content }];
  });

const modeOf = ({ delivery }: StoreSnapshot['store']) => (delivery.enabled ? 'delivery' : 'pickup');

/** The items' totals with their discounts; discounts on delivery aren't known yet. */
function totalsOfCart(amount: number, { discounts = [] }: PricedPromotions, locale: Locale) {
  const ofItems = discountTotals({ discounts: discounts.filter(({ slot }) => slot !== 'delivery') }, locale);
  const off = ofItems.reduce((sum, one) => sum + one.amount, 0);
  return [{ type: 'subtotal', amount }, ...ofItems, { type: 'total', amount: amount + off }];
}

/** A line as both carts and checkouts show it, with its total price, in cents. */
export function presentLine(
  { wanted, loaded, variant, quantity }: CartLine,
  storeClass: Parameters<typeof unquotedItem>[2]['storeClass'],
): { line: ShopLine; cents: number; more: { image_url?: string } } {
  const product = loaded?.listed.product;
  const selectedOptions = (variant?.options ?? []).map((option) => ({ ...option, markedPriceCents: null }));
  const requested = { productId: wanted.itemId, quantity, notes: '', markedPriceCents: null, selectedOptions };
  const amount = product && amountOf(product, quantity);
  const mode = loaded?.listed.mode ?? 'delivery';
  const one = unquotedItem({ ...requested, quantity: 1, ...present({ amount }) }, product, { mode, storeClass });
  const cents = withinOrderLimit(amount ? (quantity > 0 ? one.totalCents : 0) : one.totalCents * quantity);
  const currency = currencyOf(loaded?.listed.store.address.country ?? 'US');
  const choices = variant?.choices.map(({ label }) => label).join(', ') ?? '';
  const shown = quantity || wanted.quantity;
  const units = product?.weight && unitsOf(product, { cents: menuPriceForMode(product, mode), currency });
  const line = {
    id: wanted.id,
    itemId: wanted.itemId,
    title: [one.name, choices].filter(Boolean).join(', '),
    unitCents: loaded && variant && amount ? variantCents(loaded.listed, variant) : one.totalCents,
    quantity: shown,
    ...present({ amount: product && amountOf(product, shown), units: units ?? undefined }),
  };
  const image = product?.image;
  return { line, cents, more: image && URL.canParse(image) ? { image_url: image } : {} };
}

/** Whether the store takes an order of this size; a closed store gets no message. */
function minimumMessages(
  { clock }: CartDeps,
  { hosted: { shop } }: Carting,
  { store }: StoreSnapshot,
  subtotal: number,
  { words, format }: Locale,
): Message[] {
  const mode = modeOf(store);
  const quote = quoteFor({ ...ANYWHERE, store, mode, keyMode: shop.mode, now: clock.now() });
  const missing = 'error' in quote ? 0 : quote.orderMinimumCents - subtotal;
  if (missing <= 0) return [];
  const content = words.agent.cart.minimum({ store: store.name, missing: format.money(missing) });
  return [{ type: 'info', code: 'minimum_order_unmet', path: '$.totals', content }];
}

const MAX_ALTERNATIVES = 3;
/** Maximum lines to suggest alternatives for. */
const MAX_SOLD_OUT = 5;

/** What else of its category the store has instead of a product that is sold out, best match first. */
async function findAlternatives(
  deps: CartDeps,
  carting: Carting,
  lines: readonly CartLine[],
  { words, format }: Locale,
): Promise<Message[]> {
  const soldOut = lines.flatMap(({ fault, loaded }, nth) =>
    fault?.code === 'out_of_stock' && loaded ? [{ loaded, nth }] : [],
  );
  const messages: Message[] = [];
  for (const { loaded, nth } of soldOut.slice(0, MAX_SOLD_OUT)) {
    const { product, store } = loaded.listed;
    const where = { store_id: store.storeId, user_latitude: store.latitude, user_longitude: store.longitude };
    // Any of its words: the whole name belongs only to the product.
    const [last = product.name] = product.name.split(/\s+/).slice(-1);
    const { products } = await deps.searchProducts(carting.caller, { query: last, ...where }, 'body');
    const refs = products.flatMap(({ product_id: id }) => openItem(deps.tokens, id) ?? []);
    const others = (await loadListed(deps, carting, refs, [])).filter((one) => one?.sold && isInStock(one.listed));
    const same = others.filter((one) => one?.listed.product.categoryNo === product.categoryNo);
    const named = same.slice(0, MAX_ALTERNATIVES).flatMap((one) => {
      const [variant] = one?.sold?.variants ?? [];
      return one && variant ? [`${one.listed.product.name} (${variant.id})`] : [];
    });
    if (named.length === 0) continue;
    const content = words.agent.cart.alternatives({ list: format.list(named) });
    messages.push({ type: 'info', code: 'alternatives_available', path: `$.line_items[${nth}]`, content });
  }
  return messages;
}

/** The shop's page with this cart: anyone who has its key can open it. */
export function cartUrlOf({ tokens }: CartDeps, { siteUrl, hosted }: Shopping, cartId: string): string {
  return `${siteUrl}${hosted.isOwnHost ? '' : '/shop'}/cart/${cartId}?key=${tokens.sign(CART_LINK, Buffer.from(cartId))}`;
}
export const CART_LINK = 'ucp-cart';

type Handed = Pick<Cart, 'storeId'> & { content: Pick<Cart['content'], 'lines' | 'codes'> };

/** A cart, or an open checkout's request that is no order yet. */
export async function findHanded({ db, clock }: CartDeps, id: string, shop: CartOwner): Promise<Handed | undefined> {
  const now = clock.now();
  const cart = await findCart(db, id, shop, now);
  const checkout = cart ? undefined : await findCheckout(db, id, shop);
  if (!checkout || checkout.isQuoted || statusOf({ checkout, order: undefined, messages: [], now }) === 'canceled')
    return cart;
  const { wanted: lines = [], codes } = checkout.input;
  return { storeId: checkout.storeId, content: { lines, ...present({ codes }) } };
}

/** The lines of a cart that can be had now, and its codes, as the shop's page takes them. */
export async function readHanded(deps: CartDeps, hosted: HostedShop, cart: Handed): Promise<HandedCart> {
  const { accountId, mode, keyId, storeIds } = hosted.shop;
  const caller = { accountId, mode, keyId };
  const snapshot = await findOwnStore(deps, { storeIds }, caller, cart.storeId);
  if (!snapshot) return { handed: [] };
  const locale = localeOf(hosted.branding.language, snapshot.store.address.country);
  const lines = await resolveLines(deps, { caller, hosted }, snapshot, cart.content.lines, locale);
  const handed = lines.flatMap((line): HandedLine[] => {
    const { loaded, variant, quantity, fault } = line;
    if (fault || !loaded || !variant) return [];
    const { product } = loaded.listed;
    const { options, extraCents } = variant;
    const weighed = shopWeightOf(product, quantity, extraCents);
    const unitCents = weighed
      ? menuPriceForMode(product, loaded.listed.mode) + extraCents
      : presentLine(line, snapshot.store.taxClass).line.unitCents;
    const productId = sealProduct(deps.tokens, product);
    return [{ productId, name: product.name, image: product.image ?? '', quantity, unitCents, options, ...weighed }];
  });
  const codes = [...new Set(orderedCodes(cart.content.codes))];
  return { handed, ...(codes.length > 0 ? { codes } : {}) };
}

/** The available lines as order items: products with their options. */
export const orderedLines = ({ tokens }: CartDeps, lines: readonly CartLine[]): OrderedLine[] =>
  lines.flatMap(({ loaded, variant, quantity, wanted: { id }, fault }) => {
    if (fault || !loaded || !variant) return [];
    const modifications = variant.options.map((option) => ({ id: option.optionId, quantity: option.quantity }));
    return [{ id, quantity, dish: { id: sealProduct(tokens, loaded.listed.product), modifications } }];
  });

/** Finds the discounts of a cart's available lines, in their order. `known` codes guess nothing. */
async function findCartDiscounts(
  deps: CartDeps,
  { caller, customer }: Carting,
  { cartId, content: { codes } }: Cart,
  {
    lines,
    wanted,
    mode,
    known,
  }: { lines: readonly CartLine[]; wanted: readonly ShopLine[]; mode: Mode; known: readonly string[] },
): Promise<PricedPromotions> {
  const line_items = orderedLines(deps, lines);
  if (line_items.length === 0) return {};
  // Empty while no one is known.
  const user_id = customer?.userId ?? '';
  const body = orderBodyOf({ line_items, ...present({ codes }), wanted }, mode);
  const request = orderRequestOf({ ...body, user_id });
  return discountCart(deps, caller, request, { cartId, known: orderedCodes(known) });
}
