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
/** Maximum words that may be joined, or that a word is split into: "in n out", "chickfila". */
const MAX_JOINED_WORDS = 3;
const MAX_PARTS = 4;
const MAX_SPLITS = 4;
const MAX_KNOWN_SPLITS = 4096;
/** Maximum letters of a word that is split. No one types a longer one without a space. */
const MAX_SPLIT_LENGTH = 40;
/** Minimum length of a word that may have a typo besides its wrong space. */
const MIN_LENGTH_FOR_TWO_TYPOS = 8;
/** Minimum length of a part that may have a typo. */
const MIN_PART_LENGTH = 3;
/** Minimum letters of the other words together for a short word to have a typo. A single letter never may. */
const MIN_LETTERS_BESIDE = 3;
const MIN_SHORT_LENGTH = 2;

/** Words for signs such as &, and words that people add or omit freely. */
const OPTIONAL_WORDS: ReadonlySet<string> = new Set(['and', 'n', 'et', 'y', 'the', 'co', 'company']);

/** Words that initials may leave out: "Liquor Control Board of Ontario" is LCBO. */
const SMALL_WORDS: ReadonlySet<string> = new Set([...OPTIONAL_WORDS, 'of', 'de', 'du', 'des']);
const MIN_INITIALS = 3;

/** Returns the initials of the words, with and without small words; none of fewer than three. */
export function initialsOf(words: readonly string[]): string[] {
  const initials = [words, words.filter((word) => !SMALL_WORDS.has(word))].map((own) => own.map(([first]) => first));
  return [...new Set(initials.filter(({ length }) => length >= MIN_INITIALS).map((own) => own.join('')))];
}

/** Equivalent spellings and abbreviations of one word. */
const SAME_PAIRS: readonly (readonly [string, string])[] = [
  ['0', 'zero'],
  ['1st', 'first'],
  ['1', 'one'],
  ['2', 'two'],
  ['3', 'three'],
  ['4', 'for'],
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
  ['broth', 'stock'],
  ['cal', 'california'],
  ['capn', 'captain'],
  ['catsup', 'ketchup'],
  ['chickpea', 'garbanzo'],
  ['ctr', 'center'],
  ['dr', 'doctor'],
  ['ft', 'fort'],
  ['intl', 'international'],
  ['jr', 'junior'],
  ['mac', 'macaroni'],
  ['mayo', 'mayonnaise'],
  ['mkt', 'market'],
  ['mt', 'mount'],
  ['mtn', 'mountain'],
  ['rest', 'restaurant'],
  ['st', 'saint'],
  ['ste', 'sainte'],
];
const SAME_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy([...SAME_PAIRS, ...SAME_PAIRS.map(([one, other]) => [other, one] as const)], ([word]) => word)].map(
    ([word, pairs]) => [word, pairs.map(([, same]) => same)],
  ),
);

/** Caches the splits of words; `isPhrase` says whether a name has the parts of a word side by side. */
export type Splits = {
  known: Map<string, string[][]>;
  isPhrase: (parts: readonly string[], isUnfinished: boolean) => boolean;
};

/**
 * Lists rewrites of a query that fix no typos: a space added or removed, "and" for &, spelled-out numbers,
 * abbreviations. `isTerm`: whether a name has the word. With `lastIsPrefix` the last word may be incomplete. Up to
 * `MAX_REWRITES`.
 */
export function rewritesOf(
  words: readonly string[],
  isTerm: (word: string) => boolean,
  lastIsPrefix: boolean,
  splits: Splits = { known: new Map(), isPhrase: () => true },
  respellings: readonly QueryRewrite[] = respellingsOf(words, isTerm, lastIsPrefix),
): QueryRewrite[] {
  const { known, isPhrase } = splits;
  const splitsOfWord = (word: string, isUnfinished: boolean) => {
    const key = isUnfinished ? `${word}…` : word;
    const found =
      known.get(key) ?? splitsOf(word, isTerm, isUnfinished).filter((parts) => isPhrase(parts, isUnfinished));
    if (known.size >= MAX_KNOWN_SPLITS) known.clear();
    known.set(key, found);
    return found;
  };
  const rewrites = [
    ...respellings,
    ...words.flatMap((word, at) =>
      splitsOfWord(word, lastIsPrefix && at === words.length - 1).map((parts) => ({
        ...plain(words.toSpliced(at, 1, ...parts)),
        phrase: parts,
        typos: Object.fromEntries(parts.map((_, nth) => [at + nth, 0])),
      })),
    ),
  ];
  return rewrites.slice(0, MAX_REWRITES);
}

