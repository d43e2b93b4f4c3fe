import { present } from 'doorstep/collections';
import { type AgentOrders, type KeyCaller, sandboxOf } from '../../access/accounts/account.ts';
import type { TokenBearer } from '../../access/customers/grants.db.ts';
import type { Order, OrderRequest, RequestedItem } from '../../ordering/order/order.ts';
import type { CreateOrderDeps } from '../../ordering/order/order-deps.ts';
import { type OrderFault, OrderRefused } from '../../ordering/order/order-faults.ts';
import { timeZoneOfDoor } from '../../ordering/order/order-times.ts';
import { unquotedItem } from '../../ordering/order/product-line.ts';
import type { PaymentMethod } from '../../ordering/payments/payment-method.ts';
import {
  cartOf,
  missingToPlace,
  type OrderBody,
  readOrderBody,
  requestedItem,
} from '../../ordering/place/order-body.ts';
import { quoteCart } from '../../ordering/place/place-order.flow.ts';
import { readItems } from '../../ordering/place/weigh-items.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { sentence } from '../../platform/languages/grammar.ts';
import type { Language } from '../../platform/languages/language.ts';
import { percentOf } from '../../platform/lib/money.ts';
import { epochSeconds, instantOfEpochSeconds, isoSeconds, parseMoment } from '../../platform/lib/time.ts';
import { openProduct, openSlot, sealSlot } from '../../supply/catalog/catalog-tokens.ts';
import { findOptionsOff } from '../../supply/catalog/options-off.db.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { findCatalogProducts } from '../../supply/catalog/products.db.ts';
import { type StoreSnapshot, waitOfSnapshot } from '../../supply/catalog/store-snapshots.cache.ts';
import { availableAt } from '../../supply/pricing/available-at.ts';
import { deliveryFeeCents, withinOrderLimit } from '../../supply/pricing/price-order.ts';
import { type Quote, type QuoteFailure, type QuoteQuestion, quoteFor } from '../../supply/pricing/quote.ts';
import type { Slot } from '../../supply/pricing/slots.ts';
import { countItems } from '../../supply/stores/kitchen.ts';
import { nextOpening } from '../../supply/stores/open-state.ts';
import { readCountry } from '../../supply/stores/region.ts';
import type { Mode, Store } from '../../supply/stores/store.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { type FaultyOrder, faultInWords } from '../checkout/fault-words.ts';
import type { Call } from './admit-platform.flow.ts';
import { doesPlace, type UcpCheckout } from './checkout.ts';
import { disclosures, linesOf } from './checkout-lines.ts';
import {
  atRecipient,
  messageOfFault,
  messagesOfMembers,
  methodOf,
  orderBodyOf,
  recoverable,
  requestedTip,
} from './checkout-request.ts';
import type { CheckoutRequest, Message } from './contract.ts';
import { DISCOUNT, FULFILLMENT, SHOP_FULFILLMENT, TIP } from './profile.ts';

/** Who orders, and what both sides speak. */
export type Platform = {
  caller: KeyCaller;
  profileUrl: string;
  /** Whom it acts for, by a token. */
  userId: string | null;
  /** Of that token: what the customer allows, and the cards that were saved. */
  bearer?: TokenBearer;
  cards?: readonly PaymentMethod[];
  orders: AgentOrders;
  /** Whether it has proven who it is. */
  isProven: boolean;
  isFulfillmentNegotiated: boolean;
  isTipNegotiated: boolean;
  isDiscountNegotiated: boolean;
  language: Language;
  /** Whether the platform named the language; otherwise the account's counts. */
  isLanguageGiven: boolean;
  /** Whether it repeats a request that may have been carried out. */
  isRepeated: boolean;
};

