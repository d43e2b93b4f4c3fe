/** Returns a word's allowed typos: one in 4 to 7 letters, two in longer words (docs/searching.md#matching-names). */
export function allowedTypos(length: number): 0 | 1 | 2 {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** Maximum letters for typo matching; longer words match only exactly or as a prefix. */
export const MAX_TYPO_WORD_LENGTH = 64;

/**
 * Returns a word's letters as bits; digits and other scripts share the last six. A typo changes up to two bits, so
 * words whose masks differ in more than 2 × typos bits cannot match.
 */
export function letterMask(word: string): number {
  let mask = 0;
  for (let i = 0; i < word.length; i += 1) {
    const code = word.charCodeAt(i);
    const bit = code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6);
    mask |= 1 << bit;
  }
  return mask >>> 0;
}

export type TypoMatcher = {
  /**
   * Whether the words are within `maxTypos` insertions, deletions, substitutions or transpositions (optimal string
   * alignment). Letters are UTF-16 units; a word longer than `MAX_TYPO_WORD_LENGTH` never matches.
   */
  isWithinTypos(a: string, b: string, maxTypos: number): boolean;
};

/** Creates a matcher with its own scratch rows for comparisons. */
export function createTypoMatcher(): TypoMatcher {
  let older = new Uint8Array(MAX_TYPO_WORD_LENGTH + 1);
  let previous = new Uint8Array(MAX_TYPO_WORD_LENGTH + 1);
  let current = new Uint8Array(MAX_TYPO_WORD_LENGTH + 1);

  /** Fills row `i` of the table and returns its minimum, a lower bound of the distance. */
  function fillRow(a: string, b: string, i: number): number {
    const letter = a.charCodeAt(i - 1);
    const before = i > 1 ? a.charCodeAt(i - 2) : -1;
    current[0] = i;
    let smallest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const other = b.charCodeAt(j - 1);
      let cost = (previous[j - 1] as number) + (letter === other ? 0 : 1);
      cost = Math.min(cost, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
      if (j > 1 && letter === b.charCodeAt(j - 2) && before === other) {
        cost = Math.min(cost, (older[j - 2] as number) + 1);
      }
      current[j] = cost;
      if (cost < smallest) smallest = cost;
    }
    return smallest;
  }

  return {
    isWithinTypos(a, b, maxTypos) {
      if (Math.abs(a.length - b.length) > maxTypos) return false;
      if (a.length > MAX_TYPO_WORD_LENGTH || b.length > MAX_TYPO_WORD_LENGTH) return false;
      if (maxTypos === 1) return isWithinOneTypo(a, b);
      for (let j = 0; j <= b.length; j += 1) previous[j] = j;
      for (let i = 1; i <= a.length; i += 1) {
        if (fillRow(a, b, i) > maxTypos) return false;
        const spare = older;
        older = previous;
        previous = current;
        current = spare;
      }
      return (previous[b.length] ?? MAX_TYPO_WORD_LENGTH) <= maxTypos;
    },
  };
}

/** Tests quickly for up to one typo: after the first difference, the rest must be equal. */
function isWithinOneTypo(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < short.length && short.charCodeAt(at) === long.charCodeAt(at)) at += 1;
  if (short.length < long.length) return isEqualFrom(short, at, long, at + 1);
  if (isEqualFrom(short, at + 1, long, at + 1)) return true;
  const isExchange =
    short.charCodeAt(at) === long.charCodeAt(at + 1) && short.charCodeAt(at + 1) === long.charCodeAt(at);
  return isExchange && isEqualFrom(short, at + 2, long, at + 2);
}

function isEqualFrom(a: string, from: number, b: string, fromOfB: number): boolean {
  if (a.length - from !== b.length - fromOfB) return false;
  for (let at = from; at < a.length; at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at - from + fromOfB)) return false;
  }
  return true;
}
