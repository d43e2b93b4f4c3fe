import { present } from 'doorstep/collections';
import type { Caller } from '../../access/accounts/account.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { type UnavailableBecause, unavailableBecause } from '../../supply/catalog/availability.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { sumByProduct } from '../../supply/catalog/stock.ts';
import {
  type OrderLine,
  type PricedPromotions,
  priceOrder,
  priceUnit,
  type StoreTerms,
} from '../../supply/pricing/price-order.ts';
import type { PromotionFacts } from '../../supply/pricing/promotions.ts';
import {
  QUOTE_ERROR_MESSAGES,
  type Quote,
  type QuoteErrorType,
  type QuoteFailure,
} from '../../supply/pricing/quote.ts';
import { offerTimesOf } from '../../supply/pricing/slots.ts';
import type { Room } from '../../supply/stores/kitchen.ts';
import type { Store } from '../../supply/stores/store.ts';
import { partsOfStore, writeAddress } from '../../supply/stores/street-address.ts';
import { isAlcohol } from '../../supply/stores/tax-class.ts';
import { promisedEta } from '../../supply/stores/time-estimate.ts';
import { autofillOptions, chooseOptions } from '../order/choose-options.ts';
import type {
  FrozenQuote,
  HeldStock,
  NamedProduct,
  OrderRequest,
  QuotedItem,
  QuotedSlot,
  RequestedItem,
} from '../order/order.ts';
import { isOutsideDelivery, requestedSubstitutes } from '../order/order.ts';
import { belowStorePrice, MAX_FAULTS, type OrderFault, stockFaults, unknownProduct } from '../order/order-faults.ts';
import { formatEta, orderZone } from '../order/order-times.ts';
import { orderedWeight, productFacts, productLine } from '../order/product-line.ts';

/** Inputs of the assessment, all loaded beforehand. */
export type AssessmentInputs = {
  request: OrderRequest;
  caller: Pick<Caller, 'accountId' | 'mode'>;
  /** Whether the marked prices may add up to less than the store's prices. */
  allowsNegativeMarkup: boolean;
  store: Store;
  /** Products by the item's token; undefined for a token that is not a product's. */
  products: ReadonlyMap<string, CatalogProduct>;
  /** The store's quote for the mode. For a scheduled order, it is made as if the slot were open. */
  quote: Quote | QuoteFailure;
  /** The slot of `scheduled_id`; null without `scheduled_id`, 'unavailable' for a slot without an offer. */
  slot: QuotedSlot | null | 'unavailable';
  /** The room that the order takes in the kitchen; undefined without limits. */
  room: Room | undefined;
  promotions: PromotionFacts;
  now: Temporal.Instant;
  quoteId: string;
};

/** The frozen quote with the stock and the room that the order needs, or all errors of the order. */
export type Assessment =
  | { quote: FrozenQuote; stock: readonly HeldStock[]; room: Room | undefined }
  | { faults: readonly OrderFault[] };

type ItemToPrice = { item: RequestedItem; product: CatalogProduct; line: OrderLine };

/** Validates a whole order (products, options, stock, hours, store, slot, minimum), then prices it. */
export function assessOrder(inputs: AssessmentInputs): Assessment {
  const faults: OrderFault[] = [];
  const items = inputs.request.items.flatMap((item, index) => assessItem(inputs, item, index, faults));
  faults.push(...stockFaults(inputs.request.items, inputs.products), ...storeFaults(inputs));
  if (items.length < inputs.request.items.length || 'error' in inputs.quote) return { faults };
  const price = priceItems(inputs, inputs.quote, items);
  const minimum = inputs.quote.orderMinimumCents;
  if (price.markupCents < 0 && !inputs.allowsNegativeMarkup) faults.push(belowStorePrice(price.markupCents));
  if (!inputs.store.allowsMarkup && price.lines.some((line) => line.markedUnitCents > line.unitCents)) {
    const message = 'This store allows no price above its own.';
    faults.push({ code: 'markup_not_allowed', name: 'items', message });
  }
  if (price.subtotalCents < minimum) {
    const message = `The subtotal is ${price.subtotalCents} cents. This store's minimum is ${minimum} cents.`;
    faults.push({ code: 'order_minimum_not_met', name: 'items', message });
  }
  if (faults.length > 0 || inputs.slot === 'unavailable') return { faults };
  const quote = freeze(inputs, inputs.quote, inputs.slot, items, price);
  return { quote, stock: countedStock(items), room: inputs.room };
}

