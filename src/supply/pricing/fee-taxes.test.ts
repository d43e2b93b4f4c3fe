import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { TAX_CLASSES, type TaxClass } from '../stores/tax-class.ts';
import { builtInTaxes, TAX_ROWS } from './sales-tax-table.ts';
import { classesOf, percentOn, sharesOf, type TaxableLine, taxesByName, taxesOn } from './taxes.ts';

const DAY = '2026-11-26';
const REGIONS = (['US', 'CA'] as const).flatMap((country) =>
  [...new Set(TAX_ROWS[country].map(([region]) => region))].map((region) => ({ country, region })),
);
const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
const goods = (cents: Partial<Record<TaxClass, number>>): TaxableLine[] =>
  TAX_CLASSES.flatMap((taxClass) => (cents[taxClass] ? [{ taxClass, cents: cents[taxClass], markupCents: 0 }] : []));

/** Tax on a delivery fee of $1,000, in cents: the order's tax with it, less its tax without it. */
function taxOnFee(place: (typeof REGIONS)[number], lines: readonly TaxableLine[]): number {
  const rates = builtInTaxes(place, DAY);
  const fees = { deliveryCents: 0, serviceCents: 0, addedCents: 0, classes: classesOf(lines) };
  const taxOf = (deliveryCents: number) =>
    sum(taxesOn(lines, { ...fees, deliveryCents }, rates).map(({ cents }) => cents));
  return taxOf(100_000) - taxOf(0);
}

test('a fee bears the rates of its goods, in every state, territory and province', () => {
  const kept = [
    [{ region: 'TN', country: 'US' }, { prepared_food: 1000, grocery: 3000 }, 4750],
    [{ region: 'MD', country: 'US' }, { prepared_food: 1000, alcohol: 1000 }, 7500],
    [{ region: 'BC', country: 'CA' }, { soft_drink: 1000, alcohol: 1000 }, 13_500],
    [{ region: 'NY', country: 'US' }, { grocery: 1000 }, 0],
    [{ region: 'NY', country: 'US' }, { exempt: 1000 }, 4000],
    [{ region: 'TN', country: 'US' }, {}, 7000],
    [{ region: 'TN', country: 'US' }, { grocery: 500, exempt: 1500 }, 1000],
  ] as const;
  for (const [place, cents, expected] of kept) assert.equal(taxOnFee(place, goods(cents)), expected, place.region);
});

const cart = fc.dictionary(fc.constantFrom(...TAX_CLASSES), fc.integer({ min: 1, max: 30_000 }), { minKeys: 1 });

test('a fee never bears more than the highest rate of a line, nor less than the lowest, anywhere', () => {
  const property = fc.property(fc.constantFrom(...REGIONS), cart, (place, cents) => {
    const lines = goods(cents);
    if (lines.every(({ taxClass }) => taxClass === 'exempt')) return;
    const rates = builtInTaxes(place, DAY);
    const percents = lines.map(({ taxClass }) => percentOn(rates, taxClass));
    const percent = taxOnFee(place, lines) / 1000;
    // Each tax and each class are rounded to a cent.
    const tolerance = 0.01;
    assert.ok(percent <= Math.max(...percents) + tolerance && percent >= Math.min(...percents) - tolerance);
  });
  fc.assert(property, { numRuns: runs(20_000) });
});

test('no two rates of one tax are on one class, anywhere on any day of the table', () => {
  for (const { country, region } of REGIONS)
    for (const [, , from] of TAX_ROWS[country].filter(([code]) => code === region))
      for (const { name, rates } of taxesByName(builtInTaxes({ country, region }, from))) {
        const classes = rates.flatMap((rate) => rate.classes ?? TAX_CLASSES);
        assert.equal(new Set(classes).size, classes.length, `${region} ${name} ${from}`);
      }
});

test('lines and fees share each tax as their amounts and rates are, and the sequence of the lines does not count', () => {
  const property = fc.property(fc.constantFrom(...REGIONS), cart, fc.nat(2000), (place, cents, deliveryCents) => {
    const lines = goods(cents);
    const rates = builtInTaxes(place, DAY);
    const fees = { deliveryCents, serviceCents: 199, addedCents: 99, classes: classesOf(lines) };
    const taxes = taxesOn(lines, fees, rates);
    for (const tax of taxes) {
      const shares = sharesOf(tax, lines, fees);
      assert.equal(sum(shares), tax.cents + tax.addedCents);
      for (const [at, { taxClass, cents: own }] of lines.entries()) {
        const exact = (own * percentOn(tax.tax.rates, taxClass)) / 100;
        assert.ok(Math.abs((shares[at] ?? 0) - exact) <= 2, `${place.region} ${taxClass}`);
      }
    }
    const reversed = lines.toReversed();
    assert.deepEqual(taxesOn(reversed, { ...fees, classes: classesOf(reversed) }, rates), taxes);
  });
  fc.assert(property, { numRuns: runs(5_000) });
});
