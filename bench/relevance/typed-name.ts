/**
 * The steps that make a query from a name, so that a judged query holds no name.
 *
 * The first step writes the name as people type it: lower case, without accents and punctuation. Words and letters are counted from 0; letters through all words, spaces left out.
 *
 * - `words 2 0`: only these words, in this order
 * - `typo swap 4`: `swap` with the next letter, `miss`, `double`, or `slip` to a neighboring key
 * - `join 0`: no space after the word; `split 1 3`: a space after so many of the word's letters
 * - `plural 0`, `singular 0`; `cut 0 3`: only so many of the word's letters
 * - `and`: & is typed as a word; `number 0`: digits as a word, or a word as digits
 * - `add near me`: further words; `add city`: the store's city
 */
export type Recipe = readonly string[];

/** A query, and the words it means: the words of the name before the typing steps. */
export type TypedName = { text: string; meant: readonly string[] };

type Typing = { words: string[]; meant: string[] };

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '1234567890'];
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** The words of a name, typed without a shift key. */
export function plainWords(name: string): string[] {
  const plain = name
    .replace(/['’‘`´]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

export function typeName(name: string, recipe: Recipe, city: string): TypedName {
  if (recipe.length === 0) return { text: name, meant: plainWords(name) };
  const isAnd = recipe.includes('and');
  const words = plainWords(isAnd ? name.replaceAll('&', ' and ') : name);
  let typing: Typing = { words, meant: plainWords(name) };
  for (const step of recipe) {
    const [verb = '', ...rest] = step.split(' ');
    typing = takeStep(typing, verb, rest, city);
  }
  return { text: typing.words.join(' '), meant: typing.meant };
}

function takeStep({ words, meant }: Typing, verb: string, rest: readonly string[], city: string): Typing {
  const [first = 0, second = 0] = rest.map(Number);
  const replaced = (...by: string[]): Typing => ({ words: words.toSpliced(first, 1, ...by), meant });
  const word = words[first] ?? '';
  switch (verb) {
    case 'plain':
    case 'and':
      return { words, meant };
    case 'words': {
      const kept = rest.map((n) => words[Number(n)] ?? '');
      return { words: kept, meant: kept.filter((one) => meant.includes(one)) };
    }
    case 'typo':
      return { words: withTypo(words, rest[0] ?? '', second), meant };
    case 'join':
      return { words: words.toSpliced(first, 2, word + (words[first + 1] ?? '')), meant };
    case 'split':
      return replaced(word.slice(0, second), word.slice(second));
    case 'plural':
      return replaced(pluralOf(word));
    case 'singular':
      return replaced(word.replace(/ies$/, 'y').replace(/s$/, ''));
    case 'cut':
      return replaced(word.slice(0, second));
    case 'number':
      return replaced(NUMBERS[Number(word)] ?? String(NUMBERS.indexOf(word)));
    case 'add':
      return { words: [...words, ...(rest[0] === 'city' ? plainWords(city) : rest)], meant };
    default:
      throw new Error(`No such step: ${verb}`);
  }
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

function withTypo(words: readonly string[], kind: string, letter: number): string[] {
  let at = letter;
  return words.map((word) => {
    const mine = at;
    at -= word.length;
    return mine >= 0 && mine < word.length ? mistype(word, kind, mine) : word;
  });
}

function mistype(word: string, kind: string, at: number): string {
  const letter = word[at] as string;
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  if (kind === 'miss') return before + after;
  if (kind === 'double') return before + letter + letter + after;
  if (kind === 'slip') return before + neighborOf(letter) + after;
  // The last letter swaps with the preceding one.
  return after === '' ? before.slice(0, -1) + letter + before.slice(-1) : before + after[0] + letter + after.slice(1);
}

function neighborOf(letter: string): string {
  const row = KEYBOARD.find((keys) => keys.includes(letter)) ?? 'xz';
  const at = row.indexOf(letter);
  return row[at + 1] ?? (row[at - 1] as string);
}
