/** Plurals that the rules of `singularOf` do not cover, and words that only look like plurals. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['loaves', 'loaf'],
  ['leaves', 'leaf'],
  ['halves', 'half'],
  ['calves', 'calf'],
  ['knives', 'knife'],
  ['shelves', 'shelf'],
  ['scarves', 'scarf'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['geese', 'goose'],
  ['mice', 'mouse'],
  ['news', 'news'],
  ['plus', 'plus'],
  ['mars', 'mars'],
  ['lens', 'lens'],
  ['lenses', 'lens'],
  ['buses', 'bus'],
]);

const MIN_PLURAL_LENGTH = 4;
const PLURAL_S = /(?<!s)s$/;
const PLURAL_X = /(?<=[ae]u|ou)x$/;

/**
 * Returns the common stem of singular and plural in English and French: `tomatoes`/`tomato`, `berries`/`berry`,
 * `gâteaux`/`gâteau`. A stem need not be a word ("cooky"), because it is only compared with stems. No other ending is
 * cut.
 */
export function singularOf(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < MIN_PLURAL_LENGTH) return word;
  const base = word.replace(PLURAL_S, '').replace(PLURAL_X, '');
  if (base.length < MIN_PLURAL_LENGTH) return base;
  return base
    .replace(/ie$/, 'y')
    .replace(/oe$/, 'o')
    .replace(/(?<=ch|sh|x|ss|zz)e$/, '');
}

/** Returns other words with the stem of this one: singular, plurals and possessive ("wendies": "wendy", "wendys"). */
export function numberForms(word: string): string[] {
  if (word.length < MIN_PLURAL_LENGTH - 1) return [];
  const stem = singularOf(word);
  const forms = [stem, `${stem}s`, `${stem}es`, `${stem}x`, stem.replace(/y$/, 'ies'), stem.replace(/y$/, 'ie')];
  return [...new Set(forms)].filter((form) => form !== word && singularOf(form) === stem);
}
