import { Refusal } from '../../platform/http/refusal.ts';
import { formatPrice, percentOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import type { DeliveryFee, Fees, Mode, ServiceFee, SmallOrderFee, TaxRate } from '../stores/store.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import type { Discount, RejectedCode } from './promotion.ts';
import {
  discountCentsOf,
  fillSlots,
  lowerMenuPrices,
  type MenuPrices,
  type PromotionQuestion,
  taxOffsOf,
} from './promotions.ts';
import {
  classesOf,
  isOnClass,
  sharesOf,
  type TaxableFees,
  type TaxableLine,
  type TaxOnOrder,
  taxesOn,
} from './taxes.ts';
import { goodsCents, type Milli } from './weight.ts';

/*
 * Exact prices in whole cents, up to MAX_ORDER_CENTS, where doubles are exact. Units and lines have the store's price
 * and the receipt's. Every percentage is rounded once, each named tax on its own; fee limits clamp the rounded amount.
 */

export type MiscFee = { name: string; amountCents: number };

/** Fees and marked prices that a client adds to its customer's receipt. */
export type ReceiptTerms = {
  /** Whether marked prices replace prices on the receipt; otherwise they have no effect. */
  pricesMarked: boolean;
  addedFee: { flatCents: number; percent: number; taxable: boolean };
  miscFees: readonly MiscFee[];
};

export type OrderToPrice = {
  lines: readonly OrderLine[];
  mode: Mode;
  fees: Omit<Fees, 'salesTaxPercent'> & { taxes: readonly TaxRate[] };
  /** The chosen slot's delivery fee; null for the store's. */
  slotDeliveryFee: SlotDeliveryFee | null;
  tipCents: number;
  receipt: ReceiptTerms;
  /** Absent: no promotion can apply, and no code was entered. */
  promotions?: PromotionQuestion;
};

/** A tax as it is charged. `percent` is null if the items have several rates. */
export type ChargedTax = { name: string; percent: number | null; cents: number };

/** A line with its unit price and total. Marked amounts equal the others unless the receipt shows marked prices. */
export type PricedLine = PricedUnit & {
  /** At menu prices, without options. */
  basePriceCents: number;
  markedBasePriceCents: number;
  /** For items sold by weight, the base price without its menu price; absent where none lowers it. */
  listPriceCents?: number;
  quantity: number;
  totalCents: number;
  markedTotalCents: number;
  /** The price of a unit without its menu price; absent where none lowers it. */
  listUnitCents?: number;
};

export type PricedPromotions = {
  /** Discounts of slots, at least one, and their sum; absent without any. */
  discounts?: readonly Discount[];
  discountCents?: number;
  /** Menu prices, which the lines have; absent without any. */
  menuDiscounts?: readonly Discount[];
  /** Entered codes that do not apply; absent without any. */
  rejectedCodes?: readonly RejectedCode[];
};

/**
 * Amounts of an order in cents. Marked line totals, four fees and their tax, the added fee and its tax, misc fees and
 * tip, less the discounts of slots, add up to `totalWithTipCents`, the amount charged.
 */
export type OrderPrice = PricedPromotions & {
  lines: readonly PricedLine[];
  subtotalCents: number;
  deliveryFeeCents: number;
  serviceFeeCents: number;
  smallOrderFeeCents: number;
  /** Tax on the store's part; `addedSalesTaxCents` is the tax on the added fee and the markup. */
  salesTaxCents: number;
  /** The parts of `salesTaxCents` by name. */
  taxes: readonly ChargedTax[];
  totalWithoutTipsCents: number;
  markupCents: number;
  addedFeeCents: number;
  addedSalesTaxCents: number;
  /** The parts of `addedSalesTaxCents`. */
  addedTaxes: readonly ChargedTax[];
  /** Lines' and fees' parts of each tax (`sharesOf`). */
  taxShares: readonly (readonly number[])[];
  miscFeesCents: number;
  tipCents: number;
  totalWithTipCents: number;
  /** Markup and added fee, less the account's part of discounts and menu prices. */
  profitCents: number;
};

/** A receipt without markup, added fee and misc fees. */
export const PLAIN_RECEIPT: ReceiptTerms = {
  pricesMarked: false,
  addedFee: { flatCents: 0, percent: 0, taxable: false },
  miscFees: [],
};

function sumWithinLimit(amounts: readonly number[]): number {
  return amounts.reduce((sum, cents) => withinOrderLimit(sum + cents), 0);
}

/** Prices a line at its own base price, or at a menu's lower one. */
function priceLine(line: OrderLine, pricesMarked: boolean, priceCents = line.priceCents): PricedLine {
  const offCents = lineCents(line, line.priceCents) - lineCents(line, priceCents);
  const unit = priceUnit(priceCents === line.priceCents ? line : { ...line, priceCents }, pricesMarked);
  const { quantity } = line;
  return {
    ...unit,
    basePriceCents: priceCents,
    markedBasePriceCents: (pricesMarked ? line.markedPriceCents : null) ?? priceCents,
    ...(offCents !== 0 && line.weight ? { listPriceCents: line.priceCents } : {}),
    quantity,
    totalCents: withinOrderLimit(unit.unitCents * quantity),
    markedTotalCents: withinOrderLimit(unit.markedUnitCents * quantity),
    ...(offCents === 0 ? {} : { listUnitCents: withinOrderLimit(unit.unitCents + offCents) }),
  };
}

/** Units of a line by tax class, with the promotions' changes to their taxed price. */
type UnitsToTax = Pick<PricedUnit, 'taxParts'> & {
  quantity: number;
  /** The slots' reduction; absent: nothing. */
  taxOffCents?: number;
  /** The reduction by a menu price that is taxed nevertheless; absent: nothing. */
  menuTaxedCents?: number;
};

/** The parts of priced lines by tax class, line after line. */
export function taxableLines(lines: readonly UnitsToTax[]): TaxableLine[] {
  return lines.flatMap(({ taxParts, quantity, taxOffCents = 0, menuTaxedCents = 0 }) => {
    const offs = taxOffCents === 0 ? [] : splitInProportion(taxOffCents, taxParts.map(roomOf));
    return taxParts.map(({ taxClass, unitCents, markedUnitCents }, at) => ({
      taxClass,
      cents: unitCents * quantity - (offs[at] ?? 0) + (at === 0 ? menuTaxedCents : 0),
      markupCents: (markedUnitCents - unitCents) * quantity,
    }));
  });
}

/** The maximum reduction of a line at its heaviest; nothing for goods sold by the piece. */
function mostRoom({ lines, receipt }: OrderToPrice, at: number, priceCents: number | undefined) {
  const line = lines[at];
  if (!line?.weight?.max) return {};
  const heaviest = { ...line, weight: { ...line.weight, milli: line.weight.max } };
  return { maxRoomCents: discountRoom(priceLine(heaviest, receipt.pricesMarked, priceCents)) };
}

/** The most that discounts may take off a line. */
export function discountRoom(
  line: Pick<PricedLine, 'unitCents' | 'markedUnitCents' | 'taxParts' | 'quantity'>,
): number {
  const { unitCents, markedUnitCents, taxParts, quantity } = line;
  return Math.max(0, Math.min(unitCents, markedUnitCents, sumCents(taxParts.map(roomOf)))) * quantity;
}

/** The most that discounts may take off a unit's part: neither more than the store's price nor than the marked one. */
function roomOf({ unitCents, markedUnitCents }: Pick<TaxPart, 'unitCents' | 'markedUnitCents'>): number {
  return Math.max(0, Math.min(unitCents, markedUnitCents));
}

/** A store's pricing terms for every order. */
export type StoreTerms = Pick<OrderToPrice, 'mode' | 'fees' | 'slotDeliveryFee'>;

/** The store's part of an order's price, in cents. */
export type StorePart = Pick<
  OrderPrice,
  | 'subtotalCents'
  | 'deliveryFeeCents'
  | 'serviceFeeCents'
  | 'smallOrderFeeCents'
  | 'salesTaxCents'
  | 'taxes'
  | 'totalWithoutTipsCents'
>;

/** The taxable part of these fees, in the proportions of the goods as they were ordered. */
export function taxableFees(
  { mode, fees, slotDeliveryFee }: StoreTerms,
  { deliveryFeeCents, serviceFeeCents }: Pick<StorePart, 'deliveryFeeCents' | 'serviceFeeCents'>,
  ordered: readonly TaxableLine[],
  addedCents = 0,
): TaxableFees {
  const serviceFee = mode === 'delivery' ? fees.serviceFee : fees.pickupServiceFee;
  return {
    deliveryCents: (slotDeliveryFee ?? fees.deliveryFee).taxable ? deliveryFeeCents : 0,
    serviceCents: serviceFee?.taxable ? serviceFeeCents : 0,
    addedCents,
    classes: classesOf(ordered),
  };
}

/** The taxes on the store's part, and on the account's. */
export function chargedTaxes(
  taxes: readonly TaxOnOrder[],
  lines: readonly TaxableLine[],
): { taxes: readonly ChargedTax[]; addedTaxes: readonly ChargedTax[] } {
  const charged = taxes.map(({ tax: { name, rates }, cents, addedCents }) => {
    const used = rates.filter((rate) => lines.some(({ taxClass }) => isOnClass(rate, taxClass)));
    const [first = null, ...others] = new Set((used.length > 0 ? used : rates).map((rate) => rate.percent));
    const percent = others.length > 0 ? null : first;
    const withCents = (amount: number) => ({ name, percent, cents: withinOrderLimit(amount) });
    return { own: withCents(cents), added: withCents(addedCents) };
  });
  return { taxes: charged.map(({ own }) => own), addedTaxes: charged.map(({ added }) => added) };
}

/** An order's delivery fee; none for a pickup. */
export function deliveryFeeFor({ mode, fees, slotDeliveryFee }: StoreTerms, subtotalCents: number): number {
  return mode === 'delivery' ? deliveryFeeCents(fees.deliveryFee, slotDeliveryFee, subtotalCents) : 0;
}

/** The discounts of an order's slots, as they change its taxes and its total. */
export type StoreDiscounts = {
  discountCents: number;
  /** `lines` after the discounts that lower their taxed price. */
  taxedLines: readonly TaxableLine[];
  /** Reductions of the taxed delivery fee. */
  deliveryTaxOffCents: number;
};

/** Prices the store's part from its lines. Throws `invalid_request` beyond the order limit. */
export function priceStorePart(
  terms: StoreTerms,
  subtotalCents: number,
  lines: readonly TaxableLine[],
  addedCents = 0,
  discounts?: StoreDiscounts,
): { store: StorePart; addedTaxes: readonly ChargedTax[]; taxes: readonly TaxOnOrder[]; taxable: TaxableFees } {
  const { fees } = terms;
  const serviceFee = terms.mode === 'delivery' ? fees.serviceFee : fees.pickupServiceFee;
  const delivery = deliveryFeeFor(terms, subtotalCents);
  const service = serviceFee ? serviceFeeCents(serviceFee, subtotalCents) : 0;
  const small = smallOrderFeeCents(fees.smallOrderFee, subtotalCents);
  const taxedDelivery = delivery - (discounts?.deliveryTaxOffCents ?? 0);
  const taxable = taxableFees(terms, { deliveryFeeCents: taxedDelivery, serviceFeeCents: service }, lines, addedCents);
  const taxes = taxesOn(discounts?.taxedLines ?? lines, taxable, fees.taxes);
  const { taxes: charged, addedTaxes } = chargedTaxes(taxes, lines);
  const tax = sumWithinLimit(charged.map(({ cents }) => cents));
  const off = discounts?.discountCents ?? 0;
  return {
    store: {
      subtotalCents,
      deliveryFeeCents: delivery,
      serviceFeeCents: service,
      smallOrderFeeCents: small,
      salesTaxCents: tax,
      taxes: charged,
      totalWithoutTipsCents: sumWithinLimit([subtotalCents, delivery, service, small, tax]) - off,
    },
    addedTaxes,
    taxes,
    taxable,
  };
}

/**
 * An order's amounts (docs/quotes.md#money). Percentages are exact and rounded once, half away from zero: fees as flat
 * plus percentage, each tax over its whole base. Refuses above `MAX_ORDER_CENTS` as `invalid_request`.
 */
export function priceOrder(order: OrderToPrice): OrderPrice {
  const { receipt, promotions } = order;
  const menu =
    promotions && lowerMenuPrices(promotions, order.lines, (line, cents) => lineCents(line, cents) * line.quantity);
  const lines = order.lines.map((line, at) => priceLine(line, receipt.pricesMarked, menu?.priceCents[at]));
  const subtotalCents = sumWithinLimit(lines.map((line) => line.totalCents));
  const addedFeeCents = flatAndPercent(receipt.addedFee, subtotalCents);
  const parts = taxableLines(lines);
  const taxedFee = receipt.addedFee.taxable ? addedFeeCents : 0;
  const promoted = promotions && menu && promoteLines(order, promotions, lines, menu, subtotalCents);
  const { store, addedTaxes, taxes, taxable } = priceStorePart(order, subtotalCents, parts, taxedFee, promoted);
  const markupCents = sumWithinLimit(lines.map((line) => line.markedTotalCents)) - subtotalCents;
  const addedSalesTaxCents = sumWithinLimit(addedTaxes.map(({ cents }) => cents));
  const miscFeesCents = sumWithinLimit(receipt.miscFees.map((fee) => fee.amountCents));
  const tipCents = order.mode === 'delivery' ? order.tipCents : 0;
  const additions = [tipCents, markupCents, addedFeeCents, addedSalesTaxCents, miscFeesCents];
  return {
    lines,
    ...store,
    markupCents,
    addedFeeCents,
    addedSalesTaxCents,
    addedTaxes,
    taxShares: taxes.map((tax) => sharesOf(tax, promoted?.taxedLines ?? parts, taxable)),
    miscFeesCents,
    tipCents,
    totalWithTipCents: sumWithinLimit([store.totalWithoutTipsCents, ...additions]),
    profitCents: withinOrderLimit(markupCents + addedFeeCents - accountDiscountCents(promoted?.applied)),
    ...promoted?.applied,
  };
}

/** The account's part of discounts and menu prices. */
function accountDiscountCents({ discounts = [], menuDiscounts = [] }: PricedPromotions = {}): number {
  const parts = [...discounts, ...menuDiscounts].flatMap((discount) => discount.parts);
  return discountCentsOf({ parts: parts.filter(({ payer }) => payer === 'account') });
}

/** The discounts of lines that have their menu prices, and of the delivery fee at their subtotal. */
function promoteLines(
  order: OrderToPrice,
  promotions: PromotionQuestion,
  lines: readonly PricedLine[],
  { priceCents, menuDiscounts }: MenuPrices,
  subtotalCents: number,
): StoreDiscounts & { applied: PricedPromotions } {
  const promotedLines = lines.map((line, at) => ({
    quantity: order.lines[at]?.weight ? 0 : line.quantity,
    baseCents: priceCents[at] ?? 0,
    totalCents: line.totalCents,
    roomCents: discountRoom(line),
    ...mostRoom(order, at, priceCents[at]),
  }));
  const { discounts, rejectedCodes } = fillSlots(promotions, promotedLines, deliveryFeeFor(order, subtotalCents));
  const offs = taxOffsOf({ discounts, menuDiscounts }, lines);
  const discountCents = sumCents(discounts.map(discountCentsOf));
  return {
    discountCents,
    taxedLines: taxableLines(lines.map((line, at) => ({ ...line, ...offs.lines[at] }))),
    deliveryTaxOffCents: offs.deliveryCents,
    applied: {
      ...(discounts.length > 0 ? { discounts, discountCents } : {}),
      ...(menuDiscounts.length > 0 ? { menuDiscounts } : {}),
      ...(rejectedCodes.length > 0 ? { rejectedCodes } : {}),
    },
  };
}

/**
 * Limit of all amounts and sums of an order: a billion dollars. Doubles are exact far beyond it, so an amount that
 * binary arithmetic rounds would exceed the limit and be refused.
 */
export const MAX_ORDER_CENTS = 100_000_000_000;

/**
 * Returns the amount. Throws `invalid_request` if it is not a number, or beyond the limit in either direction.
 */
export function withinOrderLimit(cents: number): number {
  if (Math.abs(cents) <= MAX_ORDER_CENTS) return cents;
  const message = `An amount in this order exceeds ${formatPrice(MAX_ORDER_CENTS)}, the maximum for an order.`;
  throw new Refusal('invalid_request', message, { errors: [{ in: 'body', name: 'items', message }] });
}

/** A slot's flat fee and percentage, which replace the store's base delivery fee. */
export type SlotDeliveryFee = Pick<DeliveryFee, 'flatCents' | 'percent' | 'taxable'>;

/** `percentOf` for order amounts: refuses results beyond the order limit. */
export function percentWithinLimit(percent: number, cents: number): number {
  const estimate = Math.abs((percent / 100) * cents);
  if (estimate > 2 * MAX_ORDER_CENTS) return withinOrderLimit(estimate);
  return withinOrderLimit(percentOf(percent, cents));
}

/** Flat cents plus a percentage of the base; only the percentage is rounded, once. */
export function flatAndPercent(fee: { flatCents: number; percent: number }, baseCents: number): number {
  return withinOrderLimit(fee.flatCents + percentWithinLimit(fee.percent, baseCents));
}

/**
 * The delivery rate for a subtotal: the reached threshold with the largest minimum, or the slot's own fee, or the base
 * fee. The first of equal minimums applies.
 */
export function deliveryRateFor(
  fee: DeliveryFee,
  slotFee: SlotDeliveryFee | null,
  subtotalCents: number,
): { flatCents: number; percent: number } {
  let best: DeliveryFee['thresholds'][number] | undefined;
  for (const threshold of fee.thresholds) {
    const reached = threshold.minimumSubtotalCents <= subtotalCents;
    if (reached && (!best || threshold.minimumSubtotalCents > best.minimumSubtotalCents)) best = threshold;
  }
  return best ?? slotFee ?? fee;
}

/** Delivery fee in cents, at the subtotal's rate. */
export function deliveryFeeCents(fee: DeliveryFee, slotFee: SlotDeliveryFee | null, subtotalCents: number): number {
  return flatAndPercent(deliveryRateFor(fee, slotFee, subtotalCents), subtotalCents);
}

/** Service fee in cents, rounded and then clamped. If the minimum exceeds the maximum, the maximum applies. */
export function serviceFeeCents(fee: ServiceFee, subtotalCents: number): number {
  const cents = Math.max(flatAndPercent(fee, subtotalCents), fee.minCents);
  return withinOrderLimit(fee.maxCents === null ? cents : Math.min(cents, fee.maxCents));
}

/** Small-order fee in cents: zero from the minimum on. */
export function smallOrderFeeCents(fee: SmallOrderFee, subtotalCents: number): number {
  return subtotalCents < fee.minimumOrderCents ? flatAndPercent(fee, subtotalCents) : 0;
}

/** A chosen option. Its quantity is per unit of its parent; its price is in cents per chosen unit. */
export type ChosenOption = {
  id: string;
  name: string;
  priceCents: number;
  conditionalPrice: ConditionalPrice;
  defaultQty: number;
  quantity: number;
  /** Price on a receipt with marked prices; null for the option's price. */
  markedPriceCents: number | null;
  /** Absent: the item's. */
  taxClass?: TaxClass;
  customizations: readonly ChosenCustomization[];
};

/** A customization with its chosen options: at least one, in menu order. */
export type ChosenCustomization = { id: string; name: string; options: readonly ChosenOption[] };

/** One item of an order. */
export type OrderLine = {
  priceCents: number;
  quantity: number;
  /** Base price on a receipt with marked prices; null for the product's price. */
  markedPriceCents: number | null;
  taxClass: TaxClass;
  customizations: readonly ChosenCustomization[];
  /**
   * Weight of goods whose price is for `per`; `quantity` is 1 then, and options cost once. Absent: sold by the piece.
   * `max` is the most that may be handed off of it, which promotions' budgets are checked against.
   */
  weight?: { milli: Milli; per: Milli; max?: Milli };
};

/** A chosen option with its price after conditional prices, and its price on the receipt. */
export type PricedOption = {
  id: string;
  name: string;
  defaultQty: number;
  quantity: number;
  priceCents: number;
  markedPriceCents: number;
  customizations: readonly PricedCustomization[];
};

export type PricedCustomization = { id: string; name: string; options: readonly PricedOption[] };

/** The part of a unit's price that has one tax class. */
export type TaxPart = { taxClass: TaxClass; unitCents: number; markedUnitCents: number };

/** One unit of an item: its price, receipt price, and options. */
export type PricedUnit = {
  unitCents: number;
  markedUnitCents: number;
  /** The same by tax class: the item's, then the options' own. */
  taxParts: readonly TaxPart[];
  customizations: readonly PricedCustomization[];
};

function collectIds(customizations: readonly ChosenCustomization[], ids: Set<string>): Set<string> {
  for (const customization of customizations) {
    for (const option of customization.options) {
      ids.add(option.id);
      collectIds(option.customizations, ids);
    }
  }
  return ids;
}

/**
 * Prices a unit: the base price plus each chosen option times its quantity and its parents' quantities. Without
 * `pricesMarked`, marked amounts equal the others. Throws Refusal `invalid_request` beyond the order limit.
 */
export function priceUnit(line: OrderLine, pricesMarked: boolean): PricedUnit {
  const chosenIds = collectIds(line.customizations, new Set());
  let unitCents = withinOrderLimit(lineCents(line, line.priceCents));
  const markedCents = (pricesMarked ? line.markedPriceCents : null) ?? line.priceCents;
  let markedUnitCents = withinOrderLimit(lineCents(line, markedCents));
  const own: TaxPart = { taxClass: line.taxClass, unitCents, markedUnitCents };
  const taxParts = [own];

  const priceOption = (option: ChosenOption, times: number): PricedOption => {
    const { id, name, defaultQty, quantity } = option;
    const priceCents = conditionalPriceCents(option, chosenIds) ?? option.priceCents;
    const markedPriceCents = (pricesMarked ? option.markedPriceCents : null) ?? priceCents;
    unitCents = withinOrderLimit(unitCents + priceCents * times);
    markedUnitCents = withinOrderLimit(markedUnitCents + markedPriceCents * times);
    const part = option.taxClass === undefined ? own : partOf(taxParts, option.taxClass);
    part.unitCents += priceCents * times;
    part.markedUnitCents += markedPriceCents * times;
    const customizations = priceOptions(option.customizations, times);
    return { id, name, defaultQty, quantity, priceCents, markedPriceCents, customizations };
  };
  const priceOptions = (customizations: readonly ChosenCustomization[], times: number): PricedCustomization[] =>
    customizations.map(({ id, name, options }) => ({
      id,
      name,
      options: options.map((option) => priceOption(option, option.quantity * times)),
    }));

  const customizations = priceOptions(line.customizations, 1);
  return { unitCents, markedUnitCents, taxParts, customizations };
}

/** A unit's price at a base price, without its options: for items sold by weight, the whole line's. */
export const lineCents = ({ weight }: Pick<OrderLine, 'weight'>, priceCents: number): number =>
  weight ? goodsCents(priceCents, weight.milli, weight.per) : priceCents;

function partOf(parts: TaxPart[], taxClass: TaxClass): TaxPart {
  const known = parts.find((part) => part.taxClass === taxClass);
  if (known) return known;
  const part = { taxClass, unitCents: 0, markedUnitCents: 0 };
  parts.push(part);
  return part;
}

/** Cents that replace an option's price if another option is chosen, by the id of that option. */
export type ConditionalPrice = Readonly<Record<string, number>>;

/**
 * An option's conditional price in cents: the highest price whose other option is chosen in the same item; undefined
 * if none applies.
 */
export function conditionalPriceCents(
  option: { id: string; conditionalPrice: ConditionalPrice },
  chosenIds: ReadonlySet<string>,
): number | undefined {
  let highest: number | undefined;
  for (const [otherId, cents] of Object.entries(option.conditionalPrice)) {
    const applies = otherId !== option.id && chosenIds.has(otherId);
    if (applies && (highest === undefined || cents > highest)) highest = cents;
  }
  return highest;
}
