import type { CreateOrderBody, FinalQuote, FullQuote, Order, Problem } from '../../clients/typescript/src/api-types.ts';
import { present } from '../../packages/collections/present.ts';
import { DROP_OFF_PLACES, type DropOff } from '../../src/ordering/order/order.ts';
import { decimalOfMilli, type LineWeight, milliOfDecimal } from '../../src/supply/pricing/weight.ts';
import type { StreetAddress } from '../../src/supply/stores/street-address.ts';
import type { HandedCart } from '../../src/surfaces/shop/shop-visit.ts';
import type { Near } from './boot.ts';
import { type ChosenOption, quotedUnitCents } from './choices.ts';
import { hasTexts, isObject, type Kept, type Members } from './device.ts';
import { orderDoor } from './door.ts';
import { weighedCents } from './weights.ts';

/*
 * The cart of one store, as this device keeps it. Its prices are the ones shown to the customer. The service prices the
 * whole cart whenever it is reviewed, and each line shows its difference.
 */

/** The store that a cart is of. `path` is its page. */
export type CartStore = { storeId: string; name: string; path: string; country: 'US' | 'CA' };

export type CartLine = {
  /** Names the line in every tab. */
  lineId: string;
  productId: string;
  name: string;
  image: string;
  /** For goods by weight, steps or pieces. */
  quantity: number;
  /** Cents for one with its options, as the customer has last seen it; of goods by weight, for what its price is for. */
  unitCents: number;
  weight?: (LineWeight & { optionsCents: number }) | undefined;
  options: readonly ChosenOption[];
  notes: string;
};

/** The store's reaction to a missing item. */
export type Substitution = 'store_choice' | 'refund';

/** An unplaced order of the service, and the key that lets this device replace it. */
export type StoredOrder = { orderId: string; orderKey: string };

export type Cart = {
  store: CartStore;
  lines: readonly CartLine[];
  substitution: Substitution;
  /** For the driver, or for who hands the order out. */
  notes: string;
  /** How it is handed off; absent until the customer chooses. */
  dropOff?: DropOff | undefined;
  /** Codes of promotions, in capital letters. */
  codes?: readonly string[] | undefined;
  /** The slot that the customer wants it in; empty for as soon as possible. */
  slotId: string;
  /** The unplaced order that the cart is priced as. */
  order?: StoredOrder | undefined;
};

/** The service takes no more of either. */
const MAX_LINES = 100;
export const MAX_QUANTITY = 99;

export const KEPT_CART: Kept<Cart> = { name: 'cart', isValue: isCart };

const hasNumbers = (value: Members, names: readonly string[]) => names.every((name) => Number.isFinite(value[name]));

function isCart(value: unknown): value is Cart {
  if (!isObject(value) || !hasTexts(value, ['substitution', 'notes', 'slotId'])) return false;
  const { store, lines, order, dropOff, codes } = value;
  if (dropOff !== undefined && !isDropOff(dropOff)) return false;
  if (codes !== undefined && !(Array.isArray(codes) && codes.every((code) => typeof code === 'string'))) return false;
  if (!isObject(store) || !hasTexts(store, ['storeId', 'name', 'path', 'country'])) return false;
  if (order !== undefined && !(isObject(order) && hasTexts(order, ['orderId', 'orderKey']))) return false;
  return Array.isArray(lines) && lines.length > 0 && lines.every(isLine);
}

const isDropOff = (value: unknown): value is DropOff =>
  isObject(value) &&
  DROP_OFF_PLACES.some((place) => place === value.where) &&
  [value.utensils, value.code].every((choice) => typeof choice === 'boolean');

function isLine(line: unknown): line is CartLine {
  if (!isObject(line) || !hasTexts(line, ['lineId', 'productId', 'name', 'image', 'notes'])) return false;
  const isOption = (option: unknown) =>
    isObject(option) && hasTexts(option, ['optionId', 'name']) && hasNumbers(option, ['quantity']);
  if (line.weight !== undefined && !isWeight(line.weight)) return false;
  return hasNumbers(line, ['quantity', 'unitCents']) && Array.isArray(line.options) && line.options.every(isOption);
}

const isWeight = (weight: unknown): boolean =>
  isObject(weight) && hasTexts(weight, ['unit']) && hasNumbers(weight, ['per', 'one', 'min', 'max', 'optionsCents']);

const isSame = (one: CartLine, other: CartLine) =>
  one.productId === other.productId &&
  one.notes === other.notes &&
  JSON.stringify(one.options) === JSON.stringify(other.options);

const clamp = (quantity: number, { weight }: CartLine) => Math.min(quantity, weight?.max ?? MAX_QUANTITY);

/**
 * The cart with another line; a line of the same choices becomes more of it. A full cart stays as it is, and one of
 * another store is replaced. A new cart is for the slot.
 */
