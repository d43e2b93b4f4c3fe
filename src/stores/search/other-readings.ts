import { forgivenTypos } from '../../lib/text/typo-distance.ts';

/** Another way to read a query's words. */
export type Reading = {
  words: readonly string[];
  /** Words that the name must have side by side, where one typed word was read as several; null where that is all one. */
  together: readonly string[] | null;
  /** By place of a word: how many typos it is forgiven, other than its length allows. */
  typos: Readonly<Record<number, number>>;
};

/** Ways to read one query that are tried at most; people's slips need one or two. */
const MOST_READINGS = 16;
/** These compare a word with all words there are. */
const MOST_BOLD_READINGS = 8;
/** Words that may be read as one, and parts that one word may be read as: "in n out", "chickfila". */
const MOST_JOINED = 3;
const MOST_PARTS = 4;
const MOST_PARTINGS = 4;
/** Longer words are not taken apart: no name of so many letters is typed without a space. */
const LONGEST_TAKEN_APART = 40;
/** A wrong space is a typo: another one is forgiven in words from this length on. */
const LEAST_LETTERS_OF_TWO_TYPOS = 8;
/** A part with a typo has at least so many letters. */
const LEAST_LETTERS_OF_PART = 3;
/** A short word is forgiven a typo where the others have so many letters together; a single letter never is. */
const LEAST_LETTERS_BESIDE = 3;
const LEAST_LETTERS_OF_SHORT = 2;

/** Words that signs stand for, or that people add and leave out as they like. */
const OPTIONAL_WORDS: ReadonlySet<string> = new Set(['and', 'n', 'et', 'y', 'the']);

/** Words that are the same read aloud, or one cut short: each stands for the other. */
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
 * The readings of a query that spell it otherwise without a typo: a space too many or too few, a word that a sign
 * stands for ("and" for &), a number in letters, a usual abbreviation. `knows` tells whether some name has the word;
 * the last word may be unfinished where `lastIsPrefix` says so, and then need not be known. At most `MOST_READINGS`.
 */
export function otherReadings(
  words: readonly string[],
  knows: (word: string) => boolean,
  lastIsPrefix: boolean,
): Reading[] {
  const readings = [
    ...rewordings(words, knows),
    ...joinings(words, (word, isLast) => ((isLast && lastIsPrefix) || knows(word) ? 0 : null)),
    ...words.flatMap((word, at) => {
      const mayBeUnfinished = lastIsPrefix && at === words.length - 1;
      return partingsOf(word, knows, mayBeUnfinished).map((parts) => ({
        ...plain(words.toSpliced(at, 1, ...parts)),
        together: parts,
        typos: Object.fromEntries(parts.map((_, nth) => [at + nth, 0])),
      }));
    }),
  ];
  return readings.slice(0, MOST_READINGS);
}

/**
 * Readings for a query that nothing else answers: with a typo beside a wrong space, or in one of its words of two or
 * three letters. At most `MOST_BOLD_READINGS`.
 */
export function boldReadings(words: readonly string[], knows: (word: string) => boolean): Reading[] {
  const readings = [
    ...shortWordReadings(words),
    ...joinings(words, (word) => (word.length >= LEAST_LETTERS_OF_TWO_TYPOS ? 1 : null)),
    ...words.flatMap((word, at) =>
      halvesOf(word)
        .filter(([head, tail]) => knows(head) || knows(tail))
        .map((parts) => plain(words.toSpliced(at, 1, ...parts))),
    ),
  ];
  return readings.slice(0, MOST_BOLD_READINGS);
}

function plain(words: readonly string[]): Reading {
  return { words, together: null, typos: {} };
}

function shortWordReadings(words: readonly string[]): Reading[] {
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return words.flatMap((word, nth): Reading[] => {
    const isShort = word.length >= LEAST_LETTERS_OF_SHORT && forgivenTypos(word.length) === 0;
    if (!isShort || letters - word.length < LEAST_LETTERS_BESIDE) return [];
    return [{ ...plain(words), typos: { [nth]: 1 } }];
  });
}

/** `typosIn` tells how many typos a joined word is forgiven; null leaves it out. */
function joinings(words: readonly string[], typosIn: (word: string, isLast: boolean) => number | null): Reading[] {
  const readings: Reading[] = [];
  for (let count = 2; count <= MOST_JOINED; count += 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      const joined = words.slice(at, at + count).join('');
      const typos = typosIn(joined, at + count === words.length);
      if (typos === null) continue;
      readings.push({ ...plain(words.toSpliced(at, count, joined)), typos: { [at]: typos } });
    }
  }
  return readings;
}

/** The ways to take a word apart into known words, fewest parts first. */
function partingsOf(word: string, knows: (word: string) => boolean, mayBeUnfinished: boolean): string[][] {
  if (word.length > LONGEST_TAKEN_APART) return [];
  const found: string[][] = [];
  for (let parts = 2; parts <= MOST_PARTS && found.length < MOST_PARTINGS; parts += 1) {
    part(word, parts, []);
  }
  return found;

  function part(rest: string, parts: number, before: readonly string[]): void {
    if (found.length >= MOST_PARTINGS) return;
    if (parts === 1) {
      if (mayBeUnfinished || knows(rest)) found.push([...before, rest]);
      return;
    }
    for (let length = rest.length - parts + 1; length > 0; length -= 1) {
      const head = rest.slice(0, length);
      if (knows(head)) part(rest.slice(length), parts - 1, [...before, head]);
    }
  }
}

function halvesOf(word: string): [string, string][] {
  if (word.length > LONGEST_TAKEN_APART) return [];
  const halves: [string, string][] = [];
  for (let at = LEAST_LETTERS_OF_PART; at <= word.length - LEAST_LETTERS_OF_PART; at += 1) {
    halves.push([word.slice(0, at), word.slice(at)]);
  }
  return halves;
}

function rewordings(words: readonly string[], knows: (word: string) => boolean): Reading[] {
  const without = words.filter((word) => !OPTIONAL_WORDS.has(word));
  const readings: Reading[] = [];
  if (without.length > 0 && without.length < words.length) readings.push(plain(without));
  for (const [at, word] of words.entries()) {
    for (const [one, other] of SAME_WORDS) {
      if (word !== one && word !== other) continue;
      const same = word === one ? other : one;
      if (knows(same)) readings.push(plain(words.with(at, same)));
    }
  }
  return readings;
}
