import { grown } from 'doorstep/collections';
import { type Place, STREET_WORDS } from 'doorstep/plugin';
import { EXACT, PREFIX, splitWords, type TermMatches, TYPO, WordIndex } from 'doorstep/search-engine/text';

/** The ways where a word matches, best first. Each word counts once. */
const WAYS = [
  { field: 'name', matchClass: EXACT, weight: 10 },
  { field: 'name', matchClass: PREFIX, weight: 8 },
  { field: 'other', matchClass: EXACT, weight: 6 },
  { field: 'name', matchClass: TYPO, weight: 5 },
  { field: 'other', matchClass: PREFIX, weight: 4 },
  { field: 'other', matchClass: TYPO, weight: 3 },
] as const;

/** Weight of a word that equals a word of the name. */
const MAX_WEIGHT = 10;

/** A place that matches query words. */
export type PlaceMatch = {
  ordinal: number;
  matched: number;
  /** How well the words match, from 0 to 1. */
  quality: number;
  /** Number of words that match the name or chain without a typo. */
  inName: number;
  typos: number;
  /** Whether the query has every word of the name, without typos. */
  isWholeName: boolean;
};

/** Index of places by the words of their names and other texts. */
export class PlaceTerms {
  private readonly terms = new WordIndex();
  private readonly lists = { name: new OrdinalLists(), other: new OrdinalLists() };
  private nameLengths = new Uint8Array(1024);
  /**
   * Scratch memory of `visit`, by place; each call clears the previous one's. `seen` is one more than the position of
   * the last matched word.
   */
  private seen = new Uint8Array(1024);
  private matched = new Uint8Array(1024);
  private inName = new Uint8Array(1024);
  private typos = new Uint8Array(1024);
  private weights = new Uint8Array(1024);
  private touched = new Uint32Array(1024);
  private touchedCount = 0;
  private readonly shown: PlaceMatch = { ordinal: 0, matched: 0, quality: 0, inName: 0, typos: 0, isWholeName: false };

  add(ordinal: number, { name, other, nameLength }: PlaceWords): void {
    this.makeRoom(ordinal);
    this.nameLengths[ordinal] = nameLength;
    for (const word of name) this.lists.name.add(this.terms.add(word), ordinal);
    for (const word of other) this.lists.other.add(this.terms.add(word), ordinal);
  }

  has(word: string): boolean {
    return this.terms.idOf(word) !== undefined;
  }

  /**
   * Visits every place that matches one of the words, up to 25; the last word may be incomplete. The visitor gets the
   * same object each time, because a query may match millions of places.
   */
  visit(words: readonly string[], visitor: (match: PlaceMatch) => void): void {
    this.clear();
    for (const [nth, word] of words.entries()) {
      this.matchWord(this.terms.match(word, nth === words.length - 1), nth);
    }
    for (let i = 0; i < this.touchedCount; i += 1) visitor(this.show(this.touched[i] as number));
  }

  private makeRoom(ordinal: number): void {
    if (ordinal < this.nameLengths.length) return;
    this.nameLengths = grown(this.nameLengths, ordinal + 1);
    this.seen = grown(this.seen, ordinal + 1);
    this.matched = grown(this.matched, ordinal + 1);
    this.inName = grown(this.inName, ordinal + 1);
    this.typos = grown(this.typos, ordinal + 1);
    this.weights = grown(this.weights, ordinal + 1);
    this.touched = grown(this.touched, ordinal + 1);
  }

  private matchWord(matches: TermMatches, nth: number): void {
    for (const way of WAYS) {
      for (const termId of matches[way.matchClass]) this.matchTerm(this.lists[way.field].of(termId), nth, way);
    }
  }

  private matchTerm(ordinals: Uint32Array, nth: number, { field, matchClass, weight }: (typeof WAYS)[number]): void {
    const { seen, matched, weights, typos, inName } = this;
    for (let i = 0; i < ordinals.length; i += 1) {
      const ordinal = ordinals[i] as number;
      const before = seen[ordinal] as number;
      if (before === nth + 1) continue;
      if (before === 0) {
        this.touched[this.touchedCount] = ordinal;
        this.touchedCount += 1;
      }
      seen[ordinal] = nth + 1;
      matched[ordinal] = (matched[ordinal] as number) + 1;
      weights[ordinal] = (weights[ordinal] as number) + weight;
      if (matchClass === TYPO) typos[ordinal] = (typos[ordinal] as number) + 1;
      else if (field === 'name') inName[ordinal] = (inName[ordinal] as number) + 1;
    }
  }

