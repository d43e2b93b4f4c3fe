import type { OrderedWeight, RequestedAmount } from '../../ordering/order/order.ts';
import { MAX_QUANTITY } from '../../ordering/place/order-body.ts';
import { divideRounded } from '../../platform/lib/money.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { gramsOf, type SizeUnit, sizeOf } from '../../supply/catalog/unit-price.ts';
import {
  decimalOfMilli,
  goodsCents,
  lineWeightOf,
  type Milli,
  type SoldByWeight,
  type WeightUnit,
} from '../../supply/pricing/weight.ts';
import type { Locale } from '../../texts/catalogs.ts';

/** Units of quantities (UN/ECE Recommendation 20), and the unit price for comparing products. */

/** An amount of a unit: `value` × 10^−`scale`. */
export type Measure = { value: number; unit: string; scale: number; display_text: string };
export type UnitPrice = { amount: number; currency: string; measure: Measure; reference: Measure };

/** The code of a unit, and the amount of it for comparisons. */
const UNITS: Readonly<Record<SizeUnit, { unit: string; per: number }>> = {
  lb: { unit: 'LBR', per: 1 },
  oz: { unit: 'ONZ', per: 1 },
  'fl oz': { unit: 'OZA', per: 1 },
  g: { unit: 'GRM', per: 100 },
  kg: { unit: 'KGM', per: 1 },
  ml: { unit: 'MLT', per: 100 },
  l: { unit: 'LTR', per: 1 },
  gal: { unit: 'GLL', per: 1 },
  qt: { unit: 'QTL', per: 1 },
  pt: { unit: 'PTL', per: 1 },
  ct: { unit: 'C62', per: 1 },
};

/** Maximum shown decimals of a size. */
const MAX_SCALE = 3;

/** The price of a reference amount, rounded once; undefined for an unknown unit, or where nothing is left of it. */
export function unitPriceOf(
  product: { unitSize: number | null; unitOfMeasurement: string },
  { amount, currency }: { amount: number; currency: string },
): UnitPrice | undefined {
  const size = sizeOf(product);
  if (!size) return undefined;
  const { unit, per } = UNITS[size.unit];
  // The unit of pieces has no fractions.
  const scale = Math.min(Math.max(-size.exponent, 0), unit === 'C62' ? 0 : MAX_SCALE);
  const shift = size.exponent + scale;
  const value = divideRounded(size.digits * 10n ** BigInt(Math.max(shift, 0)), 10n ** BigInt(Math.max(-shift, 0)));
  if (!(value >= 1 && Number.isSafeInteger(value))) return undefined;
  const price = divideRounded(BigInt(amount) * BigInt(per * 10 ** scale), BigInt(value));
  if (price < 1) return undefined;
  return {
    amount: price,
    currency,
    measure: { value, unit, scale, display_text: size.unit },
    reference: { value: per, unit, scale: 0, display_text: size.unit },
  };
}

/** The steps of a quantity: 10^−`scale` units, sold in multiples of `increment`, at least `least`. */
export type Basis = { unit: string; scale: number; increment: number; least?: number };

/** Whole pieces. */
export const EACH: Basis = { unit: 'C62', scale: 0, increment: 1 };

type ByWeight = Pick<CatalogProduct, 'weight'>;

/** The unit of goods by weight, and how many thousandths of theirs it is: grams have no whole price, so kilograms have it. */
const PRICED: Readonly<Record<WeightUnit, { unit: string; text: string; milli: Milli }>> = {
  lb: { unit: 'LBR', text: 'lb', milli: 1000 },
  oz: { unit: 'ONZ', text: 'oz', milli: 1000 },
  kg: { unit: 'KGM', text: 'kg', milli: 1000 },
  g: { unit: 'KGM', text: 'kg', milli: 1_000_000 },
};

/** A product line's quantity: steps of a weight, or pieces, some without a price of their own. */
export function basisOf({ weight }: ByWeight): Basis {
  if (!weight || weight.piece !== null) return EACH;
  const { unit, milli } = PRICED[weight.unit];
  let scale = 0;
  while ((weight.step * 10 ** scale) % milli !== 0) scale += 1;
  const steps = (of: Milli) => (of * 10 ** scale) / milli;
  return { unit, scale, increment: steps(weight.step), least: steps(weight.min) };
}

/** Thousandths of a weight's unit in a step of its basis. */
const milliOfStep = ({ unit }: SoldByWeight, { scale }: Basis): number => PRICED[unit].milli / 10 ** scale;

/** The most of a product in a line, up to 99 units. */
export function mostOf({ weight, qtyAvailable }: Pick<CatalogProduct, 'weight' | 'qtyAvailable'>): number {
  const most = Math.min(qtyAvailable ?? MAX_QUANTITY, MAX_QUANTITY);
  if (!weight) return most;
  if (weight.piece !== null) return Math.min(most, Math.floor(weight.max / weight.piece));
  const basis = basisOf({ weight });
  return Math.min(most * 10 ** basis.scale, weight.max / milliOfStep(weight, basis));
}

/** The requested weight of an item sold by weight; undefined for others. */
export function amountOf({ weight }: ByWeight, quantity: number): RequestedAmount | undefined {
  if (!weight) return undefined;
  return weight.piece === null ? { milli: quantity * milliOfStep(weight, basisOf({ weight })) } : { pieces: quantity };
}

/** The quantity of an item in an order's body. */
export const orderedQuantity = (quantity: number, { milli, pieces }: RequestedAmount = {}) =>
  pieces === undefined ? { quantity: milli === undefined ? quantity : decimalOfMilli(milli) } : { pieces };

