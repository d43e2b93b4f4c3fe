import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { isLabelPattern, readLabel } from './scale-label.ts';

/** The digit GS1 appends: it completes the digits' sum, every other one from the right times three, to a multiple of ten. */
function withCheck(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(1000 - sum) % 10}`;
}

const padded = (value: number, digits: number) => String(value).padStart(digits, '0');
const items = fc.integer({ min: 0, max: 99_999 });

/** GS1's weighted products, by its arithmetic: units and tens of a multiple are added or subtracted. */
function weighted(weight: string, digit: string): number {
  const product = Number(weight[0]) * Number(digit);
  const [tens, units] = [Math.floor(product / 10), product % 10];
  const sum = weight[1] === '+' ? units + tens : weight[1] === '-' ? units - tens : units;
  return (sum + 10) % 10;
}

/** GS1's check digit of a price of four or five digits. */
function checkOfPrice(price: string): number {
  const weights = price.length === 4 ? ['2-', '2-', '3', '5-'] : ['5+', '2-', '5-', '5+', '2-'];
  const sum = [...price].reduce((total, digit, at) => total + weighted(weights[at] ?? '', digit), 0);
  if (price.length === 4) return (sum * 3) % 10;
  return [...'0123456789'].findIndex((digit) => (sum + weighted('5-', digit)) % 10 === 0);
}

test('a label says its item and its weight or price; a wrong digit anywhere is a fault', () => {
  fc.assert(
    fc.property(
      items,
      fc.nat(9999),
      fc.nat(99_999),
      fc.nat(12),
      fc.integer({ min: 1, max: 9 }),
      (item, cents, milli, place, shift) => {
        const price = padded(cents, 4);
        const priced = withCheck(`2${padded(item, 5)}${checkOfPrice(price)}${price}`);
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

test('a price has the check digit of GS1, and a label with another is refused, also one of a five-digit price', () => {
  assert.deepEqual([checkOfPrice('2875'), checkOfPrice('14685')], [9, 6], "GS1's own examples");
  const cases = fc.constantFrom(['2IIIIIVPPPPC', 4] as const, ['2IIIIVPPPPPC', 5] as const);
  const property = fc.property(cases, items, fc.nat(99_999), fc.nat(9), ([pattern, digits], item, cents, digit) => {
    const price = padded(cents % 10 ** digits, digits);
    const label = withCheck(`2${padded(item, 5).slice(digits - 4)}${digit}${price}`);
    const read = readLabel([pattern], label);
    if (digit === checkOfPrice(price)) assert.equal('cents' in read && read.cents, Number(price));
    else assert.match('fault' in read ? read.fault : '', /2IIIII0PPPPC or 2IIIIIPPPPPC$/);
  });
  fc.assert(property, { numRuns: runs(5000) });
});

test("a store's own patterns are in place of the usual ones", () => {
  const patterns = ['02IIIIPPPPPVC', '28WWWWIIIIIIC'];
  const priced = withCheck(`02004201234${checkOfPrice('01234')}`);
  assert.deepEqual(readLabel(patterns, priced), { item: '42', cents: 1234 });
  assert.deepEqual(readLabel(patterns, withCheck('281500000789')), { item: '789', milli: 1500 });
  assert.ok('fault' in readLabel(patterns, '2112345015002'));
});

test('the worked examples', () => {
  assert.deepEqual(readLabel(null, '2112345015002'), { item: '12345', milli: 1500 });
  assert.deepEqual(readLabel(null, '212345804995'), { item: '12345', cents: 499 });
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