/** `caller` is that of a platform that is not bound. */
export function platformOf({ admitted, asking }: Call, caller: KeyCaller): Platform {
  const { bound, customer, profileUrl, isProven, negotiated } = admitted;
  const { language, isLanguageGiven, isRepeated } = asking;
  return {
    caller: bound?.caller ?? caller,
    profileUrl,
    userId: customer?.userId ?? null,
    ...present({ bearer: customer?.bearer }),
    orders: bound?.orders ?? 'handover',
    isProven,
    isFulfillmentNegotiated: negotiated.has(FULFILLMENT) || negotiated.has(SHOP_FULFILLMENT),
    isTipNegotiated: negotiated.has(TIP),
    isDiscountNegotiated: negotiated.has(DISCOUNT),
    language,
    isLanguageGiven,
    isRepeated,
  };
}

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
  { caller, language }: Pick<Platform, 'caller' | 'language'>,
  cart: Cart,
  input: CheckoutRequest,
): Message | undefined {
  const { store } = cart.snapshot;
  const { words } = localeOf(language, store.address.country);
  const quote = quoteFor({ ...ANYWHERE, store, mode: 'pickup', keyMode: caller.mode, now: clock.now() });
  if ('error' in quote && quote.error === 'STORE_NOT_AVAILABLE') {
    const content = words.checkout.faults.notAvailable({ store: store.name });
    return unrecoverable('location_closed', '$.food_establishment', content);
  }
  // A dish of another store can be replaced (`otherStores`); a dish of no store is a platform's mistake.
  const isElsewhere = (id: string) => (openProduct(tokens, id)?.storeId ?? store.storeId) !== store.storeId;
  const unknown = input.line_items.findIndex(({ dish: { id } }) => !cart.products.has(id) && !isElsewhere(id));
  if (unknown < 0) return undefined;
  return unrecoverable('item_unavailable', `$.line_items[${unknown}].dish`, words.agent.catalog.noProduct);
}

export function unrecoverable(code: string, path: string, content: string): Message {
  return { type: 'error', code, path, content, severity: 'unrecoverable' };
}

/** A quote for no door, as soon as possible. */
export const ANYWHERE = { door: null, preference: 'first_available', slots: [] } as const;

export type Priced = Pick<UcpCheckout, 'input' | 'shown' | 'isQuoted' | 'orderId'>;
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
export async function priceCheckout(
  deps: CreateOrderDeps,
  input: UcpCheckout['input'],
  context: Context,
): Promise<Priced> {
  const { platform, cart, checkout, now } = context;
  const { store } = cart.snapshot;
  const locale = localeOf(platform.language, store.address.country);
  const method = methodOf(input);
  const chosenMode = platform.isFulfillmentNegotiated ? method?.type : 'pickup';
  const mode = chosenMode ?? (store.delivery.enabled ? 'delivery' : 'pickup');
  const body = orderBodyOf(input, mode);
  const terms = { mode, storeClass: store.taxClass };
  const items = weighed(
    body.items.map((item) => requestedItem(item)),
    cart,
  ).map((item) => unquotedItem(item, cart.products.get(item.productId), terms));
  const subtotalCents = items.reduce((sum, { totalCents }) => withinOrderLimit(sum + totalCents), 0);
  const { slots } = await deps.inventory.slots(cart.snapshot, mode, now);
  const tip = tipOf(input, { mode, subtotalCents, platform, locale });
  const { requested_fulfillment_time: time, selected_option_id: selectedId } = method ?? {};
  const requestedAt = parseMoment(time ?? '');
  const selected = isAsap(selectedId) ? null : openSlot(deps.tokens, mode, selectedId ?? '');
  const { mode: keyMode } = platform.caller;
  const wait = waitOfSnapshot(cart.snapshot, now, countItems(items));
  const seal = (slot: Slot) => sealSlot(deps.tokens, { storeId: store.storeId, mode, ...slot });
  const timed = { slots, requestedAt, selected, listsAll: input.wanted !== undefined, sealSlot: seal };
  const quoted = { store, mode, keyMode, now, wait, ...timed, subtotalCents, words: locale.words.shop.cart };
  const optionsAt = ({ latitude, longitude, state }: OrderRequest['customer']) => {
    const door = mode === 'delivery' && latitude !== null && longitude !== null ? { latitude, longitude } : null;
    return optionsOf({ ...quoted, door, state });
  };
  const first = optionsOf({ ...quoted, door: null, state: '' });
  const faults = [
    ...(chosenMode === undefined ? [methodFault(input, locale)] : []),
    ...timeFaults(method ?? {}, requestedAt, first, locale),
    ...otherStores(cart, input, locale),
    ...abroadFaults(body, locale),
  ];
  const optionId = selected === null ? first.selectedId : selectedId;
  const whole = {
    ...body,
    user_id: platform.userId ?? checkout.checkoutId,
    driver_tip_cents: tip.cents,
    ...(platform.isLanguageGiven ? { user_language: platform.language } : {}),
    scheduled_id: slotIdOf(optionId) ?? '',
  };
  const about = { locale, ordered: { store, items, scheduled: null }, body: whole };
  const order = faults.length > 0 || items.length === 0 ? undefined : await quote(deps, context, faults, about);
  const shownItems = order?.quote.items ?? items;
  const options = order ? optionsAt(order.request.customer) : first;
  return {
    input,
    orderId: order?.orderId ?? checkout.orderId,
    isQuoted: order !== undefined,
    shown: {
      lines: linesOf(input, shownItems, order?.quote),
      messages: [
        ...atRecipient(input, [...faults, ...(order ? missingMembers(order, platform, locale) : [])]),
        ...tip.warnings,
        ...disclosures(shownItems, locale),
      ],
      availableMethods: availableMethods(cart.snapshot, now),
      options: options.options,
      selectedOptionId: options.selectedId,
      totalCents: order?.quote.totalWithTipCents ?? null,
    },
  };
}

