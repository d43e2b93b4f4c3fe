import './compare-moments.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const [noon, later] = ['2026-06-10T12:00:00Z', '2026-06-10T12:00:01Z'].map((text) => Temporal.Instant.from(text));
const sameNoon = Temporal.Instant.from('2026-06-10T12:00:00Z');
const SHAPES: Record<string, (moment: unknown) => unknown> = {
  'a moment': (moment) => moment,
  'an object': (moment) => ({ at: moment, by: 'store' }),
  'a list': (moment) => [1, [moment]],
  'a map': (moment) => new Map([['at', { moment }]]),
  'a set': (moment) => new Set([moment]),
  'an object without a prototype': (moment) => Object.assign(Object.create(null), { moment }),
};

for (const [name, shapeOf] of Object.entries(SHAPES)) {
  test(`two moments within ${name} are deeply equal only where they are the same`, () => {
    assert.deepEqual(shapeOf(noon), shapeOf(sameNoon));
    assert.throws(() => assert.deepEqual(shapeOf(noon), shapeOf(later)), /2026-06-10T12:00:01Z/);
    assert.notDeepEqual(shapeOf(noon), shapeOf(later));
  });
}

test('values without a moment, a circle among them, are compared as ever', () => {
  const circle: { own?: object; list: unknown[] } = { list: [1, Number.NaN, undefined] };
  circle.own = circle;
  assert.deepEqual(circle, circle);
  assert.throws(() => assert.deepEqual({ a: 1 }, { a: 2 }));
  assert.throws(() => assert.deepEqual({ a: undefined }, {}));
});
