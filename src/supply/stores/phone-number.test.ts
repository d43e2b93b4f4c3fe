import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { runs } from '../../../test/runs.ts';
import { phoneNumberOf } from './phone-number.ts';
import type { Country } from './store.ts';

/** libphonenumber's own parse of a text. */
function readByLibrary(text: string, country: Country): number | null {
  const parsed = parsePhoneNumberFromString(text, country);
  return parsed?.isValid() ? Number(parsed.number.slice(1)) : null;
}

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const sign = fc.constantFrom('', ' ', '-', '.', '  ', '/');
const text = fc
  .record({
    code: fc.constantFrom('', '', '1', '+1', '1-', '+1 ', '+44 ', '011'),
    area: fc.oneof(digits(3), fc.constantFrom('212', '416', '787', '242', '800', '900', '310', '345')),
    isBracketed: fc.boolean(),
    rest: fc.tuple(sign, digits(3), sign, digits(4)),
    ending: fc.constantFrom('', '', '', ' x12', '9', ' '),
  })
  .map(
    ({ code, area, isBracketed, rest, ending }) =>
      `${code}${isBracketed ? `(${area})` : area}${rest.join('')}${ending}`,
  );

test('a phone number is valid exactly where the library finds it valid, in every form and area', () => {
  fc.assert(
    fc.property(text, fc.constantFrom<Country>('US', 'CA'), (phone, country) => {
      assert.equal(phoneNumberOf(phone, country), readByLibrary(phone, country));
    }),
    { numRuns: runs(2000) },
  );
  for (let area = 100; area < 1000; area += 1)
    assert.equal(phoneNumberOf(`${area}4567890`, 'US'), readByLibrary(`${area}4567890`, 'US'), String(area));
});
