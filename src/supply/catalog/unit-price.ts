import { decimalOf, divideRounded } from '../../platform/lib/money.ts';
import { type Milli, WEIGHT_UNITS, type WeightUnit } from '../pricing/weight.ts';
import type { Country } from '../stores/store.ts';
import type { CatalogProduct } from './product.ts';

/* Sizes of packages, and the unit price for comparing them. */

/** Units as feeds write them, in any case. */
export type SizeUnit = keyof typeof PIECES | keyof typeof AMOUNTS;

/** An exact amount, `digits` × 10^`exponent` units, above zero. */
type Size = { unit: SizeUnit; digits: bigint; exponent: number };

/** Cents for `per` units. */
type UnitPrice = { cents: number; per: number; unit: ShelfUnit };
export const SHELF_UNITS = ['lb', 'oz', 'fl oz', 'gal', 'g', 'kg', 'ml', 'L'] as const;
type ShelfUnit = (typeof SHELF_UNITS)[number];

const PIECES = { ct: 1n };

/** How many tenths of a billionth of a gram, or of a milliliter, a unit has. */
const AMOUNTS = {
  lb: 4_535_923_700_000n,
  oz: 283_495_231_250n,
  g: 10_000_000_000n,
  kg: 10_000_000_000_000n,
  'fl oz': 295_735_295_625n,
  pt: 4_731_764_730_000n,
  qt: 9_463_529_460_000n,
  gal: 37_854_117_840_000n,
  ml: 10_000_000_000n,
  l: 10_000_000_000_000n,
};
const PER_GRAM = AMOUNTS.g;

type Reference = { per: number; unit: ShelfUnit };
const one = (unit: ShelfUnit): Reference => ({ per: 1, unit });
const hundred = (unit: ShelfUnit): Reference => ({ per: 100, unit });

/** A country's unit for comparing packages with this unit on the label. */
const REFERENCES: Readonly<Record<keyof typeof AMOUNTS, Readonly<Record<Country, Reference>>>> = {
  lb: { US: one('lb'), CA: one('kg') },
  oz: { US: one('oz'), CA: hundred('g') },
  g: { US: one('oz'), CA: hundred('g') },
  kg: { US: one('lb'), CA: one('kg') },
  'fl oz': { US: one('fl oz'), CA: hundred('ml') },
  pt: { US: one('fl oz'), CA: hundred('ml') },
  qt: { US: one('fl oz'), CA: one('L') },
  gal: { US: one('gal'), CA: one('L') },
  ml: { US: one('fl oz'), CA: hundred('ml') },
  l: { US: one('fl oz'), CA: one('L') },
};

/** Reads how much one of a product is; undefined for an unknown unit or none, and for nothing of it. */
export function sizeOf(product: Pick<CatalogProduct, 'unitSize' | 'unitOfMeasurement'>): Size | undefined {
  const { unitSize, unitOfMeasurement } = product;
  const unit = unitOfMeasurement.trim().toLowerCase();
  if (unitSize === null || !(unitSize > 0) || !isSizeUnit(unit)) return undefined;
  return { unit, ...decimalOf(unitSize) };
}

const isMeasured = (unit: string): unit is keyof typeof AMOUNTS => Object.hasOwn(AMOUNTS, unit);
const isSizeUnit = (unit: string): unit is SizeUnit => isMeasured(unit) || Object.hasOwn(PIECES, unit);

const MEASURED = Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[];
const UNIT_SHIFT = 28;
const EXPONENT_SHIFT = 24;
const MIN_EXPONENT = -7;
const DIGITS_MASK = 2 ** EXPONENT_SHIFT - 1;
/**
 * A weight or volume as 32 bits of an index: its unit, a power of ten from −7, and up to seven digits, rounded where it
 * has more; 0 without either.
 */
export function packSize(product: Pick<CatalogProduct, 'unitSize' | 'unitOfMeasurement'>): number {
  const size = sizeOf(product);
  if (!size || !isMeasured(size.unit)) return 0;
  let { digits, exponent } = size;
  for (; digits > DIGITS_MASK || exponent < MIN_EXPONENT; exponent += 1) digits = (digits + 5n) / 10n;
  for (; exponent > -MIN_EXPONENT; exponent -= 1) digits *= 10n;
  if (digits === 0n || digits > DIGITS_MASK) return 0;
  const unit = MEASURED.indexOf(size.unit) << UNIT_SHIFT;
  return (unit | ((exponent - MIN_EXPONENT) << EXPONENT_SHIFT) | Number(digits)) >>> 0;
}

/** The grams or milliliters of a packed size, exact, in a small unit that all have in common. */
export function amountOf(packed: number): bigint {
  const unit = MEASURED[packed >>> UNIT_SHIFT] as (typeof MEASURED)[number];
  return AMOUNTS[unit] * BigInt(packed & DIGITS_MASK) * 10n ** BigInt((packed >>> EXPONENT_SHIFT) & 15);
}

/** Whole grams as thousandths of a unit, rounded. */
export const milliOfGrams = (grams: number, unit: WeightUnit): Milli =>
  divideRounded(1000n * BigInt(grams) * PER_GRAM, AMOUNTS[unit]);

/** Whether both of these packed sizes are weights, or both volumes. */
export const isSameKind = (one: number, other: number): boolean => isWeight(one) === isWeight(other);

const isWeight = (packed: number): boolean => WEIGHT_UNITS.some((unit) => unit === MEASURED[packed >>> UNIT_SHIFT]);

/** Grams of a unit of weight. */
export const gramsOf = (unit: 'lb' | 'oz' | 'g' | 'kg'): number => Number(AMOUNTS[unit]) / Number(PER_GRAM);

/**
 * The price of a unit of weight or volume by the custom of a country (`US`, `CA`), rounded once, half away from zero; undefined
 * where the size does not say it, and where nothing is left of it.
 */
export function unitPriceOf(
  product: Pick<CatalogProduct, 'unitSize' | 'unitOfMeasurement'>,
  cents: number,
  country: string,
): UnitPrice | undefined {
  const size = sizeOf(product);
  if (!size || !isMeasured(size.unit)) return undefined;
  const { per, unit } = REFERENCES[size.unit][country === 'CA' ? 'CA' : 'US'];
  const shown = AMOUNTS[unit === 'L' ? 'l' : unit] * BigInt(per);
  const ten = (power: number) => 10n ** BigInt(Math.max(power, 0));
  const price = divideRounded(
    BigInt(cents) * shown * ten(-size.exponent),
    AMOUNTS[size.unit] * size.digits * ten(size.exponent),
  );
  return price >= 1 && Number.isSafeInteger(price) ? { cents: price, per, unit } : undefined;
}
