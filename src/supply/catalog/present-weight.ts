import { present } from 'doorstep/collections';
import type { Static } from 'typebox';
import { formatPrice } from '../../platform/lib/money.ts';
import { decimalOfMilli, goodsCents, type SoldByWeight } from '../pricing/weight.ts';
import type { WEIGHED_MEMBERS } from './inventory-schema.ts';

/** How a product is sold by weight, without its PLU, which only the store sees. */
export function presentWeight({ unit, per, step, min, max, piece, tolerancePercent }: SoldByWeight) {
  return {
    unit,
    price_per: decimalOfMilli(per),
    step: decimalOfMilli(step),
    min: decimalOfMilli(min),
    max: decimalOfMilli(max),
    ...(piece === null ? {} : { piece_weight: decimalOfMilli(piece) }),
    tolerance_percent: tolerancePercent,
  };
}

export type WeighedMembers = { [Name in keyof typeof WEIGHED_MEMBERS]?: Static<(typeof WEIGHED_MEMBERS)[Name]> };

/** How a product is sold by weight at a price: `$8.99/lb`, `$2.29/100 g`. Empty for a product sold by the piece. */
export function presentWeighed({ weight }: { weight?: SoldByWeight | null }, cents: number): WeighedMembers {
  if (!weight) return {};
  const { unit, per, piece } = weight;
  return {
    sold_by: 'weight',
    weight: presentWeight(weight),
    formatted_unit_price: `${formatPrice(cents)}/${per === 1000 ? '' : `${decimalOfMilli(per)} `}${unit}`,
    ...present({ estimated_piece_price: piece === null ? undefined : goodsCents(cents, piece, per) }),
  };
}
