import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { productIndexOf } from '../../../test/given/product-index.ts';
import { runs } from '../../../test/runs.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { createTypoMatcher, forgivenTypos } from '../../lib/text/typo-distance.ts';
import type { AskedWords } from '../../search/stores/find-item-sellers.flow.ts';
import { productWords } from '../../search/stores/item-words.ts';
import { createKeepSellers } from './keep-sellers.ts';
import type { ProductIndex } from './product.index.ts';
import { createProductTerms } from './product-terms.index.ts';

/** Keeps stores by the names of what they sell; the ids of the stores are their positions. */
function keeping(menus: readonly (readonly string[])[]) {
  const terms = createProductTerms();
  const indexes = new Map<string, ProductIndex>();
  for (const [at, names] of menus.entries()) {
    const { index } = productIndexOf(
      names.map((name) => ({ name })),
      terms,
    );
    indexes.set(String(at), index);
  }
  const keep = createKeepSellers({ inMemory: (storeId) => indexes.get(storeId), terms });
  return (text: string, more: Partial<AskedWords> = {}, storeIds: readonly string[] = [...indexes.keys()]) =>
    keep(storeIds, { words: wordsOf(text), isUnfinished: false, forgivesTypos: false, ...more });
}

test('a store stays where one product has all words; of two products with a word each none has both', () => {
  const keep = keeping([['Chicken Soup'], ['Chicken Wings', 'Tomato Soup'], ['Soup of Chickens'], ['Lasagna']]);
  assert.deepEqual(keep('chicken soup'), ['0', '2']);
  assert.deepEqual(keep('soup'), ['0', '1', '2']);
  assert.deepEqual(keep('zanzibar'), []);
  assert.deepEqual(keep('chic', { isUnfinished: true }), ['0', '1', '2']);
  assert.deepEqual(keep('chic'), []);
  assert.deepEqual(keep('chikcen soup', { forgivesTypos: true }), ['0', '2']);
});

test('a store whose products are not in memory stays, in its sequence, and so do all where no word rules one out', () => {
  const keep = keeping([['Chicken'], ['Lasagna'], ['Chicken']]);
  assert.deepEqual(keep('chicken', {}, ['2', 'unknown', '1', '0']), ['2', 'unknown', '0']);
  for (const [text, more] of [
    ['of the', {}],
    ['c', { isUnfinished: true }],
    ['12', { isUnfinished: true }],
    ['coca2cola', { forgivesTypos: true }],
  ] as const) {
    assert.deepEqual(keep(text, more), ['0', '1', '2'], text);
  }
});

const PARTS = ['pizza', 'pizzas', 'Mac', 'and', '&', 'Cheese', '12oz', '12 oz', '7up', 'chicken', 'soup', 'Café', '2%'];
const MORE_PARTS = ['coca', 'cola', 'cocoa', 'packs', 'packet', 'pound', 'A', 'thé', 'de', "Rock'n", '½', '宫保', 'x'];
const name = fc
  .array(fc.constantFrom(...PARTS, ...MORE_PARTS), { minLength: 1, maxLength: 6 })
  .chain((words) => fc.constantFrom(' ', '-', ', ', '_').map((between) => words.join(between)));
const menus = fc.array(fc.array(name, { maxLength: 4 }), { minLength: 1, maxLength: 5 });
/** Words of names, some of them cut or with two letters in each other's place. */
const text = fc
  .array(
    fc.tuple(fc.constantFrom(...PARTS, ...MORE_PARTS), fc.nat(8), fc.constantFrom('as it is', 'cut', 'exchanged')),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => words.map(([word, at, change]) => changed(word, at, change)).join(' '));

function changed(word: string, at: number, change: string): string {
  if (change === 'cut') return word.slice(0, 1 + at);
  const letters = [...word];
  if (change === 'exchanged') letters.splice(at, 2, ...letters.slice(at, at + 2).toReversed());
  return letters.join('');
}

/** Whether a name matches, by the words that PostgreSQL compares. */
function matches(name: string, { words, isUnfinished, forgivesTypos }: AskedWords): boolean {
  const { isWithinTypos } = createTypoMatcher();
  const own = productWords(name).trim().split(' ');
  return words.every((word, nth) => {
    const mayGoOn = isUnfinished && nth === words.length - 1;
    return own.some((other) => {
      if (other === word || (mayGoOn && other.startsWith(word))) return true;
      // A word with digits in it is more than one term of a product index, and no typo of another word.
      return forgivesTypos && !/\p{N}/u.test(other) && isWithinTypos(word, other, forgivenTypos(word.length));
    });
  });
}

test('whatever stores sell, no store that sells what is asked is ruled out', () => {
  let kept = 0;
  fc.assert(
    fc.property(menus, text, fc.boolean(), fc.boolean(), (sold, asked, isUnfinished, forgivesTypos) => {
      const all = { words: wordsOf(asked), isUnfinished, forgivesTypos };
      const stay = keeping(sold)(asked, all);
      for (const [at, names] of sold.entries()) {
        if (!names.some((each) => matches(each, all))) continue;
        kept += 1;
        assert.ok(stay.includes(String(at)), `${names.join(' | ')} for ${asked}`);
      }
    }),
    { numRuns: runs(1500) },
  );
  assert.ok(kept > runs(300), `${kept}`);
});