/** Items by how they are sold; as they are where one of them cannot be. */
function weighed(items: readonly RequestedItem[], { products }: Cart): readonly RequestedItem[] {
  const read = readItems(items, products);
  return 'items' in read ? read.items : items;
}

/** Orders without one method, of which a checkout has exactly one. */
function methodFault({ fulfillment }: CheckoutRequest, { words }: Locale): Message {
  const several = (fulfillment?.methods ?? []).length > 1;
  return recoverable(several ? 'invalid' : 'missing', '$.fulfillment.methods', words.agent.checkout.oneMethod);
}

/** A time that cannot be had: that of the request, or `asap` of a shop that has closed meanwhile. */
function timeFaults(
  { requested_fulfillment_time: time, selected_option_id: optionId }: NonNullable<ReturnType<typeof methodOf>>,
  at: Temporal.Instant | undefined,
  { isPossible, selectedId }: Options,
  locale: Locale,
): Message[] {
  const isGone = optionId !== undefined && isAsap(optionId) && selectedId !== null && selectedId !== optionId;
  if (time === undefined) return isGone ? [goneFault(locale)] : [];
  if (at && isPossible) return [];
  return [at ? goneFault(locale) : recoverable('invalid', TIME, locale.words.checkout.refused.unreadable)];
}

const TIME = '$.fulfillment.methods[0].requested_fulfillment_time';
const goneFault = ({ words }: Locale) => recoverable('location_closed', TIME, words.agent.checkout.slotGone);

/** Dishes of the cart that are of another store. */
function otherStores({ products }: Cart, input: CheckoutRequest, { words }: Locale): Message[] {
  const fault = (index: number) =>
    recoverable('item_unavailable', `$.line_items[${index}].dish`, words.agent.catalog.noProduct);
  return input.line_items.flatMap(({ dish }, index) => (products.has(dish.id) ? [] : [fault(index)]));
}

/** A door in a country where no store delivers. */
function abroadFaults(body: object, { words }: Locale): Message[] {
  const country = 'user_country' in body ? String(body.user_country) : '';
  if (country === '' || readCountry(country) !== undefined) return [];
  const path = '$.fulfillment.methods[0].destination.address.address_country';
  return [recoverable('address_undeliverable', path, words.agent.checkout.abroad)];
}

type Tip = { cents: number; warnings: Message[] };

function tipOf(
  input: CheckoutRequest,
  { mode, subtotalCents, platform, locale }: { mode: Mode; subtotalCents: number; platform: Platform; locale: Locale },
): Tip {
  if (!platform.isTipNegotiated) return { cents: 0, warnings: [] };
  const tip = requestedTip(input);
  const cents = 'cents' in tip ? tip.cents : percentOf(tip.percent, subtotalCents);
  if (mode === 'delivery' || cents === 0) return { cents, warnings: [] };
  const content = locale.words.agent.checkout.noTip;
  return { cents: 0, warnings: [{ type: 'warning', code: 'tip_not_applied', path: '$.tip', content }] };
}

