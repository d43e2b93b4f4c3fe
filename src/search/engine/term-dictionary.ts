import type { Columns } from './columns.ts';

/** What a term is of: a term's bytes begin with its field. Names come first. */
export const NAME = 'A';
export const CUISINE = 'B';
export const CITY = 'C';
export const ACCOUNT = 'D';
export type Field = typeof NAME | typeof CUISINE | typeof CITY | typeof ACCOUNT;

export const NO_TERM = -1;

/** A term as it is looked up: made once a query, compared in every segment. */
export class TermKey {
  readonly text: string;
  private encoded: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get bytes(): Buffer {
    this.encoded ??= Buffer.from(this.text);
    return this.encoded;
  }

  /** `hashOfBytes` of the bytes, most often without them. */
  get hash(): number {
    let hash = FNV_BASIS;
    for (let at = 0; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code > 127) return hashOfBytes(this.bytes, 0, this.bytes.length);
      hash = Math.imul(hash ^ code, FNV_PRIME);
    }
    return mixed(hash);
  }
}

export function termKey(field: Field, text: string): TermKey {
  return new TermKey(field + text);
}

/** Terms whose numbers are remembered; then all are forgotten. */
const MAX_REMEMBERED = 8192;

/** Terms that begin with the same bytes have numbers that follow each other. */
export type TermRange = { readonly from: number; readonly end: number };

/** The terms of a segment, sorted by their bytes: a term's number is its rank. */
export class TermDictionary {
  readonly size: number;
  private readonly bytes: Buffer;
  private readonly starts: Uint32Array;
  /** Numbers never change, and an LRU cache takes longer than most look-ups. */
  private readonly found = new Map<string, number>();

  constructor({ termBytes, termStarts }: Columns) {
    this.size = termStarts.length - 1;
    this.bytes = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.length);
    this.starts = termStarts;
  }

  /** `NO_TERM` for an unknown term. */
  find(key: TermKey): number {
    const { text } = key;
    const known = this.found.get(text);
    if (known !== undefined) return known;
    const { bytes } = key;
    const at = this.lowerBound(bytes);
    const term = at < this.size && this.compare(at, bytes, false) === 0 ? at : NO_TERM;
    if (this.found.size >= MAX_REMEMBERED) this.found.clear();
    this.found.set(text, term);
    return term;
  }

  startingWith({ bytes: key }: TermKey): TermRange {
    const from = this.lowerBound(key);
    let low = from;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, key, true) === 0) low = middle + 1;
      else high = middle;
    }
    return { from, end: low };
  }

  hashAt(term: number): number {
    return hashOfBytes(this.bytes, this.starts[term] as number, this.starts[term + 1] as number);
  }

  fieldAt(term: number): Field {
    return String.fromCharCode(this.bytes[this.starts[term] as number] as number) as Field;
  }

  /** Without its field. */
  textAt(term: number): string {
    return this.bytes.toString('utf8', (this.starts[term] as number) + 1, this.starts[term + 1]);
  }

  private lowerBound(key: Uint8Array): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, key, false) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Below 0 where the term comes before the key; with `isPrefix` a term that begins with the key is equal to it. */
  private compare(term: number, key: Uint8Array, isPrefix: boolean): number {
    const { bytes } = this;
    const start = this.starts[term] as number;
    const length = (this.starts[term + 1] as number) - start;
    const shared = Math.min(length, key.length);
    for (let at = 0; at < shared; at += 1) {
      const difference = (bytes[start + at] as number) - (key[at] as number);
      if (difference !== 0) return difference;
    }
    return isPrefix && length >= key.length ? 0 : length - key.length;
  }
}

export const NO_TERMS: Uint32Array = Uint32Array.of();

const FNV_BASIS = 0x811c_9dc5;
const FNV_PRIME = 0x0100_0193;

/** FNV-1a, mixed. */
export function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_BASIS;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
  return mixed(hash);
}

function mixed(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
