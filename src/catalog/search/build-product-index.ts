import { grownUint32 } from '../../lib/columns/grow.ts';
import { firstFrom } from '../../lib/columns/lower-bound.ts';
import { gtin14Of } from '../gtin.ts';
import type { Shelf } from './product.index.ts';
import {
  HEAD_BIT,
  IN_DELIVERY,
  IN_PICKUP,
  MOST_NAME_WORDS,
  MOST_PRODUCTS,
  NAME_LENGTH_SHIFT,
  PLACE_CATEGORY,
  PLACE_SIZE,
  POSITION_SHIFT,
} from './product-layout.ts';
import type { Lexicon } from './product-terms.index.ts';
import { countHeadWords, countNameWords, isMeasure, isStopWord, productWordsOf } from './product-words.ts';

/** Products as columns, one entry each, in the order of their numbers. */
export type ProductColumns = {
  productNos: Int32Array;
  categoryNos: Int32Array;
  deliveryCents: Int32Array;
  pickupCents: Int32Array;
  /** What required choices add at least. */
  extraCents: Int32Array;
  /** 1 where stock is counted, else 0. */
  counted: Int32Array;
  /** `IN_DELIVERY` and `IN_PICKUP`. */
  modes: Int32Array;
  names: readonly string[];
  /** Unit size with its unit; may be empty. */
  sizes: readonly string[];
  /** As the feed has them; may be empty. */
  upcCodes: readonly string[];
};

/** The store's leaf categories. */
export type CategoryColumns = { categoryNos: Int32Array; names: readonly string[] };

export type ShelfBuilder = {
  /** Puts the products `from` up to `to`, without it, on the shelf, after those before. */
  add(products: ProductColumns, from: number, to: number): void;
  finish(): Shelf;
  /** Lets go of its words, where the shelf will never be finished. */
  abandon(): void;
};

/** What a word is by itself. */
const TELLING = 0;
const MEASURE = 1;
const STOP = 2;

/** The words of the shelf are held in the lexicon from when they first come. */
export function createShelfBuilder(storeId: string, categories: CategoryColumns, lexicon: Lexicon): ShelfBuilder {
  const words = createShelfWords(lexicon);
  const categoryNumbers = new Map<number, number>();
  const columns = {
    productNos: [],
    deliveryCents: [],
    pickupCents: [],
    extraCents: [],
    counted: [],
    facts: [],
    categoryOf: [],
  } as Columns;
  const coded: Coded[] = [];

  for (const [at, categoryNo] of categories.categoryNos.entries()) {
    categoryNumbers.set(categoryNo, at);
    for (const word of new Set(productWordsOf(categories.names[at] ?? ''))) {
      words.post(words.numberOf(word), (at << POSITION_SHIFT) | PLACE_CATEGORY);
    }
  }

  function addOne(products: ProductColumns, at: number): void {
    const position = columns.productNos.length;
    if (position >= MOST_PRODUCTS) return;
    const nameLength = postName(words, products.names[at] as string, position, products.sizes[at] as string);
    columns.productNos.push(products.productNos[at] as number);
    columns.deliveryCents.push(products.deliveryCents[at] as number);
    columns.pickupCents.push(products.pickupCents[at] as number);
    columns.extraCents.push(products.extraCents[at] as number);
    columns.counted.push(products.counted[at] as number);
    columns.facts.push(
      ((products.modes[at] as number) & (IN_DELIVERY | IN_PICKUP)) | (nameLength << NAME_LENGTH_SHIFT),
    );
    // A category that is not listed has no words: one number beyond all others stands for them.
    columns.categoryOf.push(categoryNumbers.get(products.categoryNos[at] as number) ?? categories.categoryNos.length);
    const gtin = gtin14Of(products.upcCodes[at] as string);
    if (gtin !== undefined) coded.push({ gtin, position });
  }

  return {
    add(products, from, to) {
      for (let at = from; at < to; at += 1) addOne(products, at);
    },
    finish() {
      const categoryCount = categories.categoryNos.length + 1;
      const deliveryCents = Uint32Array.from(columns.deliveryCents);
      const isOnePrice = columns.pickupCents.every((cents, at) => cents === deliveryCents[at]);
      return {
        storeId,
        productNos: Uint32Array.from(columns.productNos),
        deliveryCents,
        pickupCents: isOnePrice ? deliveryCents : Uint32Array.from(columns.pickupCents),
        extraCents: columns.extraCents.some((cents) => cents > 0) ? Uint32Array.from(columns.extraCents) : null,
        counted: columns.counted.some((isCounted) => isCounted > 0) ? Uint8Array.from(columns.counted) : null,
        facts: Uint8Array.from(columns.facts),
        categoryOf: (categoryCount > 0xffff ? Uint32Array : Uint16Array).from(columns.categoryOf),
        categoryCount,
        ...words.finish(),
        ...codesOf(coded),
      };
    },
    abandon: words.abandon,
  };
}

