import { crc32 } from 'node:zlib';
import type { ProductIndex, Shelf, ShelfCounts } from './product.index.ts';
import { WEIGHT_LENGTH, weightsStart } from './product-layout.ts';
import type { ProductTerms } from './product-terms.index.ts';

/**
 * The head: checksum of all that follows it, length, store id as text, the number of the last included store change (a
 * double), the counts, the number of GTINs, and as many bytes of the term log as have its terms.
 */
const HEAD = { checksum: 0, length: 1, storeId: 2, seq: 8, counts: 10, gtins: 21, terms: 22, numbers: 24 };
const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const GTIN_BYTES = Float64Array.BYTES_PER_ELEMENT;
const ID_BYTES = 24;
export const SHELF_HEAD_BYTES = HEAD.numbers * NUMBER_BYTES;

/** Lays out a shelf; the caller fills the arrays. */
export function layOutShelf(storeId: string, counts: ShelfCounts, gtins: number, terms: ProductTerms): ProductIndex {
  const { productCount, categoryCount, termCount, rowsAt, rowLength, pickupAt, extraAt, claimsAt, taxAt } = counts;
  const { sizeAt, weightCount } = counts;
  const numbers = gtins + weightsStart(counts) + weightCount * WEIGHT_LENGTH;
  const bytes = SHELF_HEAD_BYTES + gtins * GTIN_BYTES + numbers * NUMBER_BYTES;
  const shelf = new Uint8Array(Math.ceil(bytes / GTIN_BYTES) * GTIN_BYTES);
  const head = new Uint32Array(shelf.buffer, 0, HEAD.numbers);
  head[HEAD.length] = shelf.length;
  Buffer.from(shelf.buffer).write(storeId, HEAD.storeId * NUMBER_BYTES, ID_BYTES, 'latin1');
  head.set(
    [
      ...[productCount, categoryCount, termCount, rowsAt, rowLength, pickupAt, extraAt, claimsAt, taxAt],
      ...[sizeAt, weightCount, gtins],
    ],
    HEAD.counts,
  );
  return openShelf(storeId, shelf, terms);
}

/** Points into a whole shelf; nothing is parsed or copied. */
export function openShelf(storeId: string, shelf: Shelf, terms: ProductTerms): ProductIndex {
  const { buffer, byteOffset } = shelf;
  const head = new Uint32Array(buffer, byteOffset, HEAD.numbers);
  const countAt = (nth: number) => head[HEAD.counts + nth] as number;
  const [productCount, rowsAt, rowLength, gtins] = [countAt(0), countAt(3), countAt(4), head[HEAD.gtins] as number];
  const weightCount = countAt(10);
  const numbers = weightsStart({ rowsAt, productCount, rowLength }) + weightCount * WEIGHT_LENGTH;
  const gtinsAt = byteOffset + SHELF_HEAD_BYTES;
  const positionsAt = gtinsAt + gtins * GTIN_BYTES;
  return {
    storeId,
    terms,
    shelf,
    productCount,
    categoryCount: countAt(1),
    termCount: countAt(2),
    rowsAt,
    rowLength,
    pickupAt: countAt(5),
    extraAt: countAt(6),
    claimsAt: countAt(7),
    taxAt: countAt(8),
    sizeAt: countAt(9),
    weightCount,
    data: new Uint32Array(buffer, positionsAt + gtins * NUMBER_BYTES, numbers),
    gtins: new Float64Array(buffer, gtinsAt, gtins),
    gtinPositions: new Uint32Array(buffer, positionsAt, gtins),
  };
}

/** Seals a shelf for a file: its products include every store change up to `seq`, its terms are in as many bytes. */
export function sealShelf(shelf: Shelf, seq: number, termBytes: number): void {
  const bytes = Buffer.from(shelf.buffer, shelf.byteOffset, shelf.length);
  bytes.writeDoubleLE(seq, HEAD.seq * NUMBER_BYTES);
  bytes.writeUInt32LE(termBytes, HEAD.terms * NUMBER_BYTES);
  bytes.writeUInt32LE(crc32(bytes.subarray(NUMBER_BYTES)), HEAD.checksum);
}

/** The content of a sealed shelf's head. */
type ShelfHead = { length: number; storeId: string; seq: number; termBytes: number };

/** Returns undefined if no shelf begins here. */
export function readShelfHead(bytes: Buffer): ShelfHead | undefined {
  if (bytes.length < SHELF_HEAD_BYTES) return undefined;
  const length = bytes.readUInt32LE(HEAD.length * NUMBER_BYTES);
  const idAt = HEAD.storeId * NUMBER_BYTES;
  const storeId = bytes.toString('latin1', idAt, idAt + ID_BYTES);
  const seq = bytes.readDoubleLE(HEAD.seq * NUMBER_BYTES);
  const termBytes = bytes.readUInt32LE(HEAD.terms * NUMBER_BYTES);
  return length < SHELF_HEAD_BYTES || length % GTIN_BYTES !== 0 ? undefined : { length, storeId, seq, termBytes };
}

/** Whether these bytes are a sealed shelf without damage. */
export function isWholeShelf(bytes: Buffer): boolean {
  return readShelfHead(bytes)?.length === bytes.length && crc32(bytes.subarray(NUMBER_BYTES)) === bytes.readUInt32LE(0);
}