/** When each mode that the store has can be ordered. */
export function availableMethods(
  snapshot: StoreSnapshot,
  now: Temporal.Instant,
): { type: Mode; fulfillable_on: string }[] {
  const { store, fullStarts } = snapshot;
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
function missingMembers({ request }: Order, platform: Platform, locale: Locale): Message[] {
  const missing = missingToPlace(request, { totalCents: 0 });
  const isEnteredOnPage = ({ name }: { name: string }) =>
    !doesPlace(platform) && /^user_(name|email|phone)$/.test(name);
  return messagesOfMembers(
    missing.filter((fault) => !isEnteredOnPage(fault)),
    locale,
  );
}

/** The program of a token, as its orders name it. */
export const agentOf = ({ clientName: name, clientHost: host }: TokenBearer) => ({ name, host });

/** Meters between an address and its coordinate beyond which one of them must be wrong. */
const MAX_APART_METERS = 500;

/** Quotes the cart, in place of the order before. Adds what is wrong with it to the faults, and then returns none. */
async function quote(
  deps: CreateOrderDeps,
  { platform: { caller, bearer }, cart, checkout }: Context,
  faults: Message[],
  { body, ...about }: { body: object; locale: Locale; ordered: FaultyOrder },
): Promise<Order | undefined> {
  const parsed = readOrderBody(body);
  if ('error' in parsed) {
    faults.push(...messagesOfMembers(parsed.error.extras.errors ?? [], about.locale));
    return undefined;
  }
  try {
    const how = { replaces: checkout.orderId, maxApartMeters: MAX_APART_METERS, needsStreet: true };
    const { request, address } = cartOf(parsed.value as OrderBody);
    const wanted = bearer ? { ...request, agent: agentOf(bearer) } : request;
    return (await quoteCart(deps, caller, { request: wanted, address }, how)).order;
  } catch (error) {
    const found = await messagesOfRefusal(deps, { ...about, store: cart.snapshot.store }, error);
    if (!found) throw error;
    faults.push(...found);
    return undefined;
  }
}

/** The faults of a cart that a refusal is about; undefined if it is about something else. */
export async function messagesOfRefusal(
  deps: CreateOrderDeps,
  about: RefusedOrder,
  error: unknown,
): Promise<Message[] | undefined> {
  if (error instanceof OrderRefused) return messagesOfFaults(deps, about, error.faults.slice(0, MAX_MESSAGES));
  if (!(error instanceof Refusal)) return undefined;
  const { code, extras } = error;
  const { locale } = about;
  if (code === 'address_not_found' || code === 'geocoder_not_configured') {
    const content = locale.words.agent.checkout.noAddress;
    return [recoverable('address_undeliverable', '$.fulfillment.methods[0].destination', content)];
  }
  return code === 'invalid_request' && extras.errors ? messagesOfMembers(extras.errors, locale) : undefined;
}

/** An order that was refused: what it has, the store, and the words for it. */
export type RefusedOrder = { ordered: FaultyOrder; store: Store; locale: Locale };

/** Options that the store has taken off sale, with all that they open, are out of stock; others are wrong choices. */
async function messagesOfFaults(
  { db, clock }: CreateOrderDeps,
  { ordered, store, locale }: RefusedOrder,
  faults: readonly OrderFault[],
): Promise<Message[]> {
  const { words, format } = locale;
  const when = { zone: store.timeZone, now: clock.now() };
  const productNos = new Set(faults.flatMap(({ product }) => product?.productNo ?? []));
  const off = await findOptionsOff(db, store.storeId, [...productNos]);
  return faults.map((fault) => {
    const { product, optionIds = [] } = fault;
    const hidden = optionIds.map((id) => product && off.get(product.productNo)?.get(id));
    if (hidden.length === 0 || hidden.includes(undefined)) {
      const opens = fault.quoteError === 'STORE_CLOSED' ? opensInWords(store, locale, when.now) : [];
      return messageOfFault(fault, [faultInWords(locale, ordered, fault, when), ...opens].join(' '));
    }
    const options = format.list(hidden.filter((name) => name !== undefined));
    return messageOfFault({ ...fault, because: 'off_sale' }, words.agent.cart.optionsOff({ options }));
  });
}

/** When a closed store opens next, by its own clock. */
function opensInWords(store: Store, { words, format }: Locale, now: Temporal.Instant): string[] {
  const at = nextOpening(store, 'operational', now);
  if (!at) return [];
  const isToday = format.day(at, store.timeZone) === format.day(now, store.timeZone);
  const { opensAt, opensOn } = words.shop.list;
  return [sentence((isToday ? opensAt : opensOn)({ moment: format.moment(at, store.timeZone, now) }))];
}

/** Maximum messages of a cart, which may have thousands of wrong options. */
const MAX_MESSAGES = 200;

/*
 * When a cart can be fulfilled: as soon as possible, or in one of the slots nearest the requested time. An option is
 * chosen by its ID, else by the time; a time that no slot has is a fault, and the options are what to ask for instead.
 */

const ASAP = 'asap';
const MAX_SLOTS = 6;
/** Windows that a shop lists after `asap`. */
const MAX_WINDOWS = 24;

/** What a quote for the door depends on, and when the order should be fulfilled. */
type Question = Omit<QuoteQuestion, 'preference' | 'servedAt'> & {
  subtotalCents: number;
  /** The door's region; '' without a door. */
  state: string;
  /** Undefined for as soon as possible. */
  requestedAt: Temporal.Instant | undefined;
  /** The chosen option: its slot; undefined for one that is no slot of the store; null where none is chosen. */
  selected: Slot | undefined | null;
  /** Whether `asap` and the next windows are listed together, as in shops; otherwise one or the other. */
  listsAll: boolean;
  words: { asap: string };
  sealSlot(slot: Slot): string;
};

type FulfillmentOption = {
  id: string;
  title: string;
  earliest_fulfillment_time: string;
  latest_fulfillment_time: string;
  totals: { type: string; amount: number }[];
};

/** The chosen option, what else can be chosen, and whether the requested time can be had. */
type Options = { options: FulfillmentOption[]; selectedId: string | null; isPossible: boolean };

function optionsOf(question: Question): Options {
  const { slots, now, requestedAt, selected, listsAll } = question;
  const quote = quoteFor({ ...question, preference: 'first_available' });
  const show = (id: string, from: Temporal.Instant, to: Temporal.Instant) => showOption(question, quote, id, from, to);
  const showSlot = (slot: Slot) =>
    show(question.sealSlot(slot), instantOfEpochSeconds(slot.startEpochS), instantOfEpochSeconds(slot.endEpochS));
  const isLater = requestedAt !== undefined || selected !== null;
  const soonest = !('error' in quote) && quote.asapAvailable && (listsAll || !isLater) ? [quote.estimate] : [];
  const asap = soonest.map(({ minMinutes, maxMinutes }) =>
    show(ASAP, now.add({ minutes: minMinutes }), now.add({ minutes: maxMinutes })),
  );
  const windows = listsAll ? slots.toSorted((a, b) => a.startEpochS - b.startEpochS).slice(0, MAX_WINDOWS) : [];
  const soon = [...asap, ...windows.map(showSlot)];
  const [first] = soon;
  if (!isLater && first) return { options: soon, selectedId: first.id, isPossible: true };
  const at = selected?.startEpochS ?? epochSeconds(requestedAt ?? now);
  const nearest = slots.toSorted((a, b) => distance(a, at) - distance(b, at)).slice(0, MAX_SLOTS);
  const shown = listsAll && !requestedAt ? windows : nearest.toSorted((a, b) => a.startEpochS - b.startEpochS);
  const isChosen = ({ startEpochS, endEpochS }: Slot) =>
    selected ? startEpochS === selected.startEpochS : startEpochS <= at && at < endEpochS;
  const chosen = isLater && selected !== undefined ? shown.find(isChosen) : undefined;
  return {
    options: [...asap, ...shown.map(showSlot)],
    selectedId: chosen ? question.sealSlot(chosen) : null,
    isPossible: !isLater || chosen !== undefined,
  };
}

/** Seconds between a moment and a slot; 0 within it. */
const distance = ({ startEpochS, endEpochS }: Slot, at: number) => Math.max(startEpochS - at, at - endEpochS + 1, 0);

function showOption(
  { store, door, state, subtotalCents, words }: Question,
  quote: Quote | QuoteFailure,
  id: string,
  from: Temporal.Instant,
  to: Temporal.Instant,
): FulfillmentOption {
  const timeZone = timeZoneOfDoor({ timeZone: store.timeZone, country: store.address.country }, door, state);
  const clock = (at: Temporal.Instant) =>
    at.toZonedDateTimeISO(timeZone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
  const fee = 'error' in quote ? 0 : deliveryFeeCents(quote.deliveryFee, null, subtotalCents);
  return {
    id,
    title: id === ASAP ? words.asap : `${clock(from).slice(0, 16).replace('T', ' ')}–${clock(to).slice(11, 16)}`,
    earliest_fulfillment_time: clock(from),
    latest_fulfillment_time: clock(to),
    totals: [{ type: 'total', amount: fee }],
  };
}

/** Whether an option stands for as soon as possible. */
const isAsap = (optionId: string | undefined): boolean => optionId === undefined || optionId === ASAP;

/** The chosen slot; null for as soon as possible. */
const slotIdOf = (optionId: string | null | undefined): string | null =>
  optionId === ASAP ? null : (optionId ?? null);
