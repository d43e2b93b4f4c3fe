import type { Columns } from './columns.ts';

/**
 * Fields of terms; the field is the first byte of a term. Names sort first. A kind is a type (`grocery`), a cuisine of
 * a type (`restaurant thai`) or a mode (`delivery`); a place is a city, a state or a postal code.
 */
export const NAME = 'A';
export const KIND = 'B';
export const PLACE = 'C';
export const ACCOUNT = 'D';
export type Field = typeof NAME | typeof KIND | typeof PLACE | typeof ACCOUNT;

export const NO_TERM = -1;

/** A term of at least one segment. Searches and segments share its object (`Vocabulary`). */
export class Term {
  readonly field: Field;
  readonly text: string;
  private encoded: Buffer | undefined;

  constructor(field: Field, text: string) {
    this.field = field;
    this.text = text;
  }

  get bytes(): Buffer {
    this.encoded ??= Buffer.from(this.field + this.text);
    return this.encoded;
  }
}

/** A range of terms. Terms with the same prefix have consecutive numbers. */
export type TermRange = { readonly from: number; readonly end: number };

/** Maximum cached term numbers per segment, because the vocabulary is larger and there are many segments. */
const MAX_FOUND = 8192;

/** The terms of a segment, sorted by bytes. A term's number is its rank. */
export class TermDictionary {
  readonly size: number;
  private readonly bytes: Buffer;
  private readonly starts: Uint32Array;
  private readonly found = new Map<Term, number>();

  constructor({ termBytes, termStarts }: Columns) {
    this.size = termStarts.length - 1;
    this.bytes = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.length);
    this.starts = termStarts;
  }

  /** Returns `NO_TERM` for a term that only other segments have. */
  find(term: Term): number {
    const known = this.found.get(term);
    if (known !== undefined) return known;
    const at = this.search(term.bytes, false);
    const number = at < this.size && this.compare(at, term.bytes, false) === 0 ? at : NO_TERM;
    if (this.found.size >= MAX_FOUND) this.found.clear();
    this.found.set(term, number);
    return number;
  }

  startingWith(field: Field, prefix: string): TermRange {
    const key = Buffer.from(field + prefix);
    const from = this.search(key, false);
    return { from, end: this.search(key, true, from) };
  }

  fieldAt(term: number): Field {
    return String.fromCharCode(this.bytes[this.starts[term] as number] as number) as Field;
  }

  /** Returns the text of a term, without its field. */
  textAt(term: number): string {
    return this.bytes.toString('utf8', (this.starts[term] as number) + 1, this.starts[term + 1]);
  }

  /** Finds the first term not before the key, or with `isPrefix` the first after all that begin with it. */
  private search(key: Uint8Array, isPrefix: boolean, from = 0): number {
    let [low, high] = [from, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.compare(middle, key, isPrefix);
      if (order < 0 || (isPrefix && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares a term with a key: negative if it sorts first. With `isPrefix`, a term that begins with it is equal. */
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
