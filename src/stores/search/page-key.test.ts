import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { areSamePage, hashOfPage, keyOfPage, type PageKey } from './page-key.ts';
import { ANY_STORE, type StoreQuery } from './store-query.ts';

const BASE: StoreQuery = { ...ANY_STORE, latitude: 40.73, longitude: -73.99, text: 'Corner Café', cuisine: 'thai' };

/** Another value for each member of a query: the compiler asks for a new member here. */
const OTHERS: { [Member in Exclude<keyof StoreQuery, 'sandbox'>]: StoreQuery[Member] } = {
  latitude: 40.74,
  longitude: -73.98,
  text: 'corner',
  autocomplete: true,
  storeType: 'grocery',
  pickup: false,
  open: true,
  deliversHere: true,
  maximumMiles: 5,
  cuisine: null,
  dollarSigns: 2,
  minimumRating: 4,
  viewport: { south: 40, north: 41, west: -75, east: -73 },
  sort: 'rating',
  page: 1,
};

const keyOf = (query: StoreQuery, sandbox: string | null = null) => keyOfPage(query, sandbox, wordsOf(query.text));

test('any other member of a query, or another sandbox, is another page', () => {
  const base = keyOf(BASE);
  for (const [member, value] of Object.entries(OTHERS)) {
    assert.equal(areSamePage(base, keyOf({ ...BASE, [member]: value })), false, member);
  }
  assert.equal(areSamePage(base, keyOf(BASE, 'acc_1')), false);
  const viewport = { south: 40, north: 41, west: -75, east: -73 };
  assert.ok(areSamePage(keyOf({ ...BASE, viewport }), keyOf({ ...BASE, viewport: { ...viewport } })));
  for (const bound of ['south', 'north', 'west', 'east'] as const) {
    const moved = { ...viewport, [bound]: viewport[bound] + 0.5 };
    assert.equal(areSamePage(keyOf({ ...BASE, viewport }), keyOf({ ...BASE, viewport: moved })), false, bound);
  }
});

test('pages of other conditions have other numbers, so that the pages of a popular place are told apart', () => {
  const viewport = { south: 40, north: 41, west: -75, east: -73 };
  const moved = (['south', 'north', 'west', 'east'] as const).map((bound) => ({
    viewport: { ...viewport, [bound]: viewport[bound] + 0.25 },
  }));
  const levels = [0, 1, 3, 4, 5].map((dollarSigns) => ({ dollarSigns }));
  const others = [...Object.entries(OTHERS).map(([member, value]) => ({ [member]: value })), ...moved, ...levels];
  const queries = [BASE, ...others.map((other) => ({ ...BASE, ...other }))];
  assert.equal(new Set(queries.map((query) => hashOfPage(keyOf(query)))).size, queries.length);
});

test('texts of the same words are the same page, with the same number', () => {
  const [one, other] = [keyOf(BASE), keyOf({ ...BASE, text: '  corner CAFE!' })];
  assert.ok(areSamePage(one, other));
  assert.equal(hashOfPage(one), hashOfPage(other));
});

test('a text without words has other pages than no text, because its pages are smaller', () => {
  const [none, signs, other] = ['', '?', ' '].map((text) => keyOf({ ...BASE, text })) as [PageKey, PageKey, PageKey];
  assert.equal(areSamePage(none, signs), false);
  assert.ok(areSamePage(signs, other));
});

test('a word is no cuisine', () => {
  assert.equal(
    areSamePage(keyOf({ ...BASE, text: '', cuisine: 'a' }), keyOf({ ...BASE, text: 'a', cuisine: '' })),
    false,
  );
});
