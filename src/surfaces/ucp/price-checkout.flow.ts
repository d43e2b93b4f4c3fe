import { type AgentOrders, type KeyCaller, sandboxOf } from '../../access/accounts/account.ts';
import type { Order, OrderRequest } from '../../ordering/order/order.ts';
import type { CreateOrderDeps } from '../../ordering/order/order-deps.ts';
import { type OrderFault, OrderRefused } from '../../ordering/order/order-faults.ts';
import { unquotedItem } from '../../ordering/order/product-line.ts';
import {
  cartOf,
  missingToPlace,
  type OrderBody,
  readOrderBody,
  requestedItem,
} from '../../ordering/place/order-body.ts';
import { quoteCart } from '../../ordering/place/place-order.flow.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Language } from '../../platform/languages/language.ts';
import { percentOf } from '../../platform/lib/money.ts';
import { instantOfEpochSeconds, isoSeconds, parseMoment } from '../../platform/lib/time.ts';
import { openProduct, openSlot, sealSlot } from '../../supply/catalog/catalog-tokens.ts';
import { findOptionsOff } from '../../supply/catalog/options-off.db.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { findCatalogProducts } from '../../supply/catalog/products.db.ts';
import { type StoreSnapshot, waitOfSnapshot } from '../../supply/catalog/store-snapshots.cache.ts';
import { availableAt } from '../../supply/pricing/available-at.ts';
import { withinOrderLimit } from '../../supply/pricing/price-order.ts';
import { quoteFor } from '../../supply/pricing/quote.ts';
import type { Slot } from '../../supply/pricing/slots.ts';
import { countItems } from '../../supply/stores/kitchen.ts';
import type { Mode } from '../../supply/stores/store.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { doesPlace, type UcpCheckout } from './checkout.ts';
import { disclosures, linesOf } from './checkout-lines.ts';
import { isAsap, type Options, optionsOf, slotIdOf } from './checkout-options.ts';
import {
  messageOfFault,
  messagesOfMembers,
  methodOf,
  orderBodyOf,
  recoverable,
  requestedTip,
} from './checkout-request.ts';
import type { CheckoutRequest, Message } from './contract.ts';

/** Who orders, and what both sides speak. */
export type Platform = {
  caller: KeyCaller;
  profileUrl: string;
  orders: AgentOrders;
  isFulfillmentNegotiated: boolean;
  isTipNegotiated: boolean;
  language: Language;
  /** Whether the platform named the language; otherwise the account's counts. */
  isLanguageGiven: boolean;
};

/** The store of a cart, and its dishes by the platform's IDs. */
export type Cart = { snapshot: StoreSnapshot; products: ReadonlyMap<string, CatalogProduct> };

/** Undefined for a store that does not exist for the account. */
export async function loadCart(
  { db, tokens, inventory }: CreateOrderDeps,
  { caller }: Platform,
  { storeId, input }: { storeId: string; input: CheckoutRequest },
): Promise<Cart | undefined> {
  const sandbox = sandboxOf(caller);
  const snapshot = await inventory.snapshot(storeId, sandbox);
  if (!snapshot) return undefined;
  const refs = input.line_items.flatMap(({ dish }) => {
    const ref = openProduct(tokens, dish.id);
    return ref?.storeId === storeId ? [[dish.id, ref.productNo] as const] : [];
  });
  const found = await findCatalogProducts(db, storeId, [...new Set(refs.map(([, productNo]) => productNo))], sandbox);
  const byNo = new Map(found.map((product) => [product.productNo, product]));
  const products = refs.flatMap(([id, productNo]) => {
    const product = byNo.get(productNo);
    return product ? [[id, product] as const] : [];
  });
  return { snapshot, products: new Map(products) };
}

/** Why no checkout can be made of a cart, whatever the platform changes; undefined if it can. */
export function unorderableBecause(
  { tokens, clock }: Pick<CreateOrderDeps, 'tokens' | 'clock'>,
  { caller }: Pick<Platform, 'caller'>,
  cart: Cart,
  input: CheckoutRequest,
): Message | undefined {
  const { store } = cart.snapshot;
  const quote = quoteFor({ ...ANYWHERE, store, mode: 'pickup', keyMode: caller.mode, now: clock.now() });
  if ('error' in quote && quote.error === 'STORE_NOT_AVAILABLE') {
    return unrecoverable('location_closed', '$.food_establishment', 'This location takes no orders.');
  }
  // A dish of another store can be replaced (`otherStores`); a dish of no store is a platform's mistake.
  const isElsewhere = (id: string) => (openProduct(tokens, id)?.storeId ?? store.storeId) !== store.storeId;
  const unknown = input.line_items.findIndex(({ dish: { id } }) => !cart.products.has(id) && !isElsewhere(id));
  if (unknown < 0) return undefined;
  return unrecoverable('item_unavailable', `$.line_items[${unknown}].dish`, NO_SUCH_DISH);
}

