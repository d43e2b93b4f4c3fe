import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTaxes } from '../../src/supply/pricing/sales-tax-table.ts';
import { classesOf, taxesOn } from '../../src/supply/pricing/taxes.ts';
import { DUTIES } from '../../src/surfaces/operator/duties.ts';
import { BASKET, BY_HAND, DELIVERY_CENTS } from './tax-basket.ts';
import { exampleSource, NOT_COMPUTED, TAX_EXAMPLES } from './tax-examples.ts';
import { DISCOUNT_SOURCES, TAX_SOURCES } from './tax-sources.ts';

const DAY = '2026-11-26';

for (const { place, source, taxClass, percent, things } of TAX_EXAMPLES) {
  test(`${place}, ${taxClass}: ${things.join('; ')}: ${percent}%, as in ${exampleSource(source)?.[0]}`, () => {
    const [country, region = ''] = place.split('-');
    const taxes = builtInTaxes({ country: country === 'US' ? 'US' : 'CA', region }, DAY);
    const due = taxes.filter(({ classes }) => classes?.includes(taxClass) ?? true);
    assert.equal(Number(due.reduce((sum, tax) => sum + tax.percent, 0).toFixed(6)), percent);
  });
}

test('there are at least 150 examples, each with a source that was read', () => {
  assert.ok(TAX_EXAMPLES.flatMap(({ things }) => things).length >= 150);
  const names = [...TAX_EXAMPLES.map(({ source }) => source), ...NOT_COMPUTED.map(([, , , source]) => source)];
  for (const name of names) {
    const [title, section, , unread] = exampleSource(name) ?? [];
    assert.ok(title && section && unread === undefined, name);
  }
});

/** Governments, official publishers, standards bodies, and publishers of their own articles. No copies of laws. */
const OFFICIAL =
  /(^|\.)(gov|state\.[a-z]{2}\.us|gc\.ca|canada\.ca|gouv\.qc\.ca|gov\.bc\.ca|ontario\.ca|revenuquebec\.ca|agco\.ca|flrules\.org)$/;
const PUBLISHERS: readonly string[] = [
  ...['codelibrary.amlegal.com', 'library.municode.com'],
  ...['taxadmin.org', 'www.streamlinedsalestax.org', 'www.pcisecuritystandards.org'],
  ...[
    'www.salestaxinstitute.com',
    'sovos.com',
    'www.avalara.com',
    'kpmg.com',
    'tax.thomsonreuters.com',
    'www.taxjar.com',
  ],
  ...['www.retailcouncil.org', 'help.doordash.com'],
];

test('sources of taxes and duties link to governments and listed publishers, never to a copy', () => {
  const examples = TAX_EXAMPLES.map(({ source }) => exampleSource(source)?.[2] ?? '');
  const sources = [...Object.values(TAX_SOURCES), ...Object.values(DISCOUNT_SOURCES)].map(([, , url]) => url);
  const duties = DUTIES.map(([, , , , , , url]) => url);
  const hosts = [...examples, ...sources, ...duties].flatMap((url) => (url === '' ? [] : new URL(url).hostname));
  assert.deepEqual(
    hosts.filter((host) => !OFFICIAL.test(host) && !PUBLISHERS.includes(host)),
    [],
  );
});

test('one basket has in twelve places the taxes that were calculated by hand', () => {
  const places = [...new Set(BY_HAND.map(([place]) => place))];
  assert.equal(places.length, 12);
  for (const place of places) {
    const [country, region = ''] = place.split('-');
    const lines = BASKET.map(([, taxClass, cents]) => ({ taxClass, cents, markupCents: 0 }));
    const charged = taxesOn(
      lines,
      { deliveryCents: DELIVERY_CENTS, serviceCents: 0, addedCents: 0, classes: classesOf(lines) },
      builtInTaxes({ country: country === 'US' ? 'US' : 'CA', region }, DAY),
    );
    const own = BY_HAND.filter(([where]) => where === place);
    const rates = charged.flatMap(({ tax }) => tax.rates.map(({ name, percent }) => [name, percent]));
    assert.deepEqual(
      new Set(rates.map(String)),
      new Set(own.map(([, name, , , percent]) => `${name},${percent}`)),
      place,
    );
    const sums = own.flatMap(([, name, , , , cents]) => (cents === null ? [] : [[name, cents]]));
    assert.deepEqual(
      Object.fromEntries(charged.map(({ tax, cents }) => [tax.name, cents])),
      Object.fromEntries(sums),
      place,
    );
  }
});