/** Lists the rewrites that split no word: equivalent words, words left out, and a space removed. */
export function respellingsOf(
  words: readonly string[],
  isTerm: (word: string) => boolean,
  lastIsPrefix: boolean,
): QueryRewrite[] {
  const joined = joins(words, (text, isLast) => {
    const word = isLast && lastIsPrefix ? text : spellingOf(text, isTerm);
    return word === undefined ? null : { word, typos: 0 };
  });
  return [...rewordings(words, isTerm), ...joined];
}

/** Returns the spelling that names have of a joined word or of a part of a split one: as typed, equivalent or singular. */
function spellingOf(word: string, isTerm: (word: string) => boolean): string | undefined {
  const singular = word.length >= MIN_PART_LENGTH && word.endsWith('s') ? [word.slice(0, -1)] : [];
  return [word, ...(SAME_WORDS.get(word) ?? []), ...singular].find(isTerm);
}

/**
 * Lists rewrites for a query that matched nothing: with a typo alongside a wrong space, or in a word of two or three
 * letters. Up to `MAX_LOOSE_REWRITES`.
 */
export function looseRewritesOf(words: readonly string[], isTerm: (word: string) => boolean): QueryRewrite[] {
  const rewrites = [
    ...shortWordRewrites(words),
    ...joins(words, (word) => (word.length >= MIN_LENGTH_FOR_TWO_TYPOS ? { word, typos: 1 } : null)),
    ...words.flatMap((word, at) =>
      halvesOf(word)
        .filter(([head, tail]) => isTerm(head) || isTerm(tail))
        .map((parts) => plain(words.toSpliced(at, 1, ...parts))),
    ),
  ];
  return rewrites.slice(0, MAX_LOOSE_REWRITES);
}

const plain = (words: readonly string[]): QueryRewrite => ({ words, phrase: null, typos: {} });

function shortWordRewrites(words: readonly string[]): QueryRewrite[] {
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return words.flatMap((word, nth): QueryRewrite[] => {
    const isShort = word.length >= MIN_SHORT_LENGTH && allowedTypos(word.length) === 0;
    if (!isShort || letters - word.length < MIN_LETTERS_BESIDE) return [];
    return [{ ...plain(words), typos: { [nth]: 1 } }];
  });
}

type JoinedWord = { word: string; typos: number };

/** Joins neighboring words. `read` returns the word with its maximum typos; null skips the join. */
function joins(words: readonly string[], read: (joined: string, isLast: boolean) => JoinedWord | null): QueryRewrite[] {
  const rewrites: QueryRewrite[] = [];
  for (let count = 2; count <= MAX_JOINED_WORDS; count += 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      const joined = read(words.slice(at, at + count).join(''), at + count === words.length);
      if (joined === null) continue;
      rewrites.push({ ...plain(words.toSpliced(at, count, joined.word)), typos: { [at]: joined.typos } });
    }
  }
  return rewrites;
}

/** Lists ways to split a word into terms, fewest parts first. */
function splitsOf(word: string, isTerm: (word: string) => boolean, mayBeUnfinished: boolean): string[][] {
  if (word.length > MAX_SPLIT_LENGTH) return [];
  const found: string[][] = [];
  /** Caches spellings by a part's start and end, because the splits of a word share many parts. */
  const known = new Map<number, string | undefined>();
  for (let parts = 2; parts <= MAX_PARTS && found.length < MAX_SPLITS; parts += 1) {
    part(0, parts, []);
  }
  return found;

  function part(from: number, parts: number, before: readonly string[]): void {
    if (found.length >= MAX_SPLITS) return;
    if (parts === 1) {
      const last = mayBeUnfinished ? word.slice(from) : spelled(from, word.length);
      if (last !== undefined) found.push([...before, last]);
      return;
    }
    for (let end = word.length - parts + 1; end > from; end -= 1) {
      const next = spelled(from, end);
      if (next !== undefined) part(end, parts - 1, [...before, next]);
    }
  }

  function spelled(from: number, end: number): string | undefined {
    const at = from * (word.length + 1) + end;
    if (!known.has(at)) known.set(at, spellingOf(word.slice(from, end), isTerm));
    return known.get(at);
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
  const shorter = without.length > 0 && without.length < words.length ? [without] : [];
  const reworded = [...shorter, words].flatMap((own) =>
    own.flatMap((word, at) => (SAME_WORDS.get(word) ?? []).filter(isTerm).map((same) => own.with(at, same))),
  );
  return [...shorter, ...reworded].map(plain);
}
