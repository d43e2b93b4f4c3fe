import { amountOf, isSameKind, packSize } from '../../supply/catalog/unit-price.ts';
import { decimalOfMilli, goodsCents, type Milli, type SoldByWeight, splitAmount } from '../../supply/pricing/weight.ts';
import { unitOf } from '../products/product-words.ts';

/** A cart line's request: pieces, packages, or units of a weight; or an amount, as a packed size (`packSize`). */
export type LineAmount = { count: number } | { size: number };

/** How a product is sold. The prices are of one, or of goods by weight of `per` and of the options of a line. */
export type Sold = {
  priceCents: number;
  extraCents: number;
  /** Packed size of a package, or the amount a price by weight is for. */
  size: number;
  weight: Pick<SoldByWeight, 'per' | 'step' | 'min' | 'max' | 'piece'> | null;
};

/** A line's order of a product; with `milli` it is sold by weight, and `quantity` is 1. */
export type Ordered = { quantity: number; lineCents: number; milli?: Milli; pieces?: number };

/** Maximum units per line, as for an item of an order. */
export const MAX_LINE_UNITS = 99;

/** Reads a whole number from 1 to `MAX_LINE_UNITS`, or a text such as `1.5 lb`, `700 g`; undefined for anything else. */
export function readAmount(value: unknown): LineAmount | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && value >= 1 && value <= MAX_LINE_UNITS ? { count: value } : undefined;
  }
  const amount = typeof value === 'string' ? splitAmount(value) : undefined;
  if (!amount) return undefined;
  const names = amount.unit.replaceAll('.', '').trim().split(/ +/);
  const unitOfMeasurement = names.map((name) => unitOf(name) ?? name).join(' ');
  const size = packSize({ unitSize: decimalOfMilli(amount.milli), unitOfMeasurement });
  return size === 0 ? undefined : { size };
}

/** Returns the most units of one product that a line may order. */
export const maxUnitsOf = (amount: LineAmount): number => ('count' in amount ? amount.count : MAX_LINE_UNITS);

/**
 * Returns a line's order of a product: pieces of goods with a weight per piece, otherwise units of their weight; an
 * amount is rounded up to the next step or package. Null for too much, or for a weight of a product without one.
 */
export function orderOf(amount: LineAmount, sold: Sold): Ordered | null {
  const { weight } = sold;
  if (weight) return orderByWeight(amount, sold, weight);
  const quantity = 'count' in amount ? amount.count : packagesOf(amount.size, sold.size);
  if (quantity > MAX_LINE_UNITS) return null;
  return { quantity, lineCents: quantity * (sold.priceCents + sold.extraCents) };
}

function packagesOf(amount: number, size: number): number {
  return size === 0 || !isSameKind(amount, size) ? Infinity : divideUp(amountOf(amount), amountOf(size));
}

function orderByWeight(amount: LineAmount, sold: Sold, weight: NonNullable<Sold['weight']>): Ordered | null {
  const { per, step, min, max, piece } = weight;
  const goods = (milli: Milli) => goodsCents(sold.priceCents, milli, per) + sold.extraCents;
  if ('count' in amount && piece !== null) {
    const milli = amount.count * piece;
    return milli > max ? null : { quantity: 1, lineCents: goods(milli), milli, pieces: amount.count };
  }
  if (!('count' in amount) && !isSameKind(amount.size, sold.size)) return null;
  const steps =
    'count' in amount
      ? Math.ceil((amount.count * 1000) / step)
      : divideUp(amountOf(amount.size) * BigInt(per), amountOf(sold.size) * BigInt(step));
  const milli = Math.max(min, steps * step);
  return milli > max ? null : { quantity: 1, lineCents: goods(milli), milli };
}

const divideUp = (numerator: bigint, denominator: bigint): number =>
  Number((numerator + denominator - 1n) / denominator);
