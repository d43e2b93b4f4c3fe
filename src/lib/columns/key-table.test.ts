import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { createKeyTable } from './key-table.ts';

test('a table of keys knows what a map knows, whatever was added and deleted before', () => {
  const step = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 3000 }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 4000, size: 'max' }), (steps) => {
      const keys: string[] = [];
      const table = createKeyTable((number) => keys[number] as string);
      const map = new Map<string, number>();
      for (const [adds, n] of steps) {
        const key = `store ${n}`;
        if (adds && !map.has(key)) {
          keys.push(key);
          table.getOrAdd(key, keys.length - 1);
          map.set(key, keys.length - 1);
        } else if (!adds) assert.equal(table.delete(key), map.delete(key));
      }
      assert.equal(table.size, map.size);
      for (let n = 0; n <= 3000; n += 1) assert.equal(table.get(`store ${n}`), map.get(`store ${n}`));
    }),
    { numRuns: runs(20), interruptAfterTimeLimit: 8000 },
  );
});

test('texts of one hash stay apart', () => {
  const keys = Array.from({ length: 70_000 }, (_, n) => n.toString(36));
  const table = createKeyTable((number) => keys[number] as string);
  for (const [number, key] of keys.entries()) table.getOrAdd(key, number);
  for (const [number, key] of keys.entries()) assert.equal(table.get(key), number);
  for (const [number, key] of keys.entries()) if (number % 3 > 0) table.delete(key);
  for (const [number, key] of keys.entries()) assert.equal(table.get(key), number % 3 > 0 ? undefined : number);
});
