import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gtin14Of } from './gtin.ts';

/** The check digit as a plain sum with the weights written out for fourteen digits. */
function withCheckDigit(body: string): string {
  const padded = body.padStart(13, '0');
  const weights = [3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(padded[at]), 0);
  return body + String((1000 - sum) % 10);
}

/**
 * A UPC-A with its zeros suppressed as a printer does, trying the rules from the other end; undefined if none applies.
 */
function shortened(upcA: string): string | undefined {
  const [system = '', maker, item, check = ''] = [upcA[0], upcA.slice(1, 6), upcA.slice(6, 11), upcA[11]];
  if (system > '1' || maker === undefined || item === undefined) return undefined;
  if (/^..[012]00$/.test(maker) && /^00...$/.test(item))
    return system + maker.slice(0, 2) + item.slice(2) + maker[2] + check;
  if (/^...00$/.test(maker) && /^000..$/.test(item)) return `${system}${maker.slice(0, 3)}${item.slice(3)}3${check}`;
  if (/^....0$/.test(maker) && /^0000.$/.test(item)) return `${system}${maker.slice(0, 4)}${item.slice(4)}4${check}`;
  if (/^0000[5-9]$/.test(item)) return system + maker + item.slice(4) + check;
  return undefined;
}

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));

test('codes of 12, 13 and 14 digits are one number when they differ only in leading zeros', () => {
  assert.equal(gtin14Of('036000291452'), 36000291452);
  assert.equal(gtin14Of('0036000291452'), 36000291452);
  assert.equal(gtin14Of('00036000291452'), 36000291452);
  assert.equal(gtin14Of('4006381333931'), 4006381333931);
});

test('a case of a product is another product', () => {
  assert.equal(gtin14Of(withCheckDigit('1003600029145')), Number(withCheckDigit('1003600029145')));
  assert.notEqual(gtin14Of(withCheckDigit('1003600029145')), gtin14Of('036000291452'));
});

test('printed spaces and hyphens do not matter', () => {
  assert.equal(gtin14Of('0 36000 29145 2'), 36000291452);
  assert.equal(gtin14Of('978-0-306-40615-7'), 9780306406157);
});

test('any code whose check digit is right is itself, and with any other check digit none', () => {
  fc.assert(
    fc.property(fc.constantFrom(11, 12, 13).chain(digits), fc.integer({ min: 1, max: 9 }), (body, off) => {
      fc.pre(Number(body) > 0);
      const code = withCheckDigit(body);
      assert.equal(gtin14Of(code), Number(code));
      const wrong = body + String((Number(code.at(-1)) + off) % 10);
      assert.equal(gtin14Of(wrong), undefined);
    }),
  );
});

test('a UPC-E is the UPC-A that it is short for', () => {
  // GS1 General Specifications, zero suppression: one example of each pattern.
  assert.equal(gtin14Of('04252614'), 42100005264);
  fc.assert(
    fc.property(
      fc.constantFrom('0', '1'),
      fc.tuple(digits(5), digits(5)),
      fc.constantFrom('XX000', 'XX100', 'XX200', 'XXX00', 'XXXX0', 'XXXXX'),
      fc.constantFrom('00XXX', '000XX', '0000X'),
      (system, [a, b], maker, item) => {
        const fill = (pattern: string, from: string) => pattern.replace(/X/g, (_, at: number) => from[at] as string);
        const upcA = withCheckDigit(system + fill(maker, a) + fill(item, b));
        const short = shortened(upcA);
        fc.pre(short !== undefined && Number(upcA) > 0);
        // A short code that begins with 1 and is also a valid EAN-8 is read as EAN-8.
        const isEan8 = withCheckDigit((short as string).slice(0, 7)) === short;
        fc.pre(system === '0' || !isEan8);
        assert.equal(gtin14Of(short as string), Number(upcA));
      },
    ),
  );
});

test('eight digits that are no UPC-E are an EAN-8', () => {
  assert.equal(gtin14Of('96385074'), 96385074);
  assert.equal(gtin14Of(withCheckDigit('1234567')), Number(withCheckDigit('1234567')));
});

test('anything else is no code, and nothing makes it throw', () => {
  for (const code of [
    '',
    '0',
    '00000000',
    '000000000000',
    '1234567',
    '123456789',
    '03600029145',
    '03600029145٢',
    '+36000291452',
    '1e11',
  ]) {
    assert.equal(gtin14Of(code), undefined, code);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const gtin = gtin14Of(text);
      assert.ok(gtin === undefined || (gtin > 0 && gtin < 1e14));
    }),
  );
});
