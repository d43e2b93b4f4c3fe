import { present } from 'doorstep/collections';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { divideRounded, sumCents } from '../../platform/lib/money.ts';
import { plainItem, readLabel } from '../../supply/catalog/scale-label.ts';
import type { ScalePrice } from '../../supply/catalog/scale-price.flow.ts';
import { milliOfGrams } from '../../supply/catalog/unit-price.ts';
import { decimalOfMilli, goodsCents, type Milli } from '../../supply/pricing/weight.ts';
import type { OrderedWeight, ScaledWeight } from '../order/order.ts';

/* A scale's weights for items sold by weight (docs/weights.md#weighing), typed or read from its labels. */

/**
 * A weight of an item, its label (`isOne`), or the labels of its parts. `isAtLimit`: weight above the limit is given free.
 * `isAccepted`: it may be far less than was ordered.
 */
export type Weighing = { pieces?: number | undefined; isAtLimit: boolean; isAccepted?: boolean } & (
  | { milli: Milli }
  | { labels: readonly string[]; isOne: boolean }
);

/**
 * The goods on the scale. `max`: the most that may be charged; null for a substitute, whose price is lowered instead.
 * `scale`: null where the scale's price is not known.
 */
export type WeighedGoods = Pick<OrderedWeight, 'unit' | 'per' | 'scaleCode'> & {
  name: string;
  scale: ScalePrice | null;
  /** Absent for a substitute. */
  ordered?: Milli;
  /** For `per`, without menu prices. */
  listPriceCents: number;
  max: Milli | null;
};

/**
 * Throws `invalid_request`, `label_mismatch`, `label_price_unknown`, `weight_below_half`, or `weight_above_limit`
 * with the most that may be charged.
 */
export function readScale(weighing: Weighing, goods: WeighedGoods, patterns: readonly string[] | null): ScaledWeight {
  const { name, unit, listPriceCents, per } = goods;
  const read = readWeighing(weighing, goods, patterns);
  const { ordered = 0 } = goods;
  if (read.milli * 2 < ordered && !weighing.isAccepted) {
    const sentence = `"${name}" weighs ${decimalOfMilli(read.milli)} ${unit}, less than half of the ${decimalOfMilli(ordered)} ${unit} that were ordered: weigh it again, or send accept.`;
    throw new Refusal('weight_below_half', sentence);
  }
  const pieces = weighing.pieces === undefined ? {} : { pieces: weighing.pieces };
  const max = goods.max ?? read.milli;
  const isAbove =
    goods.max !== null &&
    (read.labelCents === undefined ? read.milli > max : read.labelCents > goodsCents(listPriceCents, max, per));
  // A price within the limit may round to a weight above it.
  if (!isAbove) return { ...read, milli: Math.max(1, Math.min(read.milli, max)), ...pieces };
  if (weighing.isAtLimit) return { milli: max, from: 'limit', ...pieces };
  const limit = decimalOfMilli(max);
  const sentence = `"${name}" weighs ${decimalOfMilli(read.milli)} ${unit}, and at most ${limit} ${unit} may be charged: hand over less, or send at_limit to give the rest.`;
  throw new Refusal('weight_above_limit', sentence, { members: { max_weight: limit } });
}

function readWeighing(
  weighing: Weighing,
  goods: WeighedGoods,
  patterns: readonly string[] | null,
): Pick<ScaledWeight, 'milli' | 'labelCents' | 'from'> {
  if ('milli' in weighing) return { milli: weighing.milli, from: 'scale' };
  const { listPriceCents, per, unit } = goods;
  const parts = weighing.labels.map((text, nth) => {
    const label = readLabel(patterns, text);
    const refuse = (message: string) =>
      invalidRequest([{ in: 'body', name: weighing.isOne ? 'label' : `labels[${nth}]`, message }]);
    if ('fault' in label) throw refuse(label.fault);
    if (label.item !== plainItem(goods.scaleCode ?? '')) {
      throw new Refusal('label_mismatch', `The label is for item ${label.item}, not for "${goods.name}".`);
    }
    const isPrice = 'cents' in label;
    const milli = isPrice ? milliOfPrice(label.cents, goods) : milliOfGrams(label.milli, unit);
    const cents = isPrice ? label.cents : goodsCents(listPriceCents, milli, per);
    if (milli === 0 && cents === 0) throw refuse('must say more than 0');
    return { milli, cents, isPrice };
  });
  const milli = sumCents(parts.map((part) => part.milli));
  if (!parts.some(({ isPrice }) => isPrice)) return { milli, from: 'label' };
  // After a price change, only the weight is used, at the agreed price.
  const isAgreed = goods.scale?.cents === listPriceCents && goods.scale.per === per;
  const labelCents = isAgreed ? sumCents(parts.map(({ cents }) => cents)) : undefined;
  return { milli, ...present({ labelCents }), from: 'label_price' };
}

/** The weight of a label with a price, by the price that the scale has now. */
function milliOfPrice(cents: number, { name, unit, scale }: WeighedGoods): Milli {
  if (scale && scale.unit === unit && scale.cents > 0) {
    return divideRounded(BigInt(cents) * BigInt(scale.per), BigInt(scale.cents));
  }
  const sentence = `The label shows a price, but the current price of "${name}" is unknown. Send its weight instead.`;
  throw new Refusal('label_price_unknown', sentence);
}
