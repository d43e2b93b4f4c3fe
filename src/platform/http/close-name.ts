import { createTypoMatcher } from 'doorstep/search-engine/text';

const MIN_PREFIX = 3;
/** Names that are safe to repeat in a header. */
const NAME = /^[\w.-]{1,40}$/;
const { isWithinTypos } = createTypoMatcher();

/** Suggests the known name for a typo, an abbreviation, camel case, or a missing `user_` prefix. */
export function closeName(given: string, known: Iterable<string>): string | undefined {
  if (!NAME.test(given)) return undefined;
  const words = splitName(given);
  for (const name of known) if (areSimilar(words, splitName(name))) return name;
  return undefined;
}

function splitName(name: string): string[] {
  const snake = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const words = snake.split(/[^a-z\d]+/).filter((word) => word !== '');
  return words.length > 1 && words[0] === 'user' ? words.slice(1) : words;
}

function areSimilar(given: readonly string[], known: readonly string[]): boolean {
  const [a, b] = [given.join(''), known.join('')];
  if (a === b || (a.length > MIN_PREFIX && isWithinTypos(a, b, 1))) return true;
  return given.length === known.length && given.every((word, nth) => abbreviates(word, known[nth] ?? ''));
}

const abbreviates = (word: string, known: string) =>
  word === known || (word.length >= MIN_PREFIX && known.startsWith(word));
