import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { singularOf } from './singular.ts';

const pairsOf = (text: string) =>
  Array.from(text.matchAll(/(\w+)\/(\w+)/g), ([, one = '', other = '']) => [one, other] as const);

const PAIRS = pairsOf(`
  tomato/tomatoes potato/potatoes shoe/shoes berry/berries fry/fries cookie/cookies pie/pies brie/bries
  loaf/loaves leaf/leaves knife/knives olive/olives cheese/cheeses sauce/sauces orange/oranges peach/peaches
  quiche/quiches radish/radishes box/boxes glass/glasses pizza/pizzas kiwi/kiwis taco/tacos egg/eggs pea/peas
  foot/feet child/children gateau/gateaux poireau/poireaux chou/choux oeuf/oeufs lens/lenses bus/buses
`);

const APART = pairsOf(`
  organ/organic new/news bas/bass gras/grass her/herb car/card mars/mar cafe/cave cook/cookie bak/baker
`);

test('a word and its plural have one stem', () => {
  for (const [singular, plural] of PAIRS) assert.equal(singularOf(plural), singularOf(singular), plural);
});

test('other words that begin alike have different stems', () => {
  for (const [one, other] of APART) assert.notEqual(singularOf(one), singularOf(other), `${one} ${other}`);
});

test('no word is cut down to nothing, and cutting is soon over', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
      const stem = singularOf(word);
      assert.ok(stem.length >= Math.min(word.length, 3));
      assert.ok(stem.length > word.length - 4);
    }),
  );
});

test('a plural by an s has the stem of its word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{2,10}[^sxz]$/), (word) => {
      fc.pre(![...PAIRS, ...APART].flat().some((known) => known === word || known === `${word}s`));
      assert.equal(singularOf(`${word}s`), singularOf(word));
    }),
    { examples: [['milk'], ['berrie'], ['tomatoe']] },
  );
});