export function unrecoverable(code: string, path: string, content: string): Message {
  return { type: 'error', code, path, content, severity: 'unrecoverable' };
}

const NO_SUCH_DISH = 'This location has no such dish.';
/** A quote for no door, as soon as possible. */
const ANYWHERE = { door: null, preference: 'first_available', slots: [] } as const;

type Priced = Pick<UcpCheckout, 'input' | 'shown' | 'isQuoted' | 'orderId'>;
type Context = {
  platform: Platform;
  cart: Cart;
  checkout: Pick<UcpCheckout, 'checkoutId' | 'orderId'>;
  now: Temporal.Instant;
};

/**
 * Prices a cart: quotes and stores it as an unplaced order, in place of the order of the cart before; or says what the
 * platform has to change. Refuses like quoting what is no fault of the cart.
 */
export async function priceCheckout(deps: CreateOrderDeps, input: CheckoutRequest, context: Context): Promise<Priced> {
  const { platform, cart, checkout, now } = context;
  const { store } = cart.snapshot;
  const locale = localeOf(platform.language, store.address.country);
  const method = methodOf(input);
  const chosenMode = platform.isFulfillmentNegotiated ? method?.type : 'pickup';
  const mode = chosenMode ?? (store.delivery.enabled ? 'delivery' : 'pickup');
  const body = orderBodyOf(input, mode);
  const terms = { mode, storeClass: store.taxClass };
  const items = body.items
    .map(requestedItem)
    .map((item) => unquotedItem(item, cart.products.get(item.productId), terms));
  const subtotalCents = items.reduce((sum, { totalCents }) => withinOrderLimit(sum + totalCents), 0);
  const { slots } = await deps.inventory.slots(cart.snapshot, mode, now);
  const tip = tipOf(input, { mode, subtotalCents, platform });
  const { requested_fulfillment_time: time, selected_option_id: selectedId } = method ?? {};
  const requestedAt = parseMoment(time ?? '');
  const selected = isAsap(selectedId) ? null : openSlot(deps.tokens, mode, selectedId ?? '');
  const optionsAt = ({
    latitude,
    longitude,
    state,
  }: Pick<OrderRequest['customer'], 'latitude' | 'longitude' | 'state'>) => {
    const door = mode === 'delivery' && latitude !== null && longitude !== null ? { latitude, longitude } : null;
    const wait = waitOfSnapshot(cart.snapshot, now, countItems(items));
    const quoted = { store, mode, keyMode: platform.caller.mode, door, now, wait, slots };
    const seal = (slot: Slot) => sealSlot(deps.tokens, { storeId: store.storeId, mode, ...slot });
    const words = locale.words.shop.cart;
    return optionsOf({ ...quoted, state, subtotalCents, requestedAt, selected, words, sealSlot: seal });
  };
  const first = optionsAt({ latitude: null, longitude: null, state: '' });
  const faults = [
    ...(chosenMode === undefined ? [methodFault(input)] : []),
    ...timeFaults(time, requestedAt, first),
    ...otherStores(cart, input),
  ];
  const optionId = selected === null ? first.selectedId : selectedId;
  const order =
    faults.length > 0
      ? undefined
      : await quote(deps, context, faults, {
          ...body,
          user_id: checkout.checkoutId,
          driver_tip_cents: tip.cents,
          ...(platform.isLanguageGiven ? { user_language: platform.language } : {}),
          scheduled_id: slotIdOf(optionId) ?? '',
        });
  const shownItems = order?.quote.items ?? items;
  const options = order ? optionsAt(order.request.customer) : first;
  return {
    input,
    orderId: order?.orderId ?? checkout.orderId,
    isQuoted: order !== undefined,
    shown: {
      lines: linesOf(input, shownItems),
      messages: [
        ...faults,
        ...(order ? missingMembers(order, platform) : []),
        ...tip.warnings,
        ...disclosures(shownItems, locale),
      ],
      availableMethods: availableMethods(cart, now),
      options: options.options,
      selectedOptionId: options.selectedId,
      totalCents: order?.quote.totalWithTipCents ?? null,
    },
  };
}

/** Orders without one method, of which a checkout has exactly one. */
function methodFault({ fulfillment }: CheckoutRequest): Message {
  const several = (fulfillment?.methods ?? []).length > 1;
  const content = several ? 'Choose one method.' : 'Choose delivery or pickup.';
  return recoverable(several ? 'invalid' : 'missing', '$.fulfillment.methods', content);
}

function timeFaults(requested: string | undefined, at: Temporal.Instant | undefined, options: Options): Message[] {
  if (requested === undefined || (at && options.isPossible)) return [];
  const path = '$.fulfillment.methods[0].requested_fulfillment_time';
  if (!at) return [recoverable('invalid', path, 'Send a moment of RFC 3339.')];
  return [recoverable('location_closed', path, 'Orders are not taken for this time; choose one of the options.')];
}

