import { createShelfMarks } from '../catalog/search/mark-matches.ts';
import { eachMatch } from '../catalog/search/match-products.ts';
import type { PreparedQuery } from '../catalog/search/prepare-query.ts';
import type { Shelf } from '../catalog/search/product.index.ts';
import { grownFloat64, grownUint8, grownUint16, grownUint32 } from '../lib/columns/grow.ts';
import type { Mode } from '../stores/mode.ts';
import type { Reading } from './choose-products.ts';
import { type LiveProduct, lineQualityOf } from './match-cart.ts';

/**
 * The best of what answers a line on a shelf, best first as the shelf has it, by their numbers among the goods. What it
 * leaves out is no better than its last. Whole where it leaves nothing out.
 */
export type ShortList = { numbers: readonly number[]; isWhole: boolean };

/** What is on the short lists of one request: numbers in columns, so that looking at thousands makes no object each. */
export type Goods = {
  /** The best `most` of what answers the query on the shelf, and the steps that it took to find them. */
  shortList(shelf: Shelf, query: PreparedQuery, mode: Mode, most: number): ShortList & { steps: number };
  productNo(number: number): number;
  isCounted(number: number): boolean;
  /** Whether one comes before or is a match of this quality and price, by the shelf. */
  isWithin(list: ShortList, match: { productNo: number; quality: number; unitCents: number }): boolean;
  /**
   * How a line counts them. `live` is what the database said of the store's products meanwhile; of those it says
   * nothing of the shelf's price counts, and stock is not known.
   */
  readingOf(live: ReadonlyMap<number, LiveProduct>): Reading<number>;
};

/** `room` is for so many; there may be more. */
export function createGoods(room: number): Goods {
  let productNos = new Uint32Array(room);
  let cents = new Float64Array(room);
  let qualities = new Uint16Array(room);
  let counted = new Uint8Array(room);
  let size = 0;
  const marks = createShelfMarks();

  function takeNumber(): number {
    if (size === productNos.length) {
      productNos = grownUint32(productNos, size + 1);
      cents = grownFloat64(cents, productNos.length);
      qualities = grownUint16(qualities, productNos.length);
      counted = grownUint8(counted, productNos.length);
    }
    size += 1;
    return size - 1;
  }

  /** Matches are shown in the order of their product numbers, so that of equal ones the first stays before. */
  const isBefore = (quality: number, unitCents: number, number: number): boolean => {
    const other = qualities[number] as number;
    return quality < other || (quality === other && unitCents < (cents[number] as number));
  };

  /** Where one comes of this quality and price. */
  function placeOf(numbers: readonly number[], quality: number, unitCents: number): number {
    let from = 0;
    let to = numbers.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (isBefore(quality, unitCents, numbers[middle] as number)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  return {
    shortList(shelf, query, mode, most) {
      const numbers: number[] = [];
      let seen = 0;
      const steps = eachMatch(marks, shelf, query, mode, (match) => {
        seen += 1;
        const quality = lineQualityOf(match);
        const unitCents = match.priceCents + match.extraCents;
        const last = numbers.length === most ? (numbers[most - 1] as number) : undefined;
        if (last !== undefined && !isBefore(quality, unitCents, last)) return;
        const number = numbers.length === most ? (numbers.pop() as number) : takeNumber();
        numbers.splice(placeOf(numbers, quality, unitCents), 0, number);
        productNos[number] = match.productNo;
        cents[number] = unitCents;
        qualities[number] = quality;
        counted[number] = match.isCounted ? 1 : 0;
      });
      return { numbers, isWhole: seen <= most, steps };
    },
    productNo: (number) => productNos[number] as number,
    isCounted: (number) => counted[number] === 1,
    isWithin({ numbers }, { productNo, quality, unitCents }) {
      const last = numbers.at(-1) as number;
      if (quality !== qualities[last]) return quality < (qualities[last] as number);
      if (unitCents !== cents[last]) return unitCents < (cents[last] as number);
      return productNo <= (productNos[last] as number);
    },
    readingOf: (live) => ({
      productNo: (number) => productNos[number] as number,
      quality: (number) => (live.get(productNos[number] as number) === null ? Infinity : (qualities[number] as number)),
      unitCents: (number) => live.get(productNos[number] as number)?.unitCents ?? (cents[number] as number),
      qtyAvailable: (number) => live.get(productNos[number] as number)?.qtyAvailable ?? null,
      isCounted: (number) => counted[number] === 1,
    }),
  };
}
