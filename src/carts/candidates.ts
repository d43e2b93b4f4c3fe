import { createMatchMarks } from '../catalog/search/match-marks.ts';
import { visitMatches } from '../catalog/search/match-products.ts';
import type { PreparedQuery } from '../catalog/search/prepare-query.ts';
import type { ProductIndex } from '../catalog/search/product.index.ts';
import { grownFloat64, grownUint8, grownUint16, grownUint32 } from '../lib/columns/grow.ts';
import type { Mode } from '../stores/store.ts';
import type { CandidateReader } from './choose-products.ts';
import { type LiveProduct, lineQualityOf } from './match-cart.ts';

/**
 * The best candidates of one line at one store, best first by the product index. Every candidate that the list leaves
 * out is no better than its last one; a complete list leaves none out.
 */
export type CandidateList = { ids: readonly number[]; isComplete: boolean };

/** All candidates of one request, in columns: thousands of them would be thousands of objects. */
export type Candidates = {
  /** The best `limit` products that match the query, and the steps of matching it. */
  list(index: ProductIndex, query: PreparedQuery, mode: Mode, limit: number): CandidateList & { steps: number };
  productNo(id: number): number;
  /** The price of a unit and the quality by the product index. */
  unitCents(id: number): number;
  quality(id: number): number;
  isCounted(id: number): boolean;
  /** Whether the list reaches a product of this number, quality and price, by the product index. */
  isWithin(list: CandidateList, match: { productNo: number; quality: number; unitCents: number }): boolean;
  /**
   * Reads candidates of one store. `live` has the products of the store that the database was read for; any other
   * product has the price of the product index, and unknown stock.
   */
  readerOf(live: ReadonlyMap<number, LiveProduct>): CandidateReader<number>;
};

/** `capacity` is a first size of the columns, which grow. */
export function createCandidates(capacity: number): Candidates {
  const columns = createColumns(capacity);
  const marks = createMatchMarks();
  const { productNo, cents, quality, isCounted } = columns;

  /** The list under work; its elements beyond the candidates so far are of earlier lists. */
  const best: number[] = [];

  return {
    list(index, query, mode, limit) {
      let seen = 0;
      let count = 0;
      const steps = visitMatches(marks, index, query, mode, (match) => {
        seen += 1;
        const lineQuality = lineQualityOf(match);
        const unitCents = match.priceCents + match.extraCents;
        if (count === limit && !columns.isBefore(lineQuality, unitCents, best[limit - 1] as number)) return;
        const id = count === limit ? (best[limit - 1] as number) : columns.takeId();
        if (count < limit) count += 1;
        let position = count - 1;
        for (; position > 0; position -= 1) {
          const other = best[position - 1] as number;
          if (!columns.isBefore(lineQuality, unitCents, other)) break;
          best[position] = other;
        }
        best[position] = id;
        columns.write(id, match.productNo, unitCents, lineQuality, match.isCounted);
      });
      return { ids: best.slice(0, count), isComplete: seen <= limit, steps };
    },
    productNo,
    unitCents: cents,
    quality,
    isCounted,
    isWithin({ ids }, match) {
      const last = ids.at(-1) as number;
      if (match.quality !== quality(last)) return match.quality < quality(last);
      if (match.unitCents !== cents(last)) return match.unitCents < cents(last);
      return match.productNo <= productNo(last);
    },
    readerOf: (live) => ({
      productNo,
      quality: (id) => (live.get(productNo(id)) === null ? Infinity : quality(id)),
      unitCents: (id) => live.get(productNo(id))?.unitCents ?? cents(id),
      qtyAvailable: (id) => live.get(productNo(id))?.qtyAvailable ?? null,
      isCounted,
    }),
  };
}

/** The columns of all candidates, by id. */
function createColumns(capacity: number) {
  let productNos = new Uint32Array(capacity);
  let unitCents = new Float64Array(capacity);
  let qualities = new Uint16Array(capacity);
  let counted = new Uint8Array(capacity);
  let size = 0;

  return {
    /** Matches arrive by ascending product number: of equal matches the first stays before the next. */
    isBefore(quality: number, cents: number, id: number): boolean {
      const other = qualities[id] as number;
      return quality < other || (quality === other && cents < (unitCents[id] as number));
    },
    takeId(): number {
      if (size === productNos.length) {
        productNos = grownUint32(productNos, size + 1);
        unitCents = grownFloat64(unitCents, productNos.length);
        qualities = grownUint16(qualities, productNos.length);
        counted = grownUint8(counted, productNos.length);
      }
      size += 1;
      return size - 1;
    },
    write(id: number, productNo: number, cents: number, quality: number, isCounted: boolean): void {
      productNos[id] = productNo;
      unitCents[id] = cents;
      qualities[id] = quality;
      counted[id] = isCounted ? 1 : 0;
    },
    productNo: (id: number) => productNos[id] as number,
    cents: (id: number) => unitCents[id] as number,
    quality: (id: number) => qualities[id] as number,
    isCounted: (id: number) => counted[id] === 1,
  };
}
