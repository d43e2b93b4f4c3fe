import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isStopWord, productWordsOf } from './product-words.ts';
import { parseTypedSizes } from './typed-sizes.ts';

const sizesOf = (text: string) => parseTypedSizes(text).map((size) => size.join(' '));

test('numbers with a unit, packs and bare units are sizes', () => {
  const expected: Record<string, string[]> = {
    'ground beef 1 lb': ['1 lb'],
    '2lb bananas': ['2 lb'],
    'soda 12 fl oz': ['12 fl oz'],
    'soda 12 fl. oz.': ['12 fl oz'],
    'yogurt 5.3 oz': ['5 3 oz'],
    'milk 1/2 gal': ['1 2 gal'],
    'flour 1 1/2 lb': ['1 1 2 lb'],
    'half gallon of milk': ['half gallon'],
    'a gallon of milk': ['gallon'],
    'two pound bag of rice': ['two pound'],
    'dozen eggs': ['dozen'],
    'two dozen eggs': ['two dozen'],
    '6-pack cola': ['6 pack'],
    'cola, 6 pk 12 oz': ['6 pk', '12 oz'],
    'cola pack of 6': ['pack 6'],
    'pack 12 oz cola': ['pack', '12 oz'],
    'sugar 500 g': ['500 g'],
    'apples each': ['each'],
  };
  for (const [text, sizes] of Object.entries(expected)) assert.deepEqual(sizesOf(text), sizes, text);
});

test('numbers and letters that say what a product is are no sizes', () => {
  for (const text of ['7 up', '2% milk', 'V8 juice', 'formula 409', 'half and half', 'three musketeers', 'vitamin g'])
    assert.deepEqual(sizesOf(text), [], text);
  assert.deepEqual(sizesOf('lighter fluid'), []);
  assert.deepEqual(sizesOf('formula 409 32 oz'), ['32 oz']);
  assert.deepEqual(sizesOf('half and half 1 pint'), ['1 pint']);
});

test('of any text the sizes are words of it, in their order, soon', () => {
  const piece = fc.constantFrom('1', '12', 'oz', 'pack', 'g', 'half', 'of', 'milk', '/', '.', ' ', '%');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 800 }),
        fc.array(piece).map((all) => all.join('')),
      ),
      (text) => {
        const words = text
          .slice(0, 512)
          .split(/\s+/)
          .flatMap(productWordsOf)
          .filter((word) => !isStopWord(word));
        let from = 0;
        for (const size of parseTypedSizes(text)) {
          assert.ok(size.length > 0);
          const at = words.findIndex(
            (_, start) => start >= from && size.every((word, nth) => words[start + nth] === word),
          );
          assert.ok(at >= 0, size.join(' '));
          from = at + size.length;
        }
      },
    ),
  );
});
