import { allowedTypos } from './typo-distance.ts';

/** An alternative spelling of a query. */
export type QueryRewrite = {
  words: readonly string[];
  /** Parts of a split word, which a name must have side by side; null if no word is split. */
  phrase: readonly string[] | null;
  /** Allowed typos by word position, where they differ from the default for the word's length. */
  typos: Readonly<Record<number, number>>;
};

/** Maximum rewrites of a query; common typos need one or two. */
const MAX_REWRITES = 16;
/** Maximum loose rewrites; each compares a word with all terms. */
const MAX_LOOSE_REWRITES = 8;
/** Maximum words that are joined, or that a word is split into: "in n out", "chickfila". */
const MAX_JOINED_WORDS = 3;
const MAX_PARTS = 4;
const MAX_SPLITS = 4;
const MAX_KNOWN_SPLITS = 4096;
/** Maximum letters of a word that is split. Nobody types a longer one without a space. */
const MAX_SPLIT_LENGTH = 40;
/** Minimum length of a word that may have a typo besides its wrong space. */
const MIN_LENGTH_FOR_TWO_TYPOS = 8;
/** Minimum length of a part that may have a typo. */
const MIN_PART_LENGTH = 3;
/** Minimum letters of the other words together for a short word to have a typo. A single letter never may. */
const MIN_LETTERS_BESIDE = 3;
const MIN_SHORT_LENGTH = 2;

/** Words for signs such as &, and words that people add or omit freely. */
const OPTIONAL_WORDS: ReadonlySet<string> = new Set(['and', 'n', 'et', 'y', 'the']);

/** Equivalent spellings and abbreviations of one word. */
const SAME_WORDS: readonly (readonly [string, string])[] = [
  ['0', 'zero'],
  ['1', 'one'],
  ['2', 'two'],
  ['3', 'three'],
  ['4', 'four'],
  ['5', 'five'],
  ['6', 'six'],
  ['7', 'seven'],
  ['8', 'eight'],
  ['9', 'nine'],
  ['10', 'ten'],
  ['11', 'eleven'],
  ['12', 'twelve'],
  ['bbq', 'barbecue'],
  ['bbq', 'barbeque'],
  ['bros', 'brothers'],
  ['cal', 'california'],
  ['co', 'company'],
  ['ctr', 'center'],
  ['ft', 'fort'],
  ['intl', 'international'],
  ['mkt', 'market'],
  ['mt', 'mount'],
  ['rest', 'restaurant'],
  ['st', 'saint'],
  ['ste', 'sainte'],
];

/**
 * Lists rewrites of a query that fix no typos: a space added or removed, "and" for &, spelled-out numbers,
 * abbreviations. `isTerm`: whether a name has the word. With `lastIsPrefix` the last word may be incomplete.
 * `knownSplits` caches the splits of words. At most `MAX_REWRITES`.
 */
export function rewritesOf(
  words: readonly string[],
  isTerm: (word: string) => boolean,
  lastIsPrefix: boolean,
  knownSplits: Map<string, string[][]> = new Map(),
): QueryRewrite[] {
  const splitsOfWord = (word: string) => {
    const splits = knownSplits.get(word) ?? splitsOf(word, isTerm, false);
    if (knownSplits.size >= MAX_KNOWN_SPLITS) knownSplits.clear();
    knownSplits.set(word, splits);
    return splits;
  };
  const rewrites = [
    ...rewordings(words, isTerm),
    ...joins(words, (word, isLast) => ((isLast && lastIsPrefix) || isTerm(word) ? 0 : null)),
    ...words.flatMap((word, at) => {
      const mayBeUnfinished = lastIsPrefix && at === words.length - 1;
      return (mayBeUnfinished ? splitsOf(word, isTerm, true) : splitsOfWord(word)).map((parts) => ({
        ...plain(words.toSpliced(at, 1, ...parts)),
        phrase: parts,
        typos: Object.fromEntries(parts.map((_, nth) => [at + nth, 0])),
      }));
    }),
  ];
  return rewrites.slice(0, MAX_REWRITES);
}

