import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { positionOfWkb } from './feature-point.ts';

type Written = { longitude: number; latitude: number; isLittle: boolean; type?: number; system?: boolean };

function wkb({ longitude, latitude, isLittle, type = 1, system = false }: Written): Uint8Array {
  const view = new DataView(new ArrayBuffer(system ? 25 : 21));
  view.setUint8(0, isLittle ? 1 : 0);
  view.setUint32(1, type, isLittle);
  view.setFloat64(system ? 9 : 5, longitude, isLittle);
  view.setFloat64(system ? 17 : 13, latitude, isLittle);
  return new Uint8Array(view.buffer);
}

test('a point is read in both byte orders, plain and extended', () => {
  const number = fc.double({ noNaN: true });
  fc.assert(
    fc.property(number, number, fc.boolean(), (longitude, latitude, isLittle) => {
      const point = { longitude, latitude, isLittle };
      assert.deepEqual(positionOfWkb(wkb(point)), [longitude, latitude]);
      assert.deepEqual(positionOfWkb(wkb({ ...point, type: 0x2000_0001, system: true })), [longitude, latitude]);
      for (const type of [1001, 2001, 3001, 0x8000_0001]) assert.ok(positionOfWkb(wkb({ ...point, type })));
    }),
  );
});

test('any other geometry, and any other bytes, are no point', () => {
  const point = { longitude: 1, latitude: 2, isLittle: true };
  for (const type of [0, 2, 3, 6, 1002, 4001]) assert.equal(positionOfWkb(wkb({ ...point, type })), null);
  for (let length = 0; length < 21; length += 1) assert.equal(positionOfWkb(wkb(point).subarray(0, length)), null);
  assert.equal(positionOfWkb(wkb({ ...point, type: 0x2000_0001 })), null);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void positionOfWkb(bytes)));
});
