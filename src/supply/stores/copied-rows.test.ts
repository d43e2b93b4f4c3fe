import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRowCutter } from './copied-rows.ts';

type Row = { text: string | null; json: string | null; flag: boolean };

function field(bytes: Buffer | null): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(bytes === null ? -1 : bytes.length);
  return Buffer.concat([size, bytes ?? Buffer.alloc(0)]);
}

function copyOf(rows: readonly Row[], extension = Buffer.alloc(0)): Buffer {
  const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(4), field(extension)]);
  const encoded = rows.map(({ text, json, flag }) => {
    const jsonb = json === null ? null : Buffer.from(`\u0001${json}`);
    const values = [text === null ? null : Buffer.from(text), jsonb, Buffer.from([flag ? 1 : 0])];
    return Buffer.concat([Buffer.from([0, 3]), ...values.map(field)]);
  });
  return Buffer.concat([header, ...encoded, Buffer.from([0xff, 0xff])]);
}

function readAll(bytes: Buffer, ends: readonly number[]): Row[] {
  const cut = createRowCutter(3);
  const cuts = [0, ...ends.map((end) => end % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).flatMap((end, nth) => {
    const rows = cut(bytes.subarray(cuts[nth], end));
    return Array.from(rows, (row) => ({ text: row.text(0), json: row.json(1), flag: row.flag(2) }));
  });
}

test('the rows of a copy are the same wherever its bytes are cut', () => {
  const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 20 }));
  const row = fc.record({ text, json: fc.option(fc.json()), flag: fc.boolean() }, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.array(fc.nat(2000), { maxLength: 12 }), (rows, ends) => {
      assert.deepEqual(readAll(copyOf(rows), ends), rows);
    }),
  );
  const bytes = copyOf([{ text: 'after an extension', json: null, flag: true }], Buffer.from('later'));
  const everywhere = Array.from({ length: bytes.length }, (_, end) => end);
  assert.deepEqual(readAll(bytes, everywhere), [{ text: 'after an extension', json: null, flag: true }]);
});

test('bytes that are no copy of these columns are refused', () => {
  const cutAll = (columns: number, bytes: Buffer) => [...createRowCutter(columns)(bytes)];
  assert.throws(() => cutAll(3, Buffer.alloc(40, 'text, not binary ')), RangeError);
  assert.throws(() => cutAll(2, copyOf([{ text: '', json: null, flag: false }])), RangeError);
});
