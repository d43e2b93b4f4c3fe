import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { cardBrand, cvcLengthOf, hasBrandLength, passesLuhn, readCard } from './card.ts';
import type { CardBrand } from './payment-gateway.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');
const GOOD = { card_number: '4242424242424242', expiration_month: 12, expiration_year: 2031, cvc: '123' };

const TEST_CARDS: [string, CardBrand][] = [
  ['4242424242424242', 'visa'],
  ['4000056655665556', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['2223003122003222', 'mastercard'],
  ['5200828282828210', 'mastercard'],
  ['378282246310005', 'amex'],
  ['371449635398431', 'amex'],
  ['6011111111111117', 'discover'],
  ['6011000990139424', 'discover'],
  ['3056930009020004', 'diners'],
  ['36227206271667', 'diners'],
  ['30569309025904', 'diners'],
  ['3566002020360505', 'jcb'],
  ['6200000000000005', 'unionpay'],
  ['6205500000000000004', 'unionpay'],
];

/** The errors of an otherwise valid card after a change, as `field message`. */
function faultsAfter(change: Record<string, unknown>, now = NOW): string[] {
  const read = readCard({ ...GOOD, ...change }, now);
  return 'faults' in read
    ? read.faults.map(({ name, message }) => `${name.replace('payment_method.', '')} ${message}`)
    : [];
}

test('the usual test cards are good, and of their brand', () => {
  for (const [number, brand] of TEST_CARDS) {
    const cvc = brand === 'amex' ? '1234' : '123';
    const read = readCard({ ...GOOD, card_number: number, cvc }, NOW);
    assert.deepEqual(read, {
      card: { number, cvc, expirationMonth: 12, expirationYear: 2031 },
      brand,
      last4: number.slice(-4),
    });
  }
});

const TABLE = join(import.meta.dirname, '../../../../shared/data/raw/stripe_test_cards.csv');
test('every number of the processor’s table of test cards is accepted, except its mistyped one', {
  skip: existsSync(TABLE) ? false : '../shared/data/raw/stripe_test_cards.csv is not here',
}, () => {
  const rows = readFileSync(TABLE, 'utf8').trim().split('\n').slice(1);
  for (const [number = '', brand, expected = ''] of rows.map((row) => row.split(','))) {
    const cvc = brand === 'American Express' ? '1234' : '123';
    assert.equal(faultsAfter({ card_number: number, cvc }).length, /Luhn/.test(expected) ? 1 : 0, expected);
  }
});

test('a number is an integer or digits, grouped or not; a leading zero of the cvc survives as text', () => {
  for (const card_number of [4242424242424242, ' 4242 4242 4242 4242 ', '4242-4242-4242-4242']) {
    const read = readCard({ ...GOOD, card_number, cvc: '012', expiration_month: '06', expiration_year: '2026' }, NOW);
    assert.ok('card' in read);
    assert.deepEqual(read.card, { number: GOOD.card_number, cvc: '012', expirationMonth: 6, expirationYear: 2026 });
  }
});

test('a malformed card number is distinguished from a wrong one', () => {
  const digits = 'card_number must be a whole number or a string of digits';
  for (const value of [
    4242424242424242.5,
    1e21,
    -4242424242424242,
    '4242 4242 4242 424x',
    '4242--4242',
    {},
    [],
    true,
  ]) {
    assert.deepEqual(faultsAfter({ card_number: value }), [digits], String(value));
  }
  for (const value of [undefined, null, ''])
    assert.deepEqual(faultsAfter({ card_number: value }), ['card_number is required']);
  assert.deepEqual(faultsAfter({ card_number: '4'.repeat(11) }), ['card_number must have 12 to 19 digits']);
  assert.deepEqual(faultsAfter({ card_number: '4'.repeat(20) }), ['card_number must have 12 to 19 digits']);
  assert.deepEqual(faultsAfter({ card_number: '0000000000000000' }), ['card_number is not of a known card brand']);
  assert.match(faultsAfter({ card_number: '424242424242424' })[0] ?? '', /digits for its brand/);
  assert.match(faultsAfter({ card_number: '4242424242424241' })[0] ?? '', /check digit/);
});

test('a cvc has the length of the brand', () => {
  const amex = '378282246310005';
  assert.deepEqual(faultsAfter({ card_number: amex, cvc: 1234 }), []);
  for (const [card_number, cvc] of [
    [amex, '123'],
    [GOOD.card_number, '1234'],
    [GOOD.card_number, '12'],
    [GOOD.card_number, 1234],
    [GOOD.card_number, -1],
    [GOOD.card_number, '12a'],
    [GOOD.card_number, 1.5],
    [GOOD.card_number, undefined],
  ]) {
    assert.match(faultsAfter({ card_number, cvc }).join(), /^cvc /, String(cvc));
  }
});

test('a cvc that is a number gets the leading zeros of its brand; a string is taken as it is', () => {
  const cvcOf = (card_number: string, cvc: unknown) => {
    const read = readCard({ ...GOOD, card_number, cvc }, NOW);
    return 'card' in read ? read.card.cvc : read.faults.map(({ message }) => message).join();
  };
  assert.deepEqual(
    [12, 0, 123].map((cvc) => cvcOf(GOOD.card_number, cvc)),
    ['012', '000', '123'],
  );
  assert.deepEqual(
    [12, 1234].map((cvc) => cvcOf('378282246310005', cvc)),
    ['0012', '1234'],
  );
  assert.equal(cvcOf(GOOD.card_number, '12'), 'must have 3 digits');
});

test('a card is good until its month has ended everywhere on earth', () => {
  const june = { expiration_month: 6, expiration_year: 2026 };
  assert.deepEqual(faultsAfter(june, Temporal.Instant.from('2026-07-01T11:59:59Z')), []);
  assert.match(faultsAfter(june, Temporal.Instant.from('2026-07-01T12:00:00Z')).join(), /^expiration_month is over/);
  assert.match(faultsAfter({ ...june, expiration_year: 2025 }).join(), /^expiration_year is over/);
});

test('months are 1 to 12 and years have four digits', () => {
  for (const month of [0, 13, '00', '1.5', -1, 1.5, 'June', '006']) {
    assert.deepEqual(faultsAfter({ expiration_month: month }), ['expiration_month must be a month from 1 to 12']);
  }
  for (const year of [31, '31', 20310, '0031', 'x', 2031.5]) {
    assert.deepEqual(faultsAfter({ expiration_year: year }), ['expiration_year must be a year of four digits']);
  }
});

test('all faults of a card are reported at once', () => {
  const bad = { card_number: 1, expiration_month: 13, expiration_year: 1, cvc: 12345 };
  assert.deepEqual(
    faultsAfter(bad).map((fault) => fault.split(' ')[0]),
    ['card_number', 'cvc', 'expiration_month', 'expiration_year'],
  );
  for (const fields of [undefined, null, 'x', 4242424242424242, []]) assert.ok('faults' in readCard(fields, NOW));
});

/** The check digit by a different algorithm than the source's: from the left, with a table. */
function checkDigitOf(body: string): number {
  const crossSums = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = [...body].reduce((total, digit, at) => {
    const doubles = (body.length - at) % 2 === 1;
    return total + (doubles ? (crossSums[Number(digit)] ?? 0) : Number(digit));
  }, 0);
  return (10 - (sum % 10)) % 10;
}
const digitsOfLength = (minLength: number, maxLength: number) =>
  fc.stringMatching(/^\d+$/, { size: 'medium' }).filter((text) => text.length >= minLength && text.length <= maxLength);
const bodies = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 }).map((list) => list.join(''));

