import { Type } from 'typebox';
import { divideRounded } from '../../platform/lib/money.ts';

/*
 * Goods by weight (docs/weights.md). Weights are whole thousandths of the product's unit inside and decimals of up to
 * three places outside, so none is ever a binary fraction.
 */

export const WEIGHT_UNITS = ['lb', 'oz', 'kg', 'g'] as const;
export type WeightUnit = (typeof WEIGHT_UNITS)[number];

/** Thousandths of a unit of weight. */
export type Milli = number;

/** How a product is sold by weight. Its price is for `per`. */
export type SoldByWeight = {
  unit: WeightUnit;
  per: Milli;
  /** Orders are multiples of it, from `min` to `max`. */
  step: Milli;
  min: Milli;
  max: Milli;
  /** The approximate weight of one piece; null where it isn't sold by the piece. */
  piece: Milli | null;
  /** By how much more than ordered a store may hand off. */
  tolerancePercent: number;
  /** Its PLU on labels of its store's scale, without leading zeros. */
  scaleCode: string | null;
};

/** Its size in the form of package sizes, for unit prices: the amount its price is for. */
export function sizeOfWeight({ unit, per }: SoldByWeight): { unitSize: number; unitOfMeasurement: string } {
  return { unitSize: decimalOfMilli(per), unitOfMeasurement: unit };
}

const DECIMAL = /^\d{1,6}(\.\d{1,3})?$/;

/** Reads a weight as requests write it, `1.5` or `"1.5"`; undefined for more than three decimals and anything else. */
export function readMilli(value: unknown): Milli | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 10 || !DECIMAL.test(text)) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  return Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** A weight that a person has typed, with a point or a comma, as requests write it. */
export const typedWeight = (text: string): string => text.trim().replace(',', '.');

const MAX_AMOUNT_CHARACTERS = 50;

/** Splits a number from the name of its unit, in lower case: `1.5 lb`, `12 fl. oz`; undefined for any other text. */
export function splitAmount(text: string): { milli: Milli; unit: string } | undefined {
  if (text.length > MAX_AMOUNT_CHARACTERS) return undefined;
  const [, number, unit = ''] = /^\s*([\d.]+)\s*([a-z][a-z .]*)$/i.exec(text) ?? [];
  const milli = readMilli(number);
  return milli === undefined ? undefined : { milli, unit: unit.trim().toLowerCase() };
}

/** Reads a weight with its unit, `1.5 lb`; undefined for any other text. */
export function readWeight(text: string): { milli: Milli; unit: WeightUnit } | undefined {
  const { milli, unit: name } = splitAmount(text) ?? {};
  const unit = WEIGHT_UNITS.find((one) => one === name?.replace(/^lbs$/, 'lb'));
  return milli === undefined || unit === undefined ? undefined : { milli, unit };
}

/** A weight in a body, read by `readMilli`. */
export const weightField = (description: string) =>
  Type.Refine(
    Type.Unsafe<number | string>({ type: ['number', 'string'], maxLength: 10, description, examples: [1.5, '0.75'] }),
    (weight) => readMilli(weight) !== undefined,
    () => 'must be a decimal of at most three places, such as 1.5',
  );

/** A weight as answers write it: the nearest double to its decimal, which JSON writes back as that decimal. */
export const decimalOfMilli = (milli: Milli): number => milli / 1000;

/** The weight of such a decimal. */
export const milliOfDecimal = (decimal: number): Milli => Math.round(decimal * 1000);

/** A weight as people say it: to a tenth of its unit. */
export const toTenth = (milli: Milli): Milli => Math.round(milli / 100) * 100;

/** The price of a weight at a price for `per`, rounded half away from zero. */
export function goodsCents(priceCents: number, milli: Milli, per: Milli): number {
  return divideRounded(BigInt(priceCents) * BigInt(milli), BigInt(per));
}

/** The most that may be handed off of an ordered weight: up to the next thousandth. */
export const maxMilli = (ordered: Milli, tolerancePercent: number): Milli =>
  Math.ceil((ordered * (100 + tolerancePercent)) / 100);

const MAX_PIECES = 99;

/** How a line of goods by weight is counted in a cart: in whole steps, or in pieces of a known weight. */
export type LineWeight = {
  unit: WeightUnit;
  /** The weight that prices are for. */
  per: Milli;
  /** The weight of one step or piece. */
  one: Milli;
  isByPiece: boolean;
  /** The least and the most steps or pieces. */
  min: number;
  max: number;
};

export function lineWeightOf({
  unit,
  per,
  step,
  min,
  max,
  piece,
}: Omit<SoldByWeight, 'tolerancePercent' | 'scaleCode'>): LineWeight {
  const one = piece ?? step;
  const isByPiece = piece !== null;
  const most = Math.floor(max / one);
  return {
    unit,
    per,
    one,
    isByPiece,
    min: isByPiece ? 1 : min / one,
    max: isByPiece ? Math.min(MAX_PIECES, most) : most,
  };
}
