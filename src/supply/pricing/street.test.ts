import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStreet } from './street.ts';

test('the house number is what leads a street address, and an ordinal is none', () => {
  const parts = (text: string) => Object.values(splitStreet(text));
  assert.deepEqual(parts('120 5th Ave'), ['120', '5th Ave']);
  assert.deepEqual(parts('5th Avenue 120'), ['', '5th Avenue 120']);
  assert.deepEqual(parts('12B Main St'), ['12B', 'Main St']);
  assert.deepEqual(parts('1-123 King St W'), ['1-123', 'King St W']);
  assert.deepEqual(parts('12 1/2 Elm St'), ['12 1/2', 'Elm St']);
  assert.deepEqual(parts('123, rue Principale'), ['123', 'rue Principale']);
  assert.deepEqual(parts('Pier 39'), ['', 'Pier 39']);
  assert.deepEqual(parts('120'), ['', '120']);
  assert.deepEqual(parts(''), ['', '']);
});
