import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTaxes } from '../../src/supply/pricing/sales-tax-table.ts';
import { exampleSource, NOT_COMPUTED, TAX_EXAMPLES } from './tax-examples.ts';

const DAY = '2026-11-26';

for (const { place, source, taxClass, percent, things } of TAX_EXAMPLES) {
  test(`${place}, ${taxClass}: ${things.join('; ')}: ${percent}%, as in ${exampleSource(source)?.[0]}`, () => {
    const [country, region = ''] = place.split('-');
    const taxes = builtInTaxes({ country: country === 'US' ? 'US' : 'CA', region }, DAY);
    const due = taxes.filter(({ classes }) => classes?.includes(taxClass) ?? true);
    assert.equal(Number(due.reduce((sum, tax) => sum + tax.percent, 0).toFixed(6)), percent);
  });
}

test('there are at least 150 examples, each with a title, a section and an address that were read', () => {
  assert.ok(TAX_EXAMPLES.flatMap(({ things }) => things).length >= 150);
  const names = [...TAX_EXAMPLES.map(({ source }) => source), ...NOT_COMPUTED.map(([, , , source]) => source)];
  for (const name of names) {
    const [title, section, url, unread] = exampleSource(name) ?? [];
    assert.ok(title && section && url && unread === undefined, name);
  }
});
