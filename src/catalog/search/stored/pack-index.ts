import { crc32 } from 'node:zlib';
import type { ProductIndex } from '../product.index.ts';
import type { ProductTerms } from '../product-terms.index.ts';

/** Numbers of the head: a checksum of all bytes after it, the length of all numbers, the counts, the columns of the rows. */
const HEAD_LENGTH = 10;
const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const NUMBERS_OF_CODE = Float64Array.BYTES_PER_ELEMENT / NUMBER_BYTES;
/** Joins the terms: no term has this character. */
const SEPARATOR = '\n';

/**
 * A product index as bytes that do not depend on the process: its terms as texts, all else as the numbers that it has in
 * memory. Every number has its bytes in the sequence of the processor, which is part of the format (`indexFormat`).
 */
export function packIndex(index: ProductIndex, termOf: (termId: number) => string): Buffer {
  const { termCount, data, gtins, gtinPositions } = index;
  const positionsAt = HEAD_LENGTH + data.length - termCount;
  const gtinsAt = positionsAt + gtinPositions.length;
  const numbers = new Uint32Array(gtinsAt + gtins.length * NUMBERS_OF_CODE);
  const { productCount, categoryCount, rowsAt, rowLength, pickupAt, extraAt, claimsAt } = index;
  const columns = [rowLength, pickupAt, extraAt, claimsAt];
  numbers.set([0, numbers.length, productCount, categoryCount, termCount, rowsAt, ...columns]);
  numbers.set(data.subarray(termCount), HEAD_LENGTH);
  numbers.set(gtinPositions, positionsAt);
  numbers.set(numbersOf(gtins), gtinsAt);
  const terms = Array.from(data.subarray(0, termCount), termOf).join(SEPARATOR);
  const bytes = Buffer.concat([new Uint8Array(numbers.buffer), Buffer.from(terms)]);
  bytes.set(bytesOf(Uint32Array.of(checksumOf(bytes))));
  return bytes;
}

/**
 * The index of `packIndex`. Acquires its terms, which may have other numbers than they had, and takes a slot. Throws, before
 * it acquires a term, where a byte differs from what was packed.
 */
export function unpackIndex(storeId: string, bytes: Buffer, terms: ProductTerms): ProductIndex {
  const numbers = numbersOfPacked(storeId, bytes);
  const { length } = numbers;
  const head = headOf(numbers);
  const { productCount, termCount, rowsAt, rowLength } = head;
  const termIds = termIdsIn(bytes.subarray(length * NUMBER_BYTES), termCount, terms);
  const dataLength = rowsAt + productCount * rowLength;
  const positionsAt = HEAD_LENGTH + dataLength - termCount;
  const data = dataOf(numbers.subarray(HEAD_LENGTH, positionsAt), termIds, rowsAt);
  const coded = (length - positionsAt) / (1 + NUMBERS_OF_CODE);
  return {
    storeId,
    slot: terms.indexes.add(data.subarray(0, termCount)),
    ...head,
    data,
    gtins: codesOf(numbers.subarray(positionsAt + coded)),
    gtinPositions: numbers.slice(positionsAt, positionsAt + coded),
  };
}

function numbersOfPacked(storeId: string, bytes: Buffer): Uint32Array {
  const [checksum, length = 0] = numbersAtStart(bytes, 2);
  if (length < HEAD_LENGTH || checksum !== checksumOf(bytes))
    throw new Error(`The stored product index of store ${storeId} is damaged.`);
  return numbersAtStart(bytes, length);
}

/** A copy, since the bytes may begin anywhere in memory. Bytes that are missing are zero. */
function numbersAtStart(bytes: Buffer, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  bytesOf(numbers).set(bytes.subarray(0, count * NUMBER_BYTES));
  return numbers;
}

const checksumOf = (bytes: Buffer): number => crc32(bytes.subarray(NUMBER_BYTES));

const bytesOf = (numbers: Uint32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

/** The numbers after the checksum and the length, as `packIndex` writes them. */
function headOf(numbers: Uint32Array) {
  return {
    productCount: numbers[2] as number,
    categoryCount: numbers[3] as number,
    termCount: numbers[4] as number,
    rowsAt: numbers[5] as number,
    rowLength: numbers[6] as number,
    pickupAt: numbers[7] as number,
    extraAt: numbers[8] as number,
    claimsAt: numbers[9] as number,
  };
}

function termIdsIn(bytes: Buffer, termCount: number, terms: ProductTerms): Uint32Array {
  const termIds = new Uint32Array(termCount);
  if (termCount === 0) return termIds;
  const texts = bytes.toString().split(SEPARATOR);
  for (let nth = 0; nth < termCount; nth += 1) termIds[nth] = terms.acquire(texts[nth] as string);
  return termIds;
}

/** `ProductIndex.data` by the terms' numbers in this process; `packed` has all of it but the numbers of the terms. */
function dataOf(packed: Uint32Array, termIds: Uint32Array, rowsAt: number): Uint32Array {
  const termCount = termIds.length;
  const data = new Uint32Array(termCount + packed.length);
  const sorted = sortedByTerm(termIds);
  let end = 2 * termCount + 1;
  for (let at = 0; at < termCount; at += 1) {
    const nth = sorted[at] as number;
    data[at] = termIds[nth] as number;
    data[termCount + at] = end;
    const packedEnd = (packed[nth + 1] as number) - termCount;
    for (let i = (packed[nth] as number) - termCount; i < packedEnd; i += 1, end += 1) data[end] = packed[i] as number;
  }
  data[2 * termCount] = end;
  data.set(packed.subarray(rowsAt - termCount), rowsAt);
  return data;
}

/** Positions of the terms, by ascending number. A number and its position are one number, which sorts without a comparison. */
function sortedByTerm(termIds: Uint32Array): Uint32Array {
  const keys = new Float64Array(termIds.length);
  for (let nth = 0; nth < keys.length; nth += 1) keys[nth] = (termIds[nth] as number) * keys.length + nth;
  keys.sort();
  const positions = new Uint32Array(keys.length);
  for (let at = 0; at < keys.length; at += 1) positions[at] = (keys[at] as number) % keys.length;
  return positions;
}

const numbersOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, byteLength / NUMBER_BYTES);

/** A copy, since codes begin at any number. */
function codesOf(numbers: Uint32Array): Float64Array {
  const codes = new Float64Array(numbers.length / NUMBERS_OF_CODE);
  numbersOf(codes).set(numbers);
  return codes;
}
