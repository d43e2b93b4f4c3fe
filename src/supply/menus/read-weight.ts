import { plainItem } from '../catalog/scale-label.ts';
import { readMilli, type SoldByWeight, WEIGHT_UNITS, type WeightUnit } from '../pricing/weight.ts';
import type { FeedObject } from '../stores/feed-fields.ts';

/* How a feed says that a product is sold by weight (docs/weights.md#feeds). */

const SALES = ['piece', 'weight'] as const;

/** An order's step and maximum in thousandths where a feed doesn't state them. */
const DEFAULTS: Readonly<Record<WeightUnit, { step: number; max: number }>> = {
  lb: { step: 250, max: 50_000 },
  oz: { step: 1000, max: 800_000 },
  kg: { step: 250, max: 25_000 },
  g: { step: 50_000, max: 25_000_000 },
};
const TOLERANCE = { min: 0, max: 25 };
const SCALE_CODE = /^\d{1,12}$/;

/** Reads how a product is sold by weight; undefined by the piece. `weight` is read only with `sold_by: "weight"`. */
export function readWeight(from: FeedObject): SoldByWeight | undefined {
  if (from.choice('sold_by', SALES) !== 'weight') return undefined;
  from.requirePresent('weight');
  const weight = from.object('weight');
  if (!weight) return undefined;
  weight.requirePresent('unit');
  const unit = weight.choice('unit', WEIGHT_UNITS);
  const per = readAmount(weight, 'price_per') ?? 1000;
  const given = { step: readAmount(weight, 'step'), min: readAmount(weight, 'min'), max: readAmount(weight, 'max') };
  const piece = readAmount(weight, 'piece_weight') ?? null;
  const tolerancePercent = weight.whole('tolerance_percent', TOLERANCE) ?? (piece === null ? 10 : 20);
  const scaleCode = readScaleCode(weight);
  if (!unit) return undefined;
  const { step = DEFAULTS[unit].step, min = step } = given;
  const { max = Math.max(min, DEFAULTS[unit].max - (DEFAULTS[unit].max % step)) } = given;
  if (min % step !== 0) weight.fault('min', 'expected a multiple of step');
  if (max % step !== 0) weight.fault('max', 'expected a multiple of step');
  else if (max < min) weight.fault('max', 'expected at least min');
  return { unit, per, step, min, max, piece, tolerancePercent, scaleCode };
}

function readAmount(from: FeedObject, key: string): number | undefined {
  const value = from.value(key);
  const milli = readMilli(value);
  if (value !== undefined && !milli) from.fault(key, 'expected a number above 0, with at most three decimals');
  return milli || undefined;
}

/** A code without its leading zeros, which labels add and numbers lose. */
function readScaleCode(from: FeedObject): string | null {
  const code = from.withNumberAsText('scale_code').text('scale_code', Number.POSITIVE_INFINITY) || null;
  if (code !== null && !SCALE_CODE.test(code)) from.fault('scale_code', 'expected 1 to 12 digits');
  return code && plainItem(code);
}
