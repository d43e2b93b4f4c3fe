import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { AFTER_HEAD, countWordsBefore, headPosition, isMeasure, productWordsOf, stemOf } from './product-words.ts';

test('all names of a unit have one stem', () => {
  for (const names of [
    ['oz', 'ounce', 'ounces'],
    ['gal', 'gallon', 'gallons', 'ga'],
    ['lb', 'lbs', 'pound', 'pounds'],
    ['l', 'liter', 'litres'],
    ['dz', 'dozen', 'doz'],
    ['percent', 'pct'],
  ]) {
    assert.equal(new Set(names.map(stemOf)).size, 1, names.join(' '));
    assert.ok(names.every(isMeasure), names.join(' '));
  }
  assert.ok(isMeasure('12'));
  assert.ok(!isMeasure('milk'));
});

test('numbers and letters are words of their own, however they are written', () => {
  assert.deepEqual(productWordsOf('Cola 12oz'), productWordsOf('cola 12 OZ'));
  assert.deepEqual(productWordsOf('7-Up'), ['7', 'up']);
  assert.deepEqual(productWordsOf('7UP'), ['7', 'up']);
  assert.deepEqual(productWordsOf('2% Milk'), ['2', 'percent', 'milk']);
  assert.deepEqual(productWordsOf('100 % Jus'), ['100', 'percent', 'jus']);
  assert.deepEqual(productWordsOf('%'), []);
  assert.deepEqual(productWordsOf('Crème Brûlée'), ['creme', 'brulee']);
});

test('the head of a name is its last content word before a comma, a bracket, a dash or a preposition', () => {
  const headIn = (name: string) => {
    const words = productWordsOf(name);
    return words[headPosition(words.slice(0, countWordsBefore(AFTER_HEAD, name, words.length)))];
  };
  assert.equal(headIn('Organic Whole Milk 1/2 gal'), 'milk');
  assert.equal(headIn('Milk, 2%, 1 gal'), 'milk');
  assert.equal(headIn('EGGS - LARGE ALL 1 DZ (Private)'), 'eggs');
  assert.equal(headIn('Bread with Raisins'), 'bread');
  assert.equal(headIn('Pain de blé entier'), 'pain');
  assert.equal(headIn('Cream of Mushroom Soup 10.5 oz'), 'soup');
  assert.equal(headIn('12 (2)'), undefined);
});

test('any text is taken apart in time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      for (const word of productWordsOf(text)) assert.ok(stemOf(word).length > 0);
      assert.ok(countWordsBefore(AFTER_HEAD, text, 5) <= 5);
    }),
  );
});

test('plain letters have the words that the same letters have among accents, whatever punctuation and digits', () => {
  const unit = fc.constantFrom(...'abZ19 ,.;:!?()&/*+_-%\'"`'.split(''));
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 80 }), (text) => {
      // An accented word after the text forces the non-ASCII path; it is the last word, because up to 24 words count.
      const words = productWordsOf(`${text} é`).slice(0, -1);
      const plain = productWordsOf(text);
      if (productWordsOf(`${text} é`).at(-1) === 'e') assert.deepEqual(plain, words);
      assert.ok(plain.every((word) => /^(?:[a-z]+|[0-9]+)$/.test(word)));
    }),
    { numRuns: runs(1000) },
  );
  assert.equal(productWordsOf('a1 '.repeat(30)).length, 48);
  assert.equal(productWordsOf('a '.repeat(300)).length, 24);
});