export function addLine(cart: Cart | undefined, store: CartStore, line: CartLine, slotId = ''): Cart {
  const own = cart?.store.storeId === store.storeId ? cart : undefined;
  if (!own) return { store, lines: [line], substitution: 'store_choice', notes: '', slotId };
  const same = own.lines.find((each) => isSame(each, line));
  if (same)
    return (
      changeLine(own, { ...line, lineId: same.lineId, quantity: clamp(same.quantity + line.quantity, line) }) ?? own
    );
  return own.lines.length < MAX_LINES ? { ...own, store, lines: [...own.lines, line] } : own;
}

/** The cart with a line in its new form; without it below its least quantity. Undefined once nothing is left. */
export function changeLine(cart: Cart, line: CartLine): Cart | undefined {
  const lines = cart.lines
    .map((each) => (each.lineId === line.lineId ? { ...line, quantity: clamp(line.quantity, line) } : each))
    .filter(({ quantity, weight }) => quantity >= (weight?.min ?? 1));
  return lines.length === 0 ? undefined : { ...cart, lines };
}

/** The items of a cart; a line of goods by weight is one. */
export const unitsIn = (lines: readonly CartLine[]): number =>
  lines.reduce((sum, { quantity, weight }) => sum + (weight ? 1 : quantity), 0);

/** A line's price; for goods by weight, approximate. */
export function lineCents({
  unitCents,
  quantity,
  weight,
}: Pick<CartLine, 'unitCents' | 'quantity' | 'weight'>): number {
  if (!weight) return unitCents * quantity;
  return weighedCents(weight, quantity, unitCents - weight.optionsCents, weight.optionsCents);
}

export const subtotalCents = (lines: readonly CartLine[]): number =>
  lines.reduce((sum, line) => sum + lineCents(line), 0);

const orderedAmount = ({ quantity, weight }: CartLine) =>
  weight && !weight.isByPiece
    ? { quantity: decimalOfMilli(quantity * weight.one) }
    : { [weight ? 'pieces' : 'quantity']: quantity };

/** Where and how a cart is ordered. A delivery has a place, and a pickup none. */
export type OrderTerms = {
  place: Near | null;
  parts: StreetAddress;
  pickup: boolean;
  language: string;
  returnUrl: string;
};

/** The unplaced order that prices the cart, and that the checkout finishes. */
export function orderBody(cart: Cart, { place, parts, pickup, language, returnUrl }: OrderTerms): CreateOrderBody {
  const { order, notes, substitution, slotId } = cart;
  return {
    ...(order ? { order_id: order.orderId, order_key: order.orderKey } : {}),
    items: cart.lines.map((line) => ({
      product_id: line.productId,
      ...orderedAmount(line),
      selected_options: line.options.map(({ optionId, quantity }) => ({ option_id: optionId, quantity })),
      notes: line.notes,
      substitution: { preference: substitution },
    })),
    pickup,
    ...(place && !pickup ? orderDoor(place, parts) : {}),
    ...(pickup ? { user_pickup_notes: notes } : { user_dropoff_notes: notes }),
    ...present({
      drop_off: cart.dropOff,
      scheduled_id: slotId === '' ? undefined : slotId,
      promotion_codes: cart.codes && [...cart.codes],
    }),
    user_language: language,
    include_final_quote: true,
    // In the fragment, which no server sees, the page of the device's orders gets the key of this one.
    checkout_return_url: order ? `${returnUrl}#order=${order.orderId}&key=${order.orderKey}` : returnUrl,
  };
}

/** The inputs of a cart's price: without notes, the apartment, and the wishes for missing items. */
export function priceKey(
  { lines, slotId, codes }: Cart,
  { place, parts: { aptNum: _, ...street }, pickup }: OrderTerms,
): string {
  const items = lines.map(({ productId, quantity, options }) => [productId, quantity, options]);
  return JSON.stringify([items, slotId, codes, pickup ? null : [place, street]]);
}

/** A cart of what an order had, at today's store; prices are checked when it is reviewed. `weightOf`: how a product is sold. */
export function cartOfOrder(
  { items }: Order,
  store: CartStore,
  lineId: () => string,
  weightOf: (productId: string) => LineWeight | undefined = () => undefined,
): Cart | undefined {
  let cart: Cart | undefined;
  for (const item of items) {
    const productId = item.substituted_for ?? item.product_id;
    cart = addLine(cart, store, {
      lineId: lineId(),
      productId,
      name: item.name,
      image: item.image,
      ...quantityOf(item, weightOf(productId)),
      options: item.substituted_for === null ? item.selected_options.map(chosenOf) : [],
      notes: item.notes,
    });
  }
  return cart;
}

type Amount = Pick<CartLine, 'quantity' | 'unitCents' | 'weight'>;

/** For items sold by weight, their steps, otherwise the ordered amount. */
function quantityOf(item: Order['items'][number], sold: LineWeight | undefined): Amount {
  const { quantity, unit, price_per: per = 1, pieces, unit_price: price, total_price: total } = item;
  if (unit === undefined) return { quantity, unitCents: price };
  const milli = milliOfDecimal(quantity);
  const count = pieces ?? 1;
  const ordered = { unit, per: milliOfDecimal(per), one: Math.round(milli / count), isByPiece: pieces !== undefined };
  const optionsCents = total - weighedCents(ordered, count, price);
  const weight = sold?.unit === unit ? sold : { ...ordered, min: 1, max: count };
  const steps = Math.max(weight.min, Math.round(milli / weight.one));
  return { quantity: steps, unitCents: price + optionsCents, weight: { ...weight, optionsCents } };
}

