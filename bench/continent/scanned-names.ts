import { editDistance } from '../../test/oracles/store-search.ts';

/** The distinct store names and how each matches a text as typed: 0 exact, 1 prefix, 2 typo, 3 none. */
export type ScannedNames = {
  numberOf(name: string): number;
  isWhole(number: number, text: string): boolean;
  /** Whether some name is the whole text. */
  isName(text: string): boolean;
  /** Null if the text has no word and so does not filter by name. */
  classesOf(text: string, autocomplete: boolean): Uint8Array | null;
};

const NO_MATCH = 3;
const MAX_KNOWN_TEXTS = 16;

export function createScannedNames(): ScannedNames {
  const numbers = new Map<string, number>();
  const termNumbers = new Map<string, number>();
  /** The terms of each name. */
  const termsOf: Uint32Array[] = [];
  const known = new Map<string, Uint8Array>();

  function numberOf(name: string): number {
    const words = splitWords(name);
    const key = words.join(' ');
    const number = numbers.get(key);
    if (number !== undefined) return number;
    known.clear();
    numbers.set(key, termsOf.length);
    const terms = words.map((word) => {
      const term = termNumbers.get(word) ?? termNumbers.size;
      termNumbers.set(word, term);
      return term;
    });
    return termsOf.push(Uint32Array.from(terms)) - 1;
  }

  function classesOfTerms(word: string, isPrefix: boolean): Uint8Array {
    const classes = new Uint8Array(termNumbers.size);
    let at = 0;
    for (const term of termNumbers.keys()) {
      classes[at] = classOfWord(word, term, isPrefix);
      at += 1;
    }
    return classes;
  }

  function classesOf(text: string, autocomplete: boolean): Uint8Array | null {
    const wanted = splitWords(text);
    if (wanted.length === 0) return null;
    const key = `${autocomplete} ${wanted.join(' ')}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const worst = new Uint8Array(termsOf.length);
    for (const [nth, word] of wanted.entries()) {
      const classes = classesOfTerms(word, autocomplete && nth === wanted.length - 1);
      for (const [number, terms] of termsOf.entries()) {
        let best = NO_MATCH;
        for (const term of terms) best = Math.min(best, classes[term] as number);
        worst[number] = Math.max(worst[number] as number, best);
      }
    }
    if (known.size >= MAX_KNOWN_TEXTS) known.clear();
    known.set(key, worst);
    return worst;
  }

  function isWhole(number: number, text: string): boolean {
    return numbers.get(splitWords(text).join(' ')) === number;
  }

  return { numberOf, isWhole, isName: (text) => numbers.has(splitWords(text).join(' ')), classesOf };
}

const FOLDED: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', đ: 'd' };

export function splitWords(text: string): string[] {
  const plain = text
    .replace(/['’‘`ʼ]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøæœßđ]/g, (letter) => FOLDED[letter] ?? letter);
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function classOfWord(wanted: string, own: string, isPrefix: boolean): number {
  if (wanted === own) return 0;
  if (isPrefix && own.startsWith(wanted)) return 1;
  const forgiven = wanted[0] !== own[0] || wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2;
  // The edit distance is at least the difference of the lengths.
  if (forgiven === 0 || Math.abs(wanted.length - own.length) > forgiven) return NO_MATCH;
  return editDistance(wanted, own) <= forgiven ? 2 : NO_MATCH;
}
