import assert from 'node:assert/strict';
import { test } from 'node:test';
import { named, searching } from '../../../test/given/product-index.ts';

test('a size that no product has excludes nothing; products of exactly that size come first', () => {
  const { names } = searching([
    { name: 'Ground Beef', size: '16 oz' },
    { name: 'Ground Beef, lean', size: '1 lb' },
    { name: 'Beets 1 lb' },
    { name: 'Bananas 3 lb' },
    { name: 'Bananas' },
    { name: 'Milk 1/2 gal' },
    { name: 'Milk' },
    { name: 'Large Eggs' },
    { name: 'Cola 12 oz' },
    { name: 'Cola' },
    { name: 'Cola 6 pack 8 oz' },
  ]);
  assert.deepEqual(names('ground beef 1 lb'), ['Ground Beef, lean', 'Ground Beef']);
  assert.deepEqual(names('2 lb bananas'), ['Bananas', 'Bananas 3 lb']);
  assert.deepEqual(names('a pound of ground beef'), ['Ground Beef, lean', 'Ground Beef']);
  assert.deepEqual(names('milk 1 gallon'), ['Milk 1/2 gal', 'Milk']);
  assert.deepEqual(names('milk 2 gallons'), ['Milk 1/2 gal', 'Milk']);
  assert.deepEqual(names('dozen eggs'), ['Large Eggs']);
  assert.deepEqual(names('pack of 6 cola').slice(0, 1), ['Cola 6 pack 8 oz']);
  assert.deepEqual(names('6 pack cola 12 oz'), ['Cola 12 oz', 'Cola 6 pack 8 oz', 'Cola']);
  assert.deepEqual(names('bananna 3 lb'), ['Bananas 3 lb', 'Bananas']);
});

test('a product in another size outranks a misspelled match in the typed size', () => {
  const { names } = searching(named('Beefy 1 lb', 'Beef Chuck'));
  assert.deepEqual(names('beef 1 lb'), ['Beef Chuck', 'Beefy 1 lb']);
});

test('a number that is no size must match, and so must a size without other words', () => {
  const { names } = searching(named('7 Up 12 oz', 'Up and Go', 'Milk 1 %', 'Milk', 'V8', 'V'));
  assert.deepEqual(names('7 up 2 l'), ['7 Up 12 oz']);
  assert.deepEqual(names('2% milk 1 gal'), []);
  assert.deepEqual(names('v8 64 oz'), ['V8']);
  assert.deepEqual(names('12 oz'), ['7 Up 12 oz']);
  assert.deepEqual(names('16 oz'), []);
});

test('a product isn’t found by only a size in its name and its category', () => {
  const { names } = searching([
    { name: 'Pepperoni 2 lb', category: 'Pizza' },
    { name: 'Pizza Margherita', category: 'Pizza' },
  ]);
  assert.deepEqual(names('pizza 1 lb'), ['Pizza Margherita']);
});
