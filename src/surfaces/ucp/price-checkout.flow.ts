import { present } from 'doorstep/collections';
import type { AgentOrders, KeyCaller } from '../../access/accounts/account.ts';
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
import { instantOfEpochSeconds, isoSeconds } from '../../platform/lib/time.ts';
import { openSlot, sealSlot } from '../../supply/catalog/catalog-tokens.ts';
import { findOptionsOff } from '../../supply/catalog/options-off.db.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
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
  ADDRESS,
  atRecipient,
  messageOfFault,
  messagesOfMembers,
  methodOf,
  OPTION,
  orderBodyOf,
  recoverable,
} from './checkout-request.ts';
import type { Message } from './contract.ts';
import { DISCOUNT, SHOP_FULFILLMENT } from './profile.ts';

/** The customer's platform, and the negotiated capabilities. */
export type Platform = {
  caller: KeyCaller;
  profileUrl: string;
  /** Whom it acts for, by a token. */
  userId: string | null;
  /** The customer's consent for that token, and the saved cards. */
  bearer?: TokenBearer;
  cards?: readonly PaymentMethod[];
  orders: AgentOrders;
  /** Whether it has proven who it is. */
  isProven: boolean;
  isFulfillmentNegotiated: boolean;
  isDiscountNegotiated: boolean;
  language: Language;
  /** Whether the platform named the language; otherwise the account's is used. */
  isLanguageGiven: boolean;
  /** Whether it repeats a request that may have been carried out. */
  isRepeated: boolean;
};

/** `caller` is for an unbound platform. */
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
    isFulfillmentNegotiated: negotiated.has(SHOP_FULFILLMENT),
    isDiscountNegotiated: negotiated.has(DISCOUNT),
    language,
    isLanguageGiven,
    isRepeated,
  };
}

/** The store of a cart, and its products by their IDs. */
type Cart = { snapshot: StoreSnapshot; products: ReadonlyMap<string, CatalogProduct> };

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
 * Prices a cart: quotes and stores it as an unplaced order, in place of the order of the cart before; or lists the
 * errors that the platform has to fix. Other errors are thrown as in quoting.
 */
export async function priceCheckout(
  deps: CreateOrderDeps,
  input: UcpCheckout['input'],
  context: Context,
): Promise<Priced> {
  const { platform, cart, checkout, now } = context;
  const { store } = cart.snapshot;
  const locale = localeOf(platform.language, store.address.country);
  const { type, selected_option_id: selectedId } = methodOf(input) ?? {};
  const mode = (platform.isFulfillmentNegotiated && type) || 'pickup';
  const body = orderBodyOf(input, mode);
  const terms = { mode, storeClass: store.taxClass };
  const items = weighed(
    body.items.map((item) => requestedItem(item)),
    cart,
  ).map((item) => unquotedItem(item, cart.products.get(item.productId), terms));
  const subtotalCents = items.reduce((sum, { totalCents }) => withinOrderLimit(sum + totalCents), 0);
  const { slots } = await deps.inventory.slots(cart.snapshot, mode, now);
  const selected = isAsap(selectedId) ? null : openSlot(deps.tokens, mode, selectedId ?? '');
  const { mode: keyMode } = platform.caller;
  const wait = waitOfSnapshot(cart.snapshot, now, countItems(items));
  const seal = (slot: Slot) => sealSlot(deps.tokens, { storeId: store.storeId, mode, ...slot });
  const timed = { slots, selected, sealSlot: seal };
  const quoted = { store, mode, keyMode, now, wait, ...timed, subtotalCents, words: locale.words.shop.cart };
  const optionsAt = ({ latitude, longitude, state }: OrderRequest['customer']) => {
    const door = mode === 'delivery' && latitude !== null && longitude !== null ? { latitude, longitude } : null;
    return optionsOf({ ...quoted, door, state });
  };
  const first = optionsOf({ ...quoted, door: null, state: '' });
  // As soon as possible was chosen, and the store has closed meanwhile.
  const isGone = selectedId === ASAP && first.selectedId !== null && first.selectedId !== ASAP;
  const gone = recoverable('slot_unavailable', OPTION, locale.words.agent.checkout.slotGone);
  const faults = [...(isGone ? [gone] : []), ...abroadFaults(body, locale)];
  const optionId = selected === null ? first.selectedId : selectedId;
  const whole = {
    ...body,
    user_id: platform.userId ?? checkout.checkoutId,
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
      lines: linesOf(input.line_items, shownItems, order?.quote),
      messages: [
        ...atRecipient(input, [...faults, ...(order ? missingMembers(order, platform, locale) : [])]),
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

/** A door in a country where no store delivers. */
function abroadFaults(body: object, { words }: Locale): Message[] {
  const country = 'user_country' in body ? String(body.user_country) : '';
  if (country === '' || readCountry(country) !== undefined) return [];
  return [recoverable('address_undeliverable', `${ADDRESS}.address_country`, words.agent.checkout.abroad)];
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

/** Fields that placing needs beyond the quote. Where a person finishes the order, its page asks for the contacts. */
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

/** Quotes the cart, in place of the order before. Adds the cart's errors to `errors`, and then returns no order. */
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
    const how = { replaces: checkout.orderId, needsStreet: true };
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

/** The errors of a cart that an error is about; undefined if it is about something else. */
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
    return [recoverable('address_undeliverable', ADDRESS, content)];
  }
  return code === 'invalid_request' && extras.errors ? messagesOfMembers(extras.errors, locale) : undefined;
}

/** A rejected order: its content, the store, and the words for it. */
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

/* When a cart can be fulfilled: as soon as possible, or in one of the next windows, chosen by their IDs. */

const ASAP = 'asap';
/** Windows that are listed after `asap`. */
const MAX_WINDOWS = 24;

/** The inputs of a quote for the address, and when the order should be fulfilled. */
type Question = Omit<QuoteQuestion, 'preference' | 'servedAt'> & {
  subtotalCents: number;
  /** The door's region; '' without a door. */
  state: string;
  /** The chosen option: its slot; undefined if it isn't a slot of the store; null where none is chosen. */
  selected: Slot | undefined | null;
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

/** The options, and the chosen one: without a choice the first. */
type Options = { options: FulfillmentOption[]; selectedId: string | null };

function optionsOf(question: Question): Options {
  const { slots, now, selected } = question;
  const quote = quoteFor({ ...question, preference: 'first_available' });
  const show = (id: string, from: Temporal.Instant, to: Temporal.Instant) => showOption(question, quote, id, from, to);
  const showSlot = (slot: Slot) =>
    show(question.sealSlot(slot), instantOfEpochSeconds(slot.startEpochS), instantOfEpochSeconds(slot.endEpochS));
  const soonest = !('error' in quote) && quote.asapAvailable ? [quote.estimate] : [];
  const asap = soonest.map(({ minMinutes, maxMinutes }) =>
    show(ASAP, now.add({ minutes: minMinutes }), now.add({ minutes: maxMinutes })),
  );
  const windows = slots.toSorted((a, b) => a.startEpochS - b.startEpochS).slice(0, MAX_WINDOWS);
  const options = [...asap, ...windows.map(showSlot)];
  if (selected === null) return { options, selectedId: options[0]?.id ?? null };
  const chosen = windows.find(({ startEpochS }) => startEpochS === selected?.startEpochS);
  return { options, selectedId: chosen ? question.sealSlot(chosen) : null };
}

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