type Columns = Record<
  'productNos' | 'deliveryCents' | 'pickupCents' | 'extraCents' | 'counted' | 'facts' | 'categoryOf',
  number[]
>;

type Coded = { gtin: number; position: number };

/** Sorted by their numbers; those of one number stay in the order of their positions. */
function codesOf(coded: readonly Coded[]): Pick<Shelf, 'gtins' | 'gtinPositions'> {
  // Sorting plain numbers and looking places up holds the event loop for a tenth of what comparing pairs does.
  const gtins = Float64Array.from(coded, ({ gtin }) => gtin).sort();
  const gtinPositions = new Uint32Array(coded.length);
  const taken = new Uint32Array(coded.length);
  for (const { gtin, position } of coded) {
    const first = firstFrom(gtins, gtin);
    gtinPositions[first + (taken[first] as number)] = position;
    taken[first] = (taken[first] as number) + 1;
  }
  return { gtins, gtinPositions };
}

/** The distinct words of one shelf, numbered as they come, and what is posted under each. */
function createShelfWords(lexicon: Lexicon) {
  const numbers = new Map<string, number>();
  const wordIds: number[] = [];
  const kinds: number[] = [];
  const counts: number[] = [];
  let postedWords = new Uint32Array(1024);
  let postings = new Uint32Array(1024);
  let posted = 0;

  return {
    kinds,
    numberOf(word: string): number {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const number = numbers.size;
      numbers.set(word, number);
      wordIds.push(lexicon.acquire(word));
      kinds.push(isMeasure(word) ? MEASURE : isStopWord(word) ? STOP : TELLING);
      counts.push(0);
      return number;
    },
    post(number: number, posting: number): void {
      if (posted === postings.length) {
        postedWords = grownUint32(postedWords, posted + 1);
        postings = grownUint32(postings, posted + 1);
      }
      postedWords[posted] = number;
      postings[posted] = posting;
      posted += 1;
      counts[number] = (counts[number] as number) + 1;
    },
    finish(): Pick<Shelf, 'wordIds' | 'starts' | 'postings'> {
      const order = [...wordIds.keys()].sort((a, b) => (wordIds[a] as number) - (wordIds[b] as number));
      const starts = new Uint32Array(order.length + 1);
      const nextOf = new Uint32Array(order.length);
      for (const [at, number] of order.entries()) {
        nextOf[number] = starts[at] as number;
        starts[at + 1] = (starts[at] as number) + (counts[number] as number);
      }
      const sorted = new Uint32Array(posted);
      for (let i = 0; i < posted; i += 1) {
        const number = postedWords[i] as number;
        sorted[nextOf[number] as number] = postings[i] as number;
        nextOf[number] = (nextOf[number] as number) + 1;
      }
      return { wordIds: Uint32Array.from(order, (number) => wordIds[number] as number), starts, postings: sorted };
    },
    abandon(): void {
      for (const wordId of wordIds) lexicon.release(wordId);
    },
  };
}

type ShelfWords = ReturnType<typeof createShelfWords>;

/** Posts the words of a name and of the size beside it; returns how many different words tell what the product is. */
function postName(words: ShelfWords, name: string, position: number, size: string): number {
  const inName = productWordsOf(name).slice(0, MOST_NAME_WORDS);
  const numbers = inName.map((word) => words.numberOf(word));
  const isTelling = (number: number): boolean => words.kinds[number] === TELLING;
  const beforeHead = numbers.slice(0, countHeadWords(name, numbers.length));
  const headAt = beforeHead.findLastIndex(isTelling);
  const head = headAt < 0 ? numbers.findLastIndex(isTelling) : headAt;
  const base = position << POSITION_SHIFT;
  let place = 0;
  for (const [at, number] of numbers.entries()) {
    words.post(number, (base | (at === head ? HEAD_BIT : 0) | place) >>> 0);
    if (words.kinds[number] !== STOP) place += 1;
  }
  if (size !== '') {
    for (const word of productWordsOf(size)) {
      const number = words.numberOf(word);
      if (!numbers.includes(number)) words.post(number, (base | PLACE_SIZE) >>> 0);
    }
  }
  return new Set(numbers.slice(0, countNameWords(name, numbers.length)).filter(isTelling)).size;
}
