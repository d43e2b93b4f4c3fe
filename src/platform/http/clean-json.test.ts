import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanJson, shapeFault } from './clean-json.ts';

test('null members are left out, everything else stays as it is', () => {
  const { value, faults, isWhole } = cleanJson({ a: null, b: [1, 'x', { c: false, d: null }], e: {} });
  assert.deepEqual([value, faults, isWhole], [{ b: [1, 'x', { c: false }], e: {} }, [], true]);
});

test('a body of more values than any request has is refused with one fault, without looking at all of them', () => {
  for (const data of [
    { items: Array.from({ length: 349_000 }, () => ({})) },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 1])),
    Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 0)),
  ]) {
    const { faults, isWhole } = cleanJson(data);
    assert.deepEqual([faults.length, isWhole], [1, false]);
    assert.match(faults[0]?.message ?? '', /50000 values/);
  }
});

test('validation stops after fifty faults', () => {
  const { faults, isWhole } = cleanJson(Array.from({ length: 1000 }, () => 'a\u0000'));
  assert.deepEqual([faults.length, isWhole], [50, false]);
});

test('values nested too deeply are named and not followed', () => {
  const deep = JSON.parse('['.repeat(3000) + ']'.repeat(3000));
  const { faults, isWhole } = cleanJson({ a: deep });
  assert.deepEqual([faults.length, isWhole], [1, true]);
  assert.match(faults[0]?.message ?? '', /64 levels/);
});

test('JSON that is too deep or too large is rejected by its structure, independent of its strings', () => {
  const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  assert.equal(shapeFault(deep(64)), undefined);
  assert.match(shapeFault(deep(65)) ?? '', /nested deeper than 64/);
  assert.match(shapeFault(deep(50_000)) ?? '', /nested deeper than 64/);
  assert.equal(shapeFault({ text: '\u0000', list: Array.from({ length: 49_990 }, () => 0) }), undefined);
  assert.match(shapeFault(Array.from({ length: 50_001 }, () => ({}))) ?? '', /more than 50000 values/);
});
