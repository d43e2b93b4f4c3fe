import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { csvRecord } from './csv.ts';

/** Cells of a record, as RFC 4180 reads it. */
function cellsOf(record: string): string[] {
  assert.ok(record.endsWith('\r\n'));
  const cells = [''];
  let isQuoted = false;
  for (const [at, letter] of [...record.slice(0, -2)].entries()) {
    const isEnd = letter === ',' && !isQuoted;
    if (letter === '"') isQuoted = !isQuoted;
    if (isEnd) cells.push('');
    // A quote right after a closing one is a quote of the text.
    else if (letter !== '"' || (isQuoted && record[at - 1] === '"')) cells[cells.length - 1] += letter;
  }
  return cells;
}

const SIGNS = '=+-@＝＋－＠';
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\r', '\n', '=', '-', ' ', '＠', 'é') }),
);

/** The text with an apostrophe before each formula, letter by letter. */
function neutralized(text: string): string {
  let read = '';
  for (let at = 0; at < text.length; at += 1) {
    const rest = text.slice(at + 1).replace(/^[\s"]+/, '');
    read += text[at];
    if (';\t\r\n'.includes(text[at] ?? '') && rest !== '' && SIGNS.includes(rest[0] ?? '')) read += "'";
  }
  const isFormula = '\t\r'.includes(text[0] ?? ' ') || SIGNS.includes(read.replace(/^[\s"]+/, '')[0] ?? ' ');
  return isFormula ? `'${read}` : read;
}

test('a record keeps each text unchanged, unless a spreadsheet would run it', () => {
  const property = fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
    assert.deepEqual(cellsOf(csvRecord(texts)), texts.map(neutralized));
  });
  fc.assert(property, { numRuns: runs(3000) });
});

test('no cell is a formula, whether a spreadsheet separates cells by commas, semicolons or tabs', () => {
  const property = fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
    const record = csvRecord(texts);
    for (const separator of [/[;\r\n]/, /[\t\r\n]/]) {
      for (const cell of record.split(separator))
        assert.ok(!SIGNS.includes(cell.replace(/^[\s"]+/, '')[0] ?? ' '), record);
    }
    for (const cell of cellsOf(record)) assert.ok(!SIGNS.includes(cell.trimStart()[0] ?? ' '), record);
  });
  fc.assert(property, { numRuns: runs(3000) });
});

test('a negative number stays a number, and cents are dollars with two decimals', () => {
  assert.equal(csvRecord([-5, null, '-5']), "-5,,'-5\r\n");
  const cents = [0, 5, 50, 1234, -5, -1234];
  assert.equal(csvRecord(cents.map((one) => ({ cents: one }))), '0.00,0.05,0.50,12.34,-0.05,-12.34\r\n');
});