/** How a line of goods by weight is counted in the shop's own cart, with `optionsCents` once; undefined for others. */
export function shopWeightOf({ weight }: ByWeight, quantity: number, optionsCents: number) {
  if (!weight) return undefined;
  const line = lineWeightOf(weight);
  const count = line.isByPiece ? quantity : (quantity * milliOfStep(weight, basisOf({ weight }))) / line.one;
  return { quantity: count, weight: { ...line, optionsCents } };
}

/** A quantity as people read it: `1.5 lb`, or the number of pieces. */
export function writeQuantity(product: ByWeight, quantity: number, { format }: Locale): string {
  const { weight } = product;
  const { scale, unit } = basisOf(product);
  const number = format.number(quantity / 10 ** scale, scale);
  return unit === EACH.unit || !weight ? number : `${number} ${PRICED[weight.unit].text}`;
}

/** A weight as a quantity of its unit's basis; for pieces, their weight. */
export function measureOf(unit: WeightUnit, milli: Milli): Measure {
  const { unit: code, text, milli: whole } = PRICED[unit];
  const scale = String(whole).length - 1;
  return { value: milli, unit: code, scale, display_text: text };
}

/** How an item's quantity is counted and priced. */
export type ItemUnits = {
  quantity_unit?: { unit: string; scale: number; display_text: string; increment?: number };
  unit_price?: UnitPrice;
};

/** An item's units; nothing for items that aren't sold by weight. */
export function unitsOf({ weight }: ByWeight, { cents, currency }: { cents: number; currency: string }): ItemUnits {
  if (!weight) return {};
  const { unit, per, piece } = weight;
  if (piece !== null) return priceByWeight({ unit, per, piece }, { cents, currency });
  const { least: _, ...basis } = basisOf({ weight });
  return { quantity_unit: { ...basis, display_text: PRICED[unit].text } };
}

/** The price of a whole unit of pieces, which determines a piece's price. */
function priceByWeight(
  { unit, per, piece }: { unit: WeightUnit; per: Milli; piece: Milli },
  { cents, currency }: { cents: number; currency: string },
): ItemUnits {
  const { text, milli } = PRICED[unit];
  const measure = measureOf(unit, piece);
  const reference = { value: 1, unit: measure.unit, scale: 0, display_text: text };
  return { unit_price: { amount: goodsCents(cents, milli, per), currency, measure, reference } };
}

/** How an ordered weight is counted: in its line's `scale`, or in thousandths; pieces as pieces. */
export function orderedUnits(
  { weight, basePriceCents }: { weight: OrderedWeight; basePriceCents: number },
  { scale, currency }: { scale: number | undefined; currency: string },
) {
  const { unit, per, ordered, pieces } = weight;
  const { unit: code, text, milli: whole } = PRICED[unit];
  if (pieces !== undefined) {
    const piece = ordered / pieces;
    return {
      price: goodsCents(basePriceCents, piece, per),
      members: priceByWeight({ unit, per, piece }, { cents: basePriceCents, currency }),
      stepsOf: (milli: Milli) => (milli > 0 ? pieces : 0),
    };
  }
  const { scale: finest } = measureOf(unit, ordered);
  const used = scale ?? finest;
  return {
    price: goodsCents(basePriceCents, whole, per),
    members: { quantity_unit: { unit: code, scale: used, display_text: text } },
    stepsOf: (milli: Milli) => Math.round((milli * 10 ** used) / whole),
  };
}

/** Cents for the unit of an item's price: a whole unit of its basis, or a piece. */
export const itemCents = ({ weight }: ByWeight, cents: number): number =>
  weight ? goodsCents(cents, weight.piece ?? PRICED[weight.unit].milli, weight.per) : cents;

/** Grams of the units of weight, which are converted into each other. */
const IN_GRAMS = (['lb', 'oz', 'kg', 'g'] as const).map((unit) => [UNITS[unit].unit, gramsOf(unit)] as const);
const GRAMS: ReadonlyMap<string, number> = new Map(IN_GRAMS);

export type Revision = 'quantity_unit_converted' | 'quantity_increment_revised' | 'quantity_adjusted';
/** The counted quantity, and the change made to it; undefined for a unit that can't be converted. */
export type Settled = { quantity: number; revisions: readonly Revision[] } | undefined;

/**
 * The quantity of a line in steps of its basis, up to `most`. A platform that names a unit asserts it: another scale
 * or weight is converted, rounded once. Without one nothing is asserted.
 */
export function settleQuantity(
  wanted: { quantity: number; unit?: { unit: string; scale?: number } | undefined },
  basis: Basis,
  most: number,
): Settled {
  const { unit = basis.unit, scale = wanted.unit ? 0 : basis.scale } = wanted.unit ?? {};
  const isSame = unit === basis.unit && scale === basis.scale;
  // Pieces have no fractions.
  if (unit === EACH.unit && !isSame) return undefined;
  const [from, to] = unit === basis.unit ? [1, 1] : [GRAMS.get(unit), GRAMS.get(basis.unit)];
  if (from === undefined || to === undefined) return undefined;
  const steps = isSame ? wanted.quantity : Math.round((wanted.quantity * from * 10 ** (basis.scale - scale)) / to);
  const { increment, least = increment } = basis;
  const snapped = Math.max(least, Math.round(steps / increment) * increment);
  const quantity = Math.min(snapped, Math.floor(most / increment) * increment);
  const changes: [boolean, Revision][] = [
    [!isSame, 'quantity_unit_converted'],
    [snapped !== steps, 'quantity_increment_revised'],
    [quantity !== snapped, 'quantity_adjusted'],
  ];
  return { quantity, revisions: changes.flatMap(([isChanged, revision]) => (isChanged ? [revision] : [])) };
}
