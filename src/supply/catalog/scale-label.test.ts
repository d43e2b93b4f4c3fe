import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { isLabelPattern, readLabel } from './scale-label.ts';

/** The digit that GS1 appends: what the digits, every other one from the right times three, lack to a multiple of ten. */
function withCheck(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(1000 - sum) % 10}`;
}

const padded = (value: number, digits: number) => String(value).padStart(digits, '0');
const items = fc.integer({ min: 0, max: 99_999 });
const anyDigit = fc.integer({ min: 0, max: 9 });

test('a label says its item and its weight or price; a wrong digit anywhere is a fault', () => {
  fc.assert(
    fc.property(
      items,
      fc.nat(9999),
      fc.nat(99_999),
      anyDigit,
      fc.nat(12),
      fc.integer({ min: 1, max: 9 }),
      (item, cents, milli, version, place, shift) => {
        const priced = withCheck(`2${padded(item, 5)}${version}${padded(cents, 4)}`);
        const weighed = withCheck(`21${padded(item, 5)}${padded(milli, 5)}`);
        assert.deepEqual(readLabel(null, priced), { item: String(item), cents });
        assert.deepEqual(readLabel(null, `0${priced}`), { item: String(item), cents });
        assert.deepEqual(readLabel(null, weighed), { item: String(item), milli });
        for (const label of [priced, weighed]) {
          const at = place % label.length;
          const mistyped = `${label.slice(0, at)}${(Number(label[at]) + shift) % 10}${label.slice(at + 1)}`;
          assert.ok('fault' in readLabel(null, mistyped), mistyped);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});

test("a store's own patterns are in place of the usual ones", () => {
  const patterns = ['02IIIIPPPPPVC', '28WWWWIIIIIIC'];
  assert.deepEqual(readLabel(patterns, withCheck('020042012349')), { item: '42', cents: 1234 });
  assert.deepEqual(readLabel(patterns, withCheck('281500000789')), { item: '789', milli: 1500 });
  assert.ok('fault' in readLabel(patterns, '2112345015002'));
});

test('the worked examples', () => {
  assert.deepEqual(readLabel(null, '2112345015002'), { item: '12345', milli: 1500 });
  assert.deepEqual(readLabel(null, '212345704998'), { item: '12345', cents: 499 });
  assert.deepEqual(readLabel(null, '2112345015003'), { fault: 'must end with its check digit' });
  for (const other of ['', '4006381333931', '21123450150O2', ' 2112345015002', '２112345015002', '2112345015002\n'])
    assert.deepEqual(readLabel(null, other), { fault: "must be a label of the store's scale" });
});

test('a pattern has an item once, a weight or a price once, and its check digit at the end', () => {
  for (const pattern of ['2IIIIIVPPPPC', '21IIIIIWWWWWC', '20IIIIIIWWWWWC', 'IWVVVVVC', '2PPPPIIIIVVC'])
    assert.ok(isLabelPattern(pattern), pattern);
  const wrong = ['', '2IIIIIVPPPP', '2IIIIIVVVVVC', '2IIVIIVPPPPC', '2IIIIPVPPPPC', '2IIIIIWWPPPC', 'C2IIIIIWWWWW'];
  for (const pattern of [
    ...wrong,
    '2IIIIIVPPPPCC',
    '2iiiiiVPPPPC',
    'IWC',
    `2IIIIIVPPPP${'V'.repeat(9)}C`,
    '2IIIIIVPPPPC\n',
  ])
    assert.ok(!isLabelPattern(pattern), pattern);
});
