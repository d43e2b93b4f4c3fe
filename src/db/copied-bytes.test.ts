import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRowBytes } from './copied-bytes.ts';
import { createRowCutter } from './copied-rows.ts';

test('rows that are written are the rows that are cut from their bytes, whatever room was made at first', () => {
  const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }));
  const row = fc.record({ text, json: fc.option(fc.json()), flag: fc.boolean() }, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.nat(400), (rows, firstBytes) => {
      const bytes = createRowBytes(3, firstBytes);
      for (const one of rows) {
        bytes.row();
        bytes.text(one.text);
        bytes.json(one.json);
        bytes.flag(one.flag);
      }
      const cut = createRowCutter(3)(bytes.finish());
      const read = Array.from(cut, (each) => ({ text: each.text(0), json: each.json(1), flag: each.flag(2) }));
      assert.deepEqual(read, rows);
    }),
  );
});
