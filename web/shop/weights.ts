import type { Format } from '../../src/platform/languages/format.ts';
import {
  decimalOfMilli,
  goodsCents,
  type LineWeight,
  lineWeightOf,
  milliOfDecimal,
  toTenth,
} from '../../src/supply/pricing/weight.ts';
import { item as words } from '../../src/texts/en/item.ts';
import type { Product } from './product-list.tsx';

/*
 * Goods by weight in the shop. A customer orders steps of the unit, or pieces of a known weight: whole numbers, like
 * everything in a cart.
 */

/** How a product is ordered by weight; undefined of one by the piece. */
export function weightOf({ weight }: Pick<Product, 'weight'>): LineWeight | undefined {
  if (!weight) return undefined;
  const { unit, price_per, step, min, max, piece_weight: piece } = weight;
  return lineWeightOf({
    unit,
    per: milliOfDecimal(price_per),
    step: milliOfDecimal(step),
    min: milliOfDecimal(min),
    max: milliOfDecimal(max),
    piece: piece === undefined ? null : milliOfDecimal(piece),
  });
}

/** The steps or pieces that a customer begins with: one piece, or one of the unit or of the price's unit. */
export function firstQuantity(product: Pick<Product, 'weight'>): number {
  const weight = weightOf(product);
  if (!weight || weight.isByPiece) return 1;
  const { one, per, min, max } = weight;
  return [1000 / one, per / one].find((count) => Number.isInteger(count) && count >= min && count <= max) ?? min;
}

/** `1.5 lb`; undefined of pieces, which are counted. */
export function weightText({ unit, one, isByPiece }: LineWeight, quantity: number, format: Format) {
  return isByPiece ? undefined : format.weight(decimalOfMilli(quantity * one), unit);
}

/** `about 1.1 lb` of pieces, to a tenth. */
export function aboutText({ unit, one, isByPiece }: LineWeight, quantity: number, format: Format) {
  const weight = format.weight(decimalOfMilli(toTenth(quantity * one)), unit);
  return isByPiece ? words.about({ weight }) : undefined;
}

/** `$8.99/lb`, `$2.29/100 g`. */
export function unitPriceText({ unit, per }: LineWeight, cents: number, format: Format): string {
  const size = per === 1000 ? unit : format.weight(decimalOfMilli(per), unit);
  return words.perWeight({ price: format.money(cents), per: size });
}

/** The approximate price of so many steps or pieces, with options that cost once. */
type Step = Pick<LineWeight, 'one' | 'per'>;
export const weighedCents = ({ one, per }: Step, quantity: number, priceCents: number, optionsCents = 0) =>
  goodsCents(priceCents, quantity * one, per) + optionsCents;