test('of the ten last digits exactly one passes Luhn', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const passing = [...'0123456789'].filter((digit) => passesLuhn(body + digit));
      assert.deepEqual(passing, [String(checkDigitOf(body))]);
    }),
  );
});

test('Luhn finds every mistyped digit', () => {
  fc.assert(
    fc.property(bodies, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, at, by) => {
      const number = `${body}${checkDigitOf(body)}`;
      const place = at % number.length;
      const digit = (Number(number[place]) + by) % 10;
      assert.ok(!passesLuhn(number.slice(0, place) + digit + number.slice(place + 1)));
    }),
  );
});

test('Luhn finds neighbors that changed places, but for 0 and 9', () => {
  fc.assert(
    fc.property(bodies, fc.nat(), (body, at) => {
      const number = `${body}${checkDigitOf(body)}`;
      const place = at % (number.length - 1);
      const [left = '', right = ''] = [number[place], number[place + 1]];
      fc.pre(left !== right && new Set(['09', '90']).has(left + right) === false);
      assert.ok(!passesLuhn(number.slice(0, place) + right + left + number.slice(place + 2)));
    }),
  );
});

test('whatever is sent, a number is either read digit for digit or refused without a word of it', () => {
  const anyNumber = fc.oneof(
    bodies.map((body) => `${body}${checkDigitOf(body)}`),
    bodies,
    digitsOfLength(1, 25),
    fc.string(),
  );
  fc.assert(
    fc.property(anyNumber, fc.oneof(digitsOfLength(3, 4), fc.string(), fc.double()), (card_number, cvc) => {
      const read = readCard({ ...GOOD, card_number, cvc }, NOW);
      if ('faults' in read) {
        assert.ok(read.faults.length > 0);
        if (/\d{5}/.test(card_number)) assert.ok(!JSON.stringify(read.faults).includes(card_number));
        return;
      }
      assert.equal(read.card.number, card_number.replace(/[ -]/g, '').trim());
      assert.ok(passesLuhn(read.card.number) && hasBrandLength(read.brand, read.card.number));
      assert.equal(read.brand, cardBrand(read.card.number));
      assert.equal(read.card.cvc.length, cvcLengthOf(read.brand));
    }),
    { numRuns: runs(1000) },
  );
});
