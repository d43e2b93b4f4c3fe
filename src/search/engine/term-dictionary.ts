import { createTypoMatcher, letterMask, MAX_TYPO_WORD_LENGTH, type TypoMatcher } from '../../lib/text/typo-distance.ts';
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

/** Answers that are remembered of one kind; then all are forgotten. */
const MAX_REMEMBERED = 2048;

/** Terms that begin with the same bytes have numbers that follow each other. */
export type TermRange = { readonly from: number; readonly end: number };

/** The terms of a segment, sorted by their bytes: a term's number is its rank. */
export class TermDictionary {
  readonly size: number;
  private readonly bytes: Buffer;
  private readonly starts: Uint32Array;
  private readonly lengthStarts: Uint32Array;
  private readonly termsByLength: Uint32Array;
  private readonly letterMasks: Uint32Array;
  private readonly typos: TypoMatcher = createTypoMatcher();
  /** Answers of this segment, which never change: an LRU cache takes longer than most of them. */
  private readonly found = new Map<string, number>();
  private readonly misspelt = new Map<string, Uint32Array>();

  constructor({ termBytes, termStarts, lengthStarts, termsByLength, letterMasks }: Columns) {
    this.size = termStarts.length - 1;
    this.bytes = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.length);
    this.starts = termStarts;
    this.lengthStarts = lengthStarts;
    this.termsByLength = termsByLength;
    this.letterMasks = letterMasks;
  }

  /** `NO_TERM` for an unknown term. */
  find(key: TermKey): number {
    const { text } = key;
    const known = this.found.get(text);
    if (known !== undefined) return known;
    const { bytes } = key;
    const at = this.lowerBound(bytes);
    const term = at < this.size && this.compare(at, bytes, false) === 0 ? at : NO_TERM;
    remember(this.found, text, term);
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

  visitHashes(visit: (hash: number) => void): void {
    for (let term = 0; term < this.size; term += 1) {
      visit(hashOfBytes(this.bytes, this.starts[term] as number, this.starts[term + 1] as number));
    }
  }

  fieldAt(term: number): Field {
    return String.fromCharCode(this.bytes[this.starts[term] as number] as number) as Field;
  }

  /** Without its field. */
  textAt(term: number): string {
    return this.bytes.toString('utf8', (this.starts[term] as number) + 1, this.starts[term + 1]);
  }

  /** The other terms of names that become the word by so many typos, ascending. */
  misspellings(word: string, maxTypos: number): Uint32Array {
    if (maxTypos === 0 || word.length > MAX_TYPO_WORD_LENGTH) return NO_TERMS;
    const key = `${maxTypos}${word}`;
    const known = this.misspelt.get(key);
    if (known !== undefined) return known;
    const misspelt = this.findMisspellings(word, maxTypos);
    remember(this.misspelt, key, misspelt);
    return misspelt;
  }

  private findMisspellings(word: string, maxTypos: number): Uint32Array {
    const found: number[] = [];
    const mask = letterMask(word);
    const longest = Math.min(MAX_TYPO_WORD_LENGTH, word.length + maxTypos);
    for (let length = Math.max(1, word.length - maxTypos); length <= longest; length += 1) {
      // A missing letter changes one bit of a mask, any other typo two: a different length takes its share of typos.
      const maxBits = 2 * maxTypos - Math.abs(length - word.length);
      const end = this.lengthStarts[length + 1] as number;
      for (let at = this.lengthStarts[length] as number; at < end; at += 1) {
        let bits = (this.letterMasks[at] as number) ^ mask;
        for (let left = maxBits; left > 0; left -= 1) bits &= bits - 1;
        if (bits !== 0) continue;
        const term = this.termsByLength[at] as number;
        const text = this.textAt(term);
        if (text !== word && this.typos.isWithinTypos(word, text, maxTypos)) found.push(term);
      }
    }
    return Uint32Array.from(found.sort((a, b) => a - b));
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

function remember<Answer>(answers: Map<string, Answer>, key: string, answer: Answer): void {
  if (answers.size >= MAX_REMEMBERED) answers.clear();
  answers.set(key, answer);
}

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