/**
 * An order's discounts, and its codes that do not apply, whether or not it can be placed. Empty for an order with an
 * unavailable item.
 */
export function discountItems(inputs: AssessmentInputs): PricedPromotions {
  const items = inputs.request.items.flatMap((item, index) => assessItem(inputs, item, index, []));
  if (items.length < inputs.request.items.length || 'error' in inputs.quote) return {};
  const { discounts, rejectedCodes } = priceItems(inputs, inputs.quote, items);
  return present({ discounts, rejectedCodes });
}

function assessItem(inputs: AssessmentInputs, item: RequestedItem, index: number, faults: OrderFault[]): ItemToPrice[] {
  const product = inputs.products.get(item.productId);
  if (!product) {
    faults.push(unknownProduct(item.productId, index));
    return [];
  }
  const name = `items[${index}]`;
  const mode = inputs.request.mode;
  const because = unavailableBecause(product, mode, serviceTime(inputs), inputs.store);
  if (because) {
    const message = `"${product.name}" ${UNAVAILABLE_SENTENCES[because](inputs)}.`;
    const fault = { code: 'product_unavailable', name: `${name}.product_id`, message, because } as const;
    faults.push({ ...fault, productIds: [item.productId] });
  }
  if (faults.length >= MAX_FAULTS) return [];
  const choose = inputs.request.autofillSelectedOptions ? autofillOptions : chooseOptions;
  const selected = item.selectedOptions.map((option) => ({ ...option, quantity: option.quantity ?? undefined }));
  const choice = choose(product.customizations, selected);
  if ('faults' in choice) {
    const fault = { code: 'invalid_options' as const, name: `${name}.selected_options`, product };
    faults.push(
      ...choice.faults.map(({ message, ...wrong }) => ({ ...fault, ...wrong, message: `${product.name}: ${message}` })),
    );
    return [];
  }
  const line = productLine(product, { mode, storeClass: inputs.store.taxClass }, choice.chosen, item);
  return [{ item, product, line }];
}

const UNAVAILABLE_SENTENCES: Readonly<Record<UnavailableBecause, (inputs: AssessmentInputs) => string>> = {
  removed: () => 'has left the menu',
  off_sale: () => 'is off sale at the moment',
  not_in_mode: ({ request }) => `is not sold for ${request.mode}`,
  sold_out: () => 'is sold out',
  outside_menu_hours: ({ slot }) => `is outside its menu hours ${isSlot(slot) ? 'in that slot' : 'now'}`,
};

/** When the order is served: in its slot, or now. */
const serviceTime = ({ slot, now }: AssessmentInputs) => (isSlot(slot) ? instantOfEpochSeconds(slot.startEpochS) : now);

const isSlot = (slot: AssessmentInputs['slot']): slot is QuotedSlot => slot !== null && slot !== 'unavailable';

/** The field to change and how, for each reason why a store gives no quote. */
const REMEDIES: Readonly<Record<QuoteErrorType, { name: string; remedy: string }>> = {
  DELIVERY_NOT_AVAILABLE: { name: 'pickup', remedy: 'Order for pickup, or order from another store.' },
  PICKUP_NOT_AVAILABLE: { name: 'pickup', remedy: 'Order for delivery, or order from another store.' },
  STORE_CLOSED: {
    name: 'scheduled_id',
    remedy: 'Schedule the order with a scheduled_id of its quote, or order from another store.',
  },
  OUT_OF_RANGE: {
    name: 'user_latitude',
    remedy: 'Use a closer delivery address, order for pickup, or order from another store.',
  },
  STORE_NOT_AVAILABLE: { name: 'items', remedy: 'Order from another store.' },
};

