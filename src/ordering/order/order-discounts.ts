import { percentOf, shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { discountRoom } from '../../supply/pricing/price-order.ts';
import { type Discount, type DiscountPart, PAYERS } from '../../supply/pricing/promotion.ts';
import { type FulfilledItem, isAsOrdered } from './fulfilled-items.ts';
import { type FrozenQuote, isWeighedOrder, type QuotedItem } from './order.ts';

/*
 * The rest of an order's discounts for the handed-off items (docs/promotions.md). They are
 * frozen by line and payer: a line's discount leaves with its units and is never spread over other lines, and no
 * condition is judged again.
 */

/** Cents of each payer, in the order of `PAYERS`, none below zero. */
export type PayerCents = readonly number[];

/** A discount of a line, or of the delivery fee. */
export type Cut = {
  /** Menu prices included. */
  byPayer: PayerCents;
  /** Reductions of the taxed price by slot. */
  taxOffCents: number;
  /** The reduction by a menu price that is taxed nevertheless. */
  menuTaxedCents: number;
};

export type OrderCuts = { lines: readonly Cut[]; delivery: Cut };

export const NO_CUT: Cut = { byPayer: PAYERS.map(() => 0), taxOffCents: 0, menuTaxedCents: 0 };

export const cutCents = ({ byPayer }: Pick<Cut, 'byPayer'>): number => sumCents(byPayer);

export const addCents = (some: PayerCents, more: PayerCents): PayerCents =>
  some.map((cents, at) => cents + (more[at] ?? 0));

const takeCents = (some: PayerCents, less: PayerCents): PayerCents => some.map((cents, at) => cents - (less[at] ?? 0));

type Discounts = Pick<FrozenQuote, 'discounts' | 'menuDiscounts'>;
type Discounted = Discounts & { items: readonly Pick<QuotedItem, 'unitCents' | 'weight'>[] };

/** Whether slots or menu prices take something off. */
export const isDiscounted = ({ discounts, menuDiscounts }: Discounts): boolean =>
  discounts !== undefined || menuDiscounts !== undefined;

/** The cuts of items as they are handed off, and of a delivery fee, which they never exceed. */
export function cutsOf(quote: Discounted, items: readonly FulfilledItem[], deliveryFeeCents: number): OrderCuts {
  if (!isDiscounted(quote)) return { lines: items.map(() => NO_CUT), delivery: NO_CUT };
  const isByWeight = isWeighedOrder(quote) && !items.every(isAsOrdered);
  const byWeight = isByWeight && discountsByWeight(quote, items);
  const lines = items.map((item, index) => (byWeight ? cutOfLine(byWeight, index) : cutOfItem(quote, item, index)));
  const agreed = sumParts(quote.discounts, (part) => part.deliveryCents);
  const all = sumCents(agreed.byPayer);
  const cents = Math.min(deliveryFeeCents, all);
  const taxOffCents = all > 0 ? shareOf(agreed.taxOffCents, cents, all) : 0;
  return { lines, delivery: { byPayer: splitInProportion(cents, agreed.byPayer), taxOffCents, menuTaxedCents: 0 } };
}

/**
 * The discounts of an order with items sold by weight on the handed-off items, slot after slot: a percentage follows
 * the final prices, any other discount shrinks with its line. Each line keeps its payers in proportion.
 */
export function discountsByWeight(
  { discounts = [], menuDiscounts = [], items: ordered }: Discounted,
  items: readonly FulfilledItem[],
): Required<Discounts> {
  let left = items.map(discountRoom);
  const revised = discounts.map((discount): Discount => {
    const line = sumLines(discount.parts);
    const shrunk = items.map((item, at) =>
      Math.min(left[at] ?? 0, shrunkCents(line(at), item, ordered[at]?.unitCents ?? 0)),
    );
    const lineCents = revisedPercent(discount, { items, left, shrunk }) ?? shrunk;
    left = left.map((cents, at) => cents - (lineCents[at] ?? 0));
    return { ...discount, parts: splitLines(discount.parts, lineCents) };
  });
  const menuCents = items.map(({ listUnitCents, unitCents, quantity }) => (listUnitCents - unitCents) * quantity);
  const menuParts = menuDiscounts.flatMap(({ parts }) => parts);
  const ofMenu = splitLines(menuParts, menuCents);
  const menu = menuDiscounts.map((discount) => ({
    ...discount,
    parts: discount.parts.map((part) => ofMenu[menuParts.indexOf(part)] ?? part),
  }));
  return { discounts: revised, menuDiscounts: menu };
}

type FinalLines = { items: readonly FulfilledItem[]; left: readonly number[]; shrunk: readonly number[] };

/** A percentage of the lines' rest; substitutes keep theirs. Undefined for other discounts. */
function revisedPercent({ terms, onLines }: Discount, { items, left, shrunk }: FinalLines): number[] | undefined {
  if (terms.kind !== 'percent' || !onLines) return undefined;
  const keeps = items.map(({ replaces }, at) => (replaces ? (shrunk[at] ?? 0) : 0));
  const on = items.map(({ replaces }, at) => (onLines.includes(at) && !replaces ? (left[at] ?? 0) : 0));
  const all = sumCents(on);
  const limit = (terms.maxDiscountCents ?? Infinity) - sumCents(keeps);
  const lineCents = splitInProportion(Math.min(percentOf(terms.percent, all), limit, all), on);
  return lineCents.map((cents, at) => cents + (keeps[at] ?? 0));
}

/** An item's part of its line's discount: by price for goods by weight and substitutes, otherwise by units. */
function shrunkCents(
  cents: number,
  { quantity, orderedQuantity, replaces, weight, unitCents }: FulfilledItem,
  oldCents: number,
) {
  const kept = cents - shareOf(cents, orderedQuantity - quantity, orderedQuantity);
  return (replaces || weight) && oldCents > 0 ? Math.min(kept, shareOf(kept, unitCents, oldCents)) : kept;
}

const sumLines = (parts: readonly DiscountPart[]) => (at: number) =>
  sumCents(parts.map(({ lineCents }) => lineCents[at] ?? 0));

/** Parts with these cents of each line, in proportion to their shares of it. */
function splitLines(parts: readonly DiscountPart[], lineCents: readonly number[]): DiscountPart[] {
  if (parts.length === 0) return [];
  const byLine = lineCents.map((cents, at) =>
    splitInProportion(
      cents,
      parts.map((part) => part.lineCents[at] ?? 0),
    ),
  );
  return parts.map((part, nth) => ({ ...part, lineCents: byLine.map((split) => split[nth] ?? 0) }));
}

function cutOfLine({ discounts, menuDiscounts }: Required<Discounts>, index: number): Cut {
  const ofLine = (part: DiscountPart) => part.lineCents[index] ?? 0;
  const [slots, menu] = [sumParts(discounts, ofLine), sumParts(menuDiscounts, ofLine)];
  const menuTaxedCents = sumCents(menu.byPayer) - menu.taxOffCents;
  return { byPayer: addCents(menu.byPayer, slots.byPayer), taxOffCents: slots.taxOffCents, menuTaxedCents };
}

/** Of k of q units k/q, rounded half away from zero, has left with them; a substitute has it in proportion to its price. */
function cutOfItem({ discounts, menuDiscounts }: Discounts, item: FulfilledItem, index: number): Cut {
  const { quantity, orderedQuantity, replaces } = item;
  const ofLine = (part: DiscountPart) => part.lineCents[index] ?? 0;
  const slots = sumParts(discounts, ofLine);
  const menu = sumParts(replaces ? [] : menuDiscounts, ofLine);
  const gone = (cents: number) => shareOf(cents, orderedQuantity - quantity, orderedQuantity);
  const all = addCents(menu.byPayer, slots.byPayer);
  const taxed = sumCents(menu.byPayer) - menu.taxOffCents;
  const kept: Cut = {
    byPayer: takeCents(all, splitInProportion(gone(sumCents(all)), all)),
    taxOffCents: slots.taxOffCents - gone(slots.taxOffCents),
    menuTaxedCents: taxed - gone(taxed),
  };
  return replaces ? cutOfSubstitute(kept, item, replaces.unitCents) : kept;
}

function cutOfSubstitute(kept: Cut, { unitCents, markedUnitCents, quantity }: FulfilledItem, oldCents: number): Cut {
  const limit = Math.min(unitCents, markedUnitCents) * quantity;
  const ofPrice = (cents: number) => Math.min(cents, limit, oldCents > 0 ? shareOf(cents, unitCents, oldCents) : cents);
  const byPayer = splitInProportion(ofPrice(cutCents(kept)), kept.byPayer);
  return { byPayer, taxOffCents: ofPrice(kept.taxOffCents), menuTaxedCents: 0 };
}

function sumParts(discounts: readonly Discount[] = [], centsOf: (part: DiscountPart) => number) {
  const parts = discounts.flatMap((discount) => discount.parts);
  const sumOf = (some: readonly DiscountPart[]) => sumCents(some.map(centsOf));
  return {
    byPayer: PAYERS.map((payer) => sumOf(parts.filter((part) => part.payer === payer))),
    taxOffCents: sumOf(parts.filter(({ lowersTax }) => lowersTax)),
  };
}
