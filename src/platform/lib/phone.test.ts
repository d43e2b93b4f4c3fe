import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { dialUrl, e164Of, phoneInWords, readE164, readPhone } from './phone.ts';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
/** Ten digits of a US or Canadian number. */
const national = fc
  .tuple(
    fc.constantFrom('212', '313', '416', '587', '602', '787', '800', '988', '555', '906'),
    fc.integer({ min: 2, max: 9 }),
    digits(6),
  )
  .map((parts) => parts.join(''))
  .filter((text) => text[1] !== '9');
const FORMAT = ['', '\u200b', '\u200e', '\u202a', '\u202c', '\u2060', '\ufeff', '\u00ad'];
const separator = fc.constantFrom(
  '',
  ' ',
  '-',
  '.',
  '/',
  '\u00a0',
  '\u202f',
  '\u2009',
  '\u2011',
  '\u2010',
  '\u2013',
  '\u2014',
  '\u2212',
  '\ufe63',
  '\uff0d',
  '·',
  ' - ',
  '\t',
);
const invisible = fc.constantFrom(...FORMAT);
const code = fc.constantFrom(
  '',
  '1',
  '+1',
  '1-',
  '+1 ',
  '+1-',
  '(+1) ',
  '＋1 ',
  'tel:+1-',
  'Tel: ',
  'Tél. : ',
  'Phone: +1 ',
);
const extended = fc.constantFrom(
  ['', ''],
  [' x12', '12'],
  ['x12', '12'],
  [', ext. 12', '12'],
  [' ext 12', '12'],
  [' Extension: 12', '12'],
  [' (ext. 12)', '12'],
  [' #12', '12'],
  [' poste 12', '12'],
  [';ext=12', '12'],
  [',12', '12'],
  [' X\u00a012', '12'],
);
const written = fc
  .record({
    national,
    code,
    isBracketed: fc.boolean(),
    one: separator,
    two: separator,
    hidden: fc.array(invisible, { minLength: 4, maxLength: 4 }),
    extended,
  })
  .map(({ national: text, code: before, isBracketed, one, two, hidden, extended: [ending, extension] }) => {
    const area = text.slice(0, 3);
    const [a, b, c, d] = hidden;
    return {
      number: Number(`1${text}`),
      extension,
      text: `${a}${before}${isBracketed ? `(${area})` : area}${b}${one}${text.slice(3, 6)}${two}${c}${text.slice(6)}${ending}${d}`,
    };
  });

test('a US or Canadian number is read in every notation, its extension apart', () => {
  fc.assert(
    fc.property(written, ({ text, number, extension }) => {
      assert.deepEqual(readPhone(text), { number, extension }, JSON.stringify(text));
    }),
    { numRuns: runs(2000) },
  );
});

test('any other number begins with +, or is an integer with its country code', () => {
  const foreign = fc
    .tuple(fc.constantFrom('44', '52', '33', '65', '972', '20'), fc.integer({ min: 6, max: 12 }).chain(digits))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(foreign, separator, invisible, (text, sign, hidden) => {
      assert.deepEqual(readPhone(`${hidden}+${text.slice(0, 4)}${sign}${text.slice(4)}`), {
        number: Number(text),
        extension: '',
      });
      if (text.length !== 10) assert.equal(readPhone(text), undefined);
      assert.deepEqual(readPhone(Number(text))?.number, text.length === 10 ? readPhone(text)?.number : Number(text));
    }),
    { numRuns: runs(500) },
  );
  assert.deepEqual(readPhone('+44 (0)20 7183 8750'), { number: 442071838750, extension: '' });
});

test('a formatted number parses to itself, as shown and as dialed', () => {
  const e164 = fc.oneof(
    national.map((text) => Number(`1${text}`)),
    fc.integer({ min: 20_000_000, max: 99_999_999_999_999 }).filter((number) => !/^1/.test(String(number))),
  );
  fc.assert(
    fc.property(
      e164,
      fc.oneof(fc.constant(''), fc.integer({ min: 1, max: 99_999_999 }).map(String)),
      (number, extension) => {
        const phone = { number, extension };
        assert.deepEqual(readPhone(phoneInWords(number, extension)), phone);
        assert.equal(readPhone(dialUrl(number))?.number, number);
        assert.equal(dialUrl(e164Of(number)), dialUrl(number));
        assert.match(dialUrl(number), /^tel:\+\d{8,15}$/);
      },
    ),
    { numRuns: runs(500) },
  );
});

test('numbers are shown in the usual notation, and dialed with the country code', () => {
  assert.deepEqual(
    [12125550199, 442071838750].map((phone) => phoneInWords(phone)),
    ['(212) 555-0199', '+442071838750'],
  );
  assert.equal(phoneInWords('+12125550199', '12'), '(212) 555-0199 ext. 12');
  const { number = 0 } = readPhone('(313) 555-0142') ?? {};
  assert.deepEqual([dialUrl(number), phoneInWords(number)], ['tel:+13135550142', '(313) 555-0142']);
});

test('seven digits, placeholders and other texts are no phone number', () => {
  for (const text of [
    ...['', '+', '555-0142', '5550123x', '03125550123', '0000000000', '9999999999', '1234567890', '2115550142'],
    ...['+1 312 555 012', '+1 312 555 01234', '011 44 20 7183 8750', '442071838750', '+0123456789', '+1234567'],
    ...['312-555-0142 or 0143', 'call us', '312-555-0142 x', '312-555-0142 x123456789', '+1+3125550142'],
    ...[
      `3125550142${' '.repeat(200)}`,
      999_999,
      1e15,
      1.5,
      Number.NaN,
      -13125550123,
      5550142,
      13125550,
      null,
      {},
      true,
    ],
  ]) {
    assert.equal(readPhone(text), undefined, String(text));
  }
});

test('an extension cannot be texted', () => {
  assert.deepEqual(['(313) 555-0142', '313-555-0142 x12', '555-0142'].map(readE164), [
    '+13135550142',
    undefined,
    undefined,
  ]);
});