function storeFaults({ request, store, quote, slot }: AssessmentInputs): OrderFault[] {
  const faults: OrderFault[] = [];
  if (request.mode === 'pickup' && !store.pickup.enabled) {
    faults.push({ code: 'pickup_not_supported', name: 'pickup', message: 'This store does not offer pickup.' });
  } else if ('error' in quote) {
    const { name, remedy } = REMEDIES[quote.error];
    const message = `${QUOTE_ERROR_MESSAGES[quote.error]} ${remedy}`;
    faults.push({ code: 'quote_unavailable', name, message, quoteError: quote.error });
  }
  if (slot === 'unavailable') {
    faults.push({ code: 'slot_unavailable', name: 'scheduled_id', message: 'This slot is no longer available.' });
  }
  return faults;
}

function priceItems(inputs: AssessmentInputs, quote: Quote, items: readonly ItemToPrice[]) {
  const { request } = inputs;
  const { pricesMarked, addedFee, miscFees } = request.receipt;
  const promotions = promotionQuestion(inputs, quote, items);
  return priceOrder({
    lines: items.map(({ line }) => line),
    ...storeTerms(request, quote),
    tipCents: request.tipCents,
    receipt: { pricesMarked, addedFee, miscFees },
    ...(promotions ? { promotions } : {}),
  });
}

/** Undefined for an order that no promotion is for and that names no code. */
function promotionQuestion(inputs: AssessmentInputs, quote: Quote, items: readonly ItemToPrice[]) {
  const { request, store, promotions: facts, now } = inputs;
  const { candidates, liveSinceEpochS } = facts;
  const codes = request.promotionCodes ?? [];
  if (candidates.length === 0 && codes.length === 0) return undefined;
  const { storeId, type, timeZone, address } = store;
  const { country, state } = address;
  const isOutside = isOutsideDelivery(frozenPartyOf(store, quote), facts);
  return {
    candidates,
    codes,
    store: { storeId, type, country, state, timeZone, liveSinceEpochS },
    mode: request.mode,
    items: items.map(({ product, line }) => ({
      externalId: product.externalId,
      categories: facts.categories?.get(product.productNo) ?? [],
      taxClass: line.taxClass,
      isAlcoholic: isAlcohol(
        product,
        priceUnit(line, false).taxParts.map(({ taxClass }) => taxClass),
      ),
    })),
    deliveryOwner: facts.deliveryFee ?? (isOutside ? 'operator' : 'store'),
    nowEpochS: epochSeconds(now),
    servedEpochS: epochSeconds(serviceTime(inputs)),
  };
}

type Price = ReturnType<typeof priceItems>;

/** The fees and taxes that a price is computed from. */
function storeTerms({ mode }: Pick<OrderRequest, 'mode'>, quote: Quote): StoreTerms {
  const { salesTaxPercent: _, ...fees } = quote.fees;
  return { mode, fees, slotDeliveryFee: null };
}