  private clear(): void {
    for (let i = 0; i < this.touchedCount; i += 1) {
      const ordinal = this.touched[i] as number;
      this.seen[ordinal] = 0;
      this.matched[ordinal] = 0;
      this.inName[ordinal] = 0;
      this.typos[ordinal] = 0;
      this.weights[ordinal] = 0;
    }
    this.touchedCount = 0;
  }

  private show(ordinal: number): PlaceMatch {
    const { shown } = this;
    shown.ordinal = ordinal;
    shown.matched = this.matched[ordinal] as number;
    shown.quality = (this.weights[ordinal] as number) / (shown.matched * MAX_WEIGHT);
    shown.inName = this.inName[ordinal] as number;
    shown.typos = this.typos[ordinal] as number;
    shown.isWholeName = shown.inName >= (this.nameLengths[ordinal] as number);
    return shown;
  }
}

/** The places of each term, in one array. A list whose block is full moves to a free block of twice the size. */
class OrdinalLists {
  private data = new Uint32Array(1024);
  private end = 0;
  private starts = new Uint32Array(1024);
  private counts = new Uint32Array(1024);
  /** Free blocks by size, a power of two. */
  private readonly free = new Map<number, number[]>();

  add(termId: number, ordinal: number): void {
    if (termId >= this.counts.length) {
      this.starts = grown(this.starts, termId + 1);
      this.counts = grown(this.counts, termId + 1);
    }
    const count = this.counts[termId] as number;
    const isFull = (count & (count - 1)) === 0;
    if (isFull) this.move(termId, count);
    this.data[(this.starts[termId] as number) + count] = ordinal;
    this.counts[termId] = count + 1;
  }

  /** Returns the places of a term; valid until a place is added. */
  of(termId: number): Uint32Array {
    const start = this.starts[termId] ?? 0;
    return this.data.subarray(start, start + (this.counts[termId] ?? 0));
  }

  private move(termId: number, count: number): void {
    const size = Math.max(1, 2 * count);
    const target = this.free.get(size)?.pop() ?? this.takeNew(size);
    const start = this.starts[termId] as number;
    this.data.copyWithin(target, start, start + count);
    this.starts[termId] = target;
    if (count === 0) return;
    const blocks = this.free.get(count);
    if (blocks) blocks.push(start);
    else this.free.set(count, [start]);
  }

  private takeNew(size: number): number {
    const start = this.end;
    this.end += size;
    if (this.end > this.data.length) this.data = grown(this.data, this.end);
    return start;
  }
}

const OTHER_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  STREET_WORDS.flatMap((forms) => forms.map((form) => [form, forms.filter((other) => other !== form)])),
);

/** The words for finding a place. Words of name or chain are only in `name`. */
type PlaceWords = {
  name: ReadonlySet<string>;
  /** Words of its address, cuisines and category. */
  other: ReadonlySet<string>;
  /** Number of words in only the name. */
  nameLength: number;
};

export function placeWordsOf({ name, brand, address, cuisines, category }: Place): PlaceWords {
  const ownWords = new Set(splitWords(name));
  const nameWords = new Set([...ownWords, ...splitWords(brand ?? '')]);
  const { streetAddr, city, state, zipcode } = address;
  const addressWords = [streetAddr, city, state, zipcode].flatMap(splitWords);
  const forms = addressWords.flatMap((word) => OTHER_FORMS.get(word) ?? []);
  // Canadian postal codes are typed with or without the space.
  const joined = splitWords(zipcode).join('');
  const kinds = [...cuisines, category.replaceAll('_', ' ')].flatMap(splitWords);
  const other = new Set([...addressWords, ...forms, ...(joined ? [joined] : []), ...kinds]);
  return { name: nameWords, other: other.difference(nameWords), nameLength: ownWords.size };
}
