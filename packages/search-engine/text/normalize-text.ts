/** Maximum compared UTF-16 units of a text, to limit the work per text. */
export const MAX_TEXT_LENGTH = 512;

/** Maximum words of a text; further words are ignored. */
export const MAX_WORDS = 24;

/** Characters that are typed as apostrophes and dropped: "dons" and "Don’s" are one word. */
const APOSTROPHES = /['’‘‛`´ʼʻʹ′＇]/gu;
const MARKS = /\p{M}+/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{N}]+/u;
const PLAIN = /^[a-z0-9 ]*$/;
/** Chinese and Japanese write no spaces: a run of their signs is compared by its pairs. */
const SIGN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const SIGN_RUNS = new RegExp(`${SIGN.source}+|[^${SIGN.source.slice(1)}+`, 'gu');

/** Letters with a stroke or ligature, which Unicode decomposition keeps. */
const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const FOLDABLE = /[æœøßłđðþı]/gu;

/** Folds a text to lower case without accents; punctuation and white space stay. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDED_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/**
 * Splits a text into words for comparison, without case, accents and apostrophes; other punctuation separates words.
 * Chinese and Japanese words are pairs of signs. Bounded by `MAX_TEXT_LENGTH` and `MAX_WORDS`; empty if there are no letters or digits.
 */
export function splitWords(text: string): string[] {
  const kept = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
  const words: string[] = [];
  for (const word of textParts(kept)) {
    if (word !== '' && words.length < MAX_WORDS) words.push(word);
  }
  return words;
}

/** Splits a text. Most queries are plain letters, digits and spaces, and skip folding. */
function textParts(text: string): string[] {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower.split(' ');
  const words = foldText(text.replace(APOSTROPHES, '')).split(NEITHER_LETTER_NOR_DIGIT);
  return SIGN.test(text) ? words.flatMap((word) => (word.match(SIGN_RUNS) ?? []).flatMap(pairsOf)) : words;
}

/** Returns the pairs of neighboring signs of a run (`烤鸭店`: `烤鸭`, `鸭店`); any other word stays whole. */
function pairsOf(run: string): string[] {
  const signs = SIGN.test(run) ? [...run] : [];
  return signs.length < 3 ? [run] : signs.slice(1).map((sign, nth) => `${signs[nth]}${sign}`);
}

/** Whether the word is a single sign, which no pair equals. */
export const isSingleSign = (word: string): boolean => word.length <= 2 && SIGN.test(word) && [...word].length === 1;

/** Returns the given name, as a driver would say it at the door. */
export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';