function freeze(
  inputs: AssessmentInputs,
  quote: Quote,
  slot: QuotedSlot | null,
  items: readonly ItemToPrice[],
  price: Price,
): FrozenQuote {
  const { request, store, now } = inputs;
  const eta = slot ? instantOfEpochSeconds(slot.endEpochS) : promisedEta(now, quote.estimate);
  const { lines, addedFeeCents, addedSalesTaxCents, addedTaxes, miscFeesCents: _, ...amounts } = price;
  const frozenStore = frozenStoreOf(store);
  return {
    quoteId: inputs.quoteId,
    store: frozenStore,
    items: items.map((item, index) => quotedItem(inputs, item, lines[index])),
    ...amounts,
    addedFee: {
      ...request.receipt.addedFee,
      totalCents: addedFeeCents,
      salesTaxCents: addedSalesTaxCents,
      taxes: addedTaxes,
    },
    miscFees: request.receipt.miscFees,
    minutes: slot
      ? minutesUntil(slot, now)
      : { minimum: quote.estimate.minMinutes, maximum: quote.estimate.maxMinutes },
    etaEpochS: epochSeconds(eta),
    expectedTimeOfArrival: formatEta(eta, orderZone({ request, quote: { store: frozenStore } })),
    scheduled: slot,
    ...(request.mode === 'delivery' ? frozenPartyOf(store, quote) : {}),
    ...(slot ? { offer: offerTimesOf(store, request.mode, slot, now), asapMinutes: quote.estimate.maxMinutes } : {}),
    terms: storeTerms(request, quote),
  };
}

/** A store with one party may have couriers deliver for it, under any party name in its feed. */
function frozenPartyOf({ delivery }: Store, { party }: Quote): Pick<FrozenQuote, 'party' | 'withoutCourier'> {
  return delivery.parties.length > 1 && party !== 'courier' ? { party, withoutCourier: true } : { party };
}

/** Whole minutes from now to the start and end of a slot. */
function minutesUntil(slot: QuotedSlot, now: Temporal.Instant): FrozenQuote['minutes'] {
  const minutesTo = (epochS: number) => Math.ceil((epochS - now.epochMilliseconds / 1000) / 60);
  return { minimum: minutesTo(slot.startEpochS), maximum: minutesTo(slot.endEpochS) };
}

function frozenStoreOf(store: Store): FrozenQuote['store'] {
  const { storeId, name, address, timeZone, phoneNumber, phoneExtension, latitude, longitude } = store;
  const line = writeAddress(partsOfStore(address), address.country);
  const { state, country } = address;
  return { storeId, name, address: line, state, country, timeZone, phoneNumber, phoneExtension, latitude, longitude };
}

function quotedItem(
  { products }: AssessmentInputs,
  { item, product, line }: ItemToPrice,
  priced: Price['lines'][number] | undefined,
): QuotedItem {
  if (!priced) throw new RangeError('an item was not priced');
  const namedSubstitutes = namedSubstitutesOf(item, products);
  const weight = orderedWeight(product, item.amount);
  const { listUnitCents, listPriceCents } = priced;
  return {
    productId: item.productId,
    ...productFacts(product, priced),
    basePriceCents: priced.basePriceCents,
    ...(listPriceCents === undefined ? {} : { listPriceCents }),
    markedBasePriceCents: priced.markedBasePriceCents,
    quantity: item.quantity,
    notes: item.notes,
    unitCents: priced.unitCents,
    ...(listUnitCents === undefined ? {} : { listUnitCents }),
    markedUnitCents: priced.markedUnitCents,
    totalCents: priced.totalCents,
    markedTotalCents: priced.markedTotalCents,
    taxClass: line.taxClass,
    ...(priced.taxParts.length > 1 ? { taxParts: priced.taxParts } : {}),
    ...(namedSubstitutes.length === 0 ? {} : { namedSubstitutes }),
    ...(weight ? { weight } : {}),
  };
}

/** The counted stock that the order takes; uncounted stock cannot run out. */
function countedStock(items: readonly ItemToPrice[]): HeldStock[] {
  const counted = items.filter(({ product }) => product.qtyAvailable !== null);
  return sumByProduct(counted.map(({ product, item }) => ({ productNo: product.productNo, quantity: item.quantity })));
}

/** Products that the customer named as substitutes, with their names, as the quote stores them. */
export function namedSubstitutesOf(
  { substitution }: RequestedItem,
  products: ReadonlyMap<string, CatalogProduct>,
): NamedProduct[] {
  return requestedSubstitutes(substitution).flatMap((productId) => {
    const product = products.get(productId);
    return product ? [{ productNo: product.productNo, productId, name: product.name }] : [];
  });
}