/** A cart that an agent filled; missing items are refunded. */
export const cartOfHanded = ({ handed, codes }: HandedCart, store: CartStore, lineId: () => string): Cart => ({
  store,
  lines: handed.map((line) => ({ ...line, lineId: lineId(), notes: '' })),
  substitution: 'refund',
  notes: '',
  codes,
  slotId: '',
});

const chosenOf = ({ option_id: optionId, quantity, name }: Order['items'][number]['selected_options'][number]) => ({
  optionId,
  quantity,
  name,
});

/** A line whose price differs from the price shown to the customer. */
export type PriceChange = { line: CartLine; beforeCents: number };

/** The lines at the quote's prices, which are in the same order, and the changed ones. */
export function applyPrices(
  lines: readonly CartLine[],
  { items }: Pick<FinalQuote, 'items'>,
): { lines: readonly CartLine[]; changes: readonly PriceChange[] } {
  const changes: PriceChange[] = [];
  const priced = lines.map((line, index) => {
    const item = items[index];
    const unitCents = item?.product_id === line.productId ? quotedUnitCents(item) : line.unitCents;
    if (unitCents === line.unitCents) return line;
    const changed = { ...line, unitCents };
    changes.push({ line: changed, beforeCents: line.unitCents });
    return changed;
  });
  return { lines: changes.length === 0 ? lines : priced, changes };
}

/** Why a line cannot be ordered as it is. */
export type LineFault = 'gone' | 'few' | 'options';

/** The errors of a refused cart by line; empty for an error of the whole cart. */
export function lineFaults(lines: readonly CartLine[], problem: Partial<Problem>): ReadonlyMap<string, LineFault> {
  const faults = new Map<string, LineFault>();
  const gone = new Set(problem.invalid_product_ids);
  const named = (problem.errors ?? []).map(({ name }) => /^items\[(\d+)\]\.(\w+)/.exec(name));
  for (const [, index = '', member] of named.filter((match) => match !== null)) {
    const line = lines[Number(index)];
    if (!line || faults.get(line.lineId) === 'gone') continue;
    faults.set(line.lineId, member === 'quantity' ? 'few' : member === 'selected_options' ? 'options' : 'gone');
  }
  for (const { lineId, productId } of lines) if (gone.has(productId) && !faults.has(lineId)) faults.set(lineId, 'gone');
  return faults;
}

/** The cents missing to the next benefit of a few more items; 0 for none. */
export type Hints = {
  toMinimum: number;
  toNoSmallFee: number;
  smallFeeCents: number;
  toLowerFee: number;
  lowerFeeCents: number;
};

type DeliveryTerms = Pick<FullQuote, 'delivery_fee' | 'time_estimate'>;
type DeliveryRate = { delivery_fee_flat: number; delivery_fee_percent: number };

/** The delivery fee at a subtotal: by the largest threshold that it reaches, otherwise in its slot or at the store. */
export function deliveryRate(
  { delivery_fee: delivery, time_estimate: estimate }: DeliveryTerms,
  slotId: string,
  subtotal: number,
): DeliveryRate {
  const reached = delivery.threshold_fees.filter(({ minimum_subtotal: from }) => from <= subtotal);
  const [best] = reached.sort((one, other) => other.minimum_subtotal - one.minimum_subtotal);
  return best ?? estimate.scheduled.find(({ id }) => id === slotId)?.delivery_fee ?? delivery;
}

/** Hints for the customer before the checkout: minimum, small-order fee, and the next lower delivery fee. */
export function hintsOf(subtotal: number, quote: FullQuote, slotId = ''): Hints {
  const { order_minimum: minimum, small_order_fee: small, delivery_fee: delivery } = quote;
  const missing = (cents: number) => Math.max(0, cents - subtotal);
  const feeAt = (flat: number, percent: number) => flat + Math.round((subtotal * percent) / 100);
  const feeFrom = (from: number) => {
    const rate = deliveryRate(quote, slotId, from);
    return feeAt(rate.delivery_fee_flat, rate.delivery_fee_percent);
  };
  const lower = delivery.threshold_fees
    .map(({ minimum_subtotal: from }) => from)
    .filter((from) => from > subtotal && feeFrom(from) < feeFrom(subtotal));
  const next = lower.length > 0 ? Math.min(...lower) : undefined;
  return {
    toMinimum: missing(minimum),
    toNoSmallFee: missing(small.minimum_order_value),
    smallFeeCents: feeAt(small.small_order_fee_flat, small.small_order_fee_percent),
    toLowerFee: next === undefined ? 0 : missing(next),
    lowerFeeCents: next === undefined ? 0 : feeFrom(next),
  };
}
