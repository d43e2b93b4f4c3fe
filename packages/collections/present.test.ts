import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from './present.ts';

test('undefined fields are left out; null, "", 0 and false stay, in order', () => {
  const members = present({ a: undefined, b: null, c: '', d: undefined, e: 0, f: false, g: [undefined] });
  assert.equal(JSON.stringify(members), '{"b":null,"c":"","e":0,"f":false,"g":[null]}');
  assert.deepEqual(Object.keys(present({ a: undefined })), []);
});

test('the type has optional members where a value may be undefined, and keeps the words of a union', () => {
  const maybe = (): number | undefined => 1;
  const kept: { kind: 'a' | 'b'; count?: number; list?: string[] } = present({
    kind: 'a',
    count: maybe(),
    list: maybe() ? ['x'] : undefined,
  });
  assert.deepEqual(kept, { kind: 'a', count: 1, list: ['x'] });
});