/**
 * Lists rewrites for a query that matched nothing: with a typo beside a wrong space, or in a word of two or three
 * letters. At most `MAX_LOOSE_REWRITES`.
 */
export function looseRewritesOf(words: readonly string[], isTerm: (word: string) => boolean): QueryRewrite[] {
  const rewrites = [
    ...shortWordRewrites(words),
    ...joins(words, (word) => (word.length >= MIN_LENGTH_FOR_TWO_TYPOS ? 1 : null)),
    ...words.flatMap((word, at) =>
      halvesOf(word)
        .filter(([head, tail]) => isTerm(head) || isTerm(tail))
        .map((parts) => plain(words.toSpliced(at, 1, ...parts))),
    ),
  ];
  return rewrites.slice(0, MAX_LOOSE_REWRITES);
}

function plain(words: readonly string[]): QueryRewrite {
  return { words, phrase: null, typos: {} };
}

function shortWordRewrites(words: readonly string[]): QueryRewrite[] {
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return words.flatMap((word, nth): QueryRewrite[] => {
    const isShort = word.length >= MIN_SHORT_LENGTH && allowedTypos(word.length) === 0;
    if (!isShort || letters - word.length < MIN_LETTERS_BESIDE) return [];
    return [{ ...plain(words), typos: { [nth]: 1 } }];
  });
}

/** Joins neighboring words. `typosIn` returns the maximum typos of a joined word; null skips the join. */
function joins(words: readonly string[], typosIn: (word: string, isLast: boolean) => number | null): QueryRewrite[] {
  const rewrites: QueryRewrite[] = [];
  for (let count = 2; count <= MAX_JOINED_WORDS; count += 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      const joined = words.slice(at, at + count).join('');
      const typos = typosIn(joined, at + count === words.length);
      if (typos === null) continue;
      rewrites.push({ ...plain(words.toSpliced(at, count, joined)), typos: { [at]: typos } });
    }
  }
  return rewrites;
}

/** Lists ways to split a word into terms, fewest parts first. */
function splitsOf(word: string, isTerm: (word: string) => boolean, mayBeUnfinished: boolean): string[][] {
  if (word.length > MAX_SPLIT_LENGTH) return [];
  const found: string[][] = [];
  /** Caches results by a part's start and end, because the splits of a word share many parts. */
  const known = new Map<number, boolean>();
  for (let parts = 2; parts <= MAX_PARTS && found.length < MAX_SPLITS; parts += 1) {
    part(0, parts, []);
  }
  return found;

  function part(from: number, parts: number, before: readonly string[]): void {
    if (found.length >= MAX_SPLITS) return;
    if (parts === 1) {
      if (mayBeUnfinished || isPart(from, word.length)) found.push([...before, word.slice(from)]);
      return;
    }
    for (let end = word.length - parts + 1; end > from; end -= 1) {
      if (isPart(from, end)) part(end, parts - 1, [...before, word.slice(from, end)]);
    }
  }

  function isPart(from: number, end: number): boolean {
    const at = from * (word.length + 1) + end;
    const isKnown = known.get(at) ?? isTerm(word.slice(from, end));
    known.set(at, isKnown);
    return isKnown;
  }
}

function halvesOf(word: string): [string, string][] {
  if (word.length > MAX_SPLIT_LENGTH) return [];
  const halves: [string, string][] = [];
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at += 1) {
    halves.push([word.slice(0, at), word.slice(at)]);
  }
  return halves;
}

function rewordings(words: readonly string[], isTerm: (word: string) => boolean): QueryRewrite[] {
  const without = words.filter((word) => !OPTIONAL_WORDS.has(word));
  const rewrites: QueryRewrite[] = [];
  if (without.length > 0 && without.length < words.length) rewrites.push(plain(without));
  for (const [at, word] of words.entries()) {
    for (const [one, other] of SAME_WORDS) {
      if (word !== one && word !== other) continue;
      const same = word === one ? other : one;
      if (isTerm(same)) rewrites.push(plain(words.with(at, same)));
    }
  }
  return rewrites;
}