/** Dishes of the cart that are of another store. */
function otherStores({ products }: Cart, input: CheckoutRequest): Message[] {
  return input.line_items.flatMap(({ dish }, index) =>
    products.has(dish.id) ? [] : [recoverable('item_unavailable', `$.line_items[${index}].dish`, NO_SUCH_DISH)],
  );
}

type Tip = { cents: number; warnings: Message[] };

function tipOf(
  input: CheckoutRequest,
  { mode, subtotalCents, platform }: { mode: Mode; subtotalCents: number; platform: Platform },
): Tip {
  if (!platform.isTipNegotiated) return { cents: 0, warnings: [] };
  const tip = requestedTip(input);
  const cents = 'cents' in tip ? tip.cents : percentOf(tip.percent, subtotalCents);
  if (mode === 'delivery' || cents === 0) return { cents, warnings: [] };
  const content = 'A pickup has no tip; none is charged.';
  return { cents: 0, warnings: [{ type: 'warning', code: 'tip_not_applied', path: '$.tip', content }] };
}

/** When each mode that the store has can be ordered. */
function availableMethods({ snapshot, snapshot: { store, fullStarts } }: Cart, now: Temporal.Instant): object[] {
  return (['delivery', 'pickup'] as const).flatMap((mode) => {
    const { enabled, accepting } = store[mode];
    if (!enabled || !accepting) return [];
    const quote = quoteFor({ ...ANYWHERE, store, mode, keyMode: 'sandbox', now, wait: waitOfSnapshot(snapshot, now) });
    if (!('error' in quote)) return [{ type: mode, fulfillable_on: 'now' }];
    const nextS = availableAt(quote, { store, mode, now, fullStarts: fullStarts[mode] });
    return nextS === null ? [] : [{ type: mode, fulfillable_on: isoSeconds(instantOfEpochSeconds(nextS)) }];
  });
}

/** What placing needs beyond the quote. Where a person finishes the order, its page asks for the contacts. */
function missingMembers({ request }: Order, platform: Platform): Message[] {
  const missing = missingToPlace(request).filter(({ name }) => name !== 'payment_method_id');
  const isEnteredOnPage = ({ name }: { name: string }) =>
    !doesPlace(platform) && /^user_(name|email|phone)$/.test(name);
  return messagesOfMembers(missing.filter((fault) => !isEnteredOnPage(fault)));
}

/** Meters between an address and its coordinate beyond which one of them must be wrong. */
const MAX_APART_METERS = 500;

/** Quotes the cart, in place of the order before. Adds what is wrong with it to the faults, and then returns none. */
async function quote(
  deps: CreateOrderDeps,
  { platform: { caller }, cart, checkout }: Context,
  faults: Message[],
  body: object,
): Promise<Order | undefined> {
  const parsed = readOrderBody(body);
  if ('error' in parsed) {
    faults.push(...messagesOfMembers(parsed.error.extras.errors ?? []));
    return undefined;
  }
  try {
    const how = { replaces: checkout.orderId, maxApartMeters: MAX_APART_METERS };
    return (await quoteCart(deps, caller, cartOf(parsed.value as OrderBody), how)).order;
  } catch (error) {
    const found = await messagesOfRefusal(deps, cart.snapshot.store.storeId, error);
    if (!found) throw error;
    faults.push(...found);
    return undefined;
  }
}

/** The faults of a cart that a refusal is about; undefined if it is about something else. */
export async function messagesOfRefusal(
  deps: CreateOrderDeps,
  storeId: string,
  error: unknown,
): Promise<Message[] | undefined> {
  if (error instanceof OrderRefused) return messagesOfFaults(deps, storeId, error.faults.slice(0, MAX_MESSAGES));
  if (!(error instanceof Refusal)) return undefined;
  const { code, message, extras } = error;
  if (code === 'address_not_found' || code === 'geocoder_not_configured') {
    return [recoverable('address_undeliverable', '$.fulfillment.methods[0].destination', message)];
  }
  return code === 'invalid_request' && extras.errors ? messagesOfMembers(extras.errors) : undefined;
}

/** Options that the store has taken off sale, with all that they open, are out of stock; others are wrong choices. */
async function messagesOfFaults(
  { db }: CreateOrderDeps,
  storeId: string,
  faults: readonly OrderFault[],
): Promise<Message[]> {
  const productNos = new Set(faults.flatMap(({ product }) => product?.productNo ?? []));
  const off = await findOptionsOff(db, storeId, [...productNos]);
  return faults.map((fault) => {
    const { product, optionIds = [] } = fault;
    const hidden = optionIds.map((id) => product && off.get(product.productNo)?.get(id));
    if (hidden.length === 0 || hidden.includes(undefined)) return messageOfFault(fault);
    return messageOfFault({ ...fault, because: 'off_sale', message: `Off sale at the moment: ${hidden.join(', ')}.` });
  });
}

/** Maximum messages of a cart, which may have thousands of wrong options. */
const MAX_MESSAGES = 200;
