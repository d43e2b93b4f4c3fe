import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlaceMatch, PlaceTerms } from './place-terms.index.ts';

test('an aborted search doesn’t change the next search’s results', () => {
  const terms = new PlaceTerms();
  for (const [ordinal, name] of [['blue', 'fern'], ['blue', 'fork'], ['fern']].entries()) {
    terms.add(ordinal, { name: new Set(name), other: new Set(), nameLength: name.length });
  }
  const find = (...words: string[]) => {
    const found: PlaceMatch[] = [];
    terms.visit(words, (match) => found.push({ ...match }));
    return found;
  };
  const before = find('blue', 'fern');
  assert.equal(before.length, 3);
  const fail = () => {
    throw new Error('no');
  };
  assert.throws(() => terms.visit(['blue'], fail), /no/);
  assert.deepEqual(find('blue', 'fern'), before);
});
