import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TAX_SOURCES } from '../../../test/reference/tax-sources.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { localeOf } from '../../texts/catalogs.ts';
import type { Country } from '../stores/store.ts';
import { TAX_CLASSES, type TaxClass } from '../stores/tax-class.ts';
import { builtInTaxes, TAX_ROWS } from './sales-tax-table.ts';
import { TAX_GAPS } from './tax-gaps.ts';
import { isOnClass } from './taxes.ts';

const PROVINCE_CODES = 'AB BC MB NB NL NS NT NU ON PE QC SK YT';
const TODAY = '2026-11-26';

/** The tax on a dollar of a class, in percent. */
function percentOn(country: Country, region: string, taxClass: TaxClass, day = TODAY): number {
  const taxes = builtInTaxes({ country, region }, day).filter(({ classes }) => classes?.includes(taxClass) ?? true);
  return Number(taxes.reduce((sum, { percent }) => sum + percent, 0).toFixed(6));
}

const US_CODES =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP';
const UNTAXED = 'AK DE MT NH OR GU VI AS MP'.split(' ');

test('every state, the District and the territories have a rate, zero only where no sales tax is levied', () => {
  const codes = US_CODES.split(' ');
  assert.equal(codes.length, 56);
  for (const code of codes) {
    const percent = percentOn('US', code, 'general');
    assert.equal(percent === 0, UNTAXED.includes(code), code);
    assert.ok(percent < 11, code);
  }
});

test('every province and territory has the federal and its own tax', () => {
  const expected = {
    AB: 5,
    BC: 12,
    MB: 12,
    NB: 15,
    NL: 15,
    NS: 14,
    NT: 5,
    NU: 5,
    ON: 13,
    PE: 15,
    QC: 14.975,
    SK: 11,
    YT: 5,
  };
  for (const [code, percent] of Object.entries(expected)) assert.equal(percentOn('CA', code, 'general'), percent, code);
});

test('a rate is found by code or name, in any case, with accents and punctuation', () => {
  const known: [Country, string, number][] = [
    ['US', 'NY', 4],
    ['US', 'n.y.', 4],
    ['US', ' new  york ', 4],
    ['US', 'CALIFORNIA', 7.25],
    ['US', 'Washington', 6.5],
    ['US', 'Washington, D.C.', 7],
    ['US', 'Puerto Rico', 10.5],
    ['CA', 'Québec', 14.975],
    ['CA', 'quebec', 14.975],
    ['CA', 'Newfoundland & Labrador', 15],
    ['CA', 'Newfoundland and Labrador', 15],
    ['CA', 'Nova-Scotia', 14],
  ];
  for (const [country, state, percent] of known) assert.equal(percentOn(country, state, 'general'), percent, state);
});

test('a state of the other country, or of none, has no rate', () => {
  for (const state of ['ON', 'Ontario', '', '??', 'constructor'])
    assert.equal(percentOn('US', state, 'general'), 0, state);
  assert.equal(percentOn('CA', 'NY', 'general'), 0);
});

test('every state, the District, every province and territory has rows, each with sources that exist', () => {
  const codes = { US: `${US_CODES.replace(/ (GU|VI|AS|MP)/g, '')}`, CA: PROVINCE_CODES };
  for (const country of ['US', 'CA'] as const) {
    const rows = TAX_ROWS[country];
    assert.deepEqual([...new Set(rows.map(([code]) => code))].sort(), codes[country].split(' ').sort());
    for (const [code, name, from, until, percents, sources, unverified = []] of rows) {
      const row = `${code} ${name} ${from}`;
      assert.match(from, /^\d{4}-\d\d-\d\d$/, row);
      assert.ok(until === '' || until > from, row);
      assert.ok(
        percents.every((percent) => percent >= 0 && percent < 16),
        row,
      );
      for (const source of sources.split(' ')) assert.ok(TAX_SOURCES[source], `${row}: ${source}`);
      const isRead = sources.split(' ').some((source) => TAX_SOURCES[source]?.[3] === undefined);
      assert.ok(isRead || unverified.length === 7, `${row} has no source that was read`);
    }
  }
  const cited = new Set(Object.values(TAX_ROWS).flatMap((rows) => rows.flatMap((row) => row[5].split(' '))));
  assert.deepEqual(Object.keys(TAX_SOURCES).sort(), [...cited].sort());
  const places = new Set(
    Object.entries(TAX_ROWS).flatMap(([country, rows]) => rows.map(([code]) => `${country}-${code}`)),
  );
  for (const place of Object.keys(TAX_GAPS)) assert.ok(places.has(place), place);
});

test('a row that ends is followed by the next on the day after', () => {
  for (const rows of Object.values(TAX_ROWS)) {
    for (const [code, name, , until] of rows) {
      if (until === '') continue;
      const next = Temporal.PlainDate.from(until).add({ days: 1 }).toString();
      assert.ok(
        rows.some((row) => row[0] === code && row[1] === name && row[2] === next),
        `${code} ${name} after ${until}`,
      );
    }
  }
});

test('a place has up to eight taxes, and exempt items have none', () => {
  for (const country of ['US', 'CA'] as const) {
    for (const [region, , from] of TAX_ROWS[country]) {
      const taxes = builtInTaxes({ country, region }, from);
      assert.ok(taxes.length <= 8, region);
      for (const taxClass of TAX_CLASSES) {
        const names = taxes.filter((rate) => isOnClass(rate, taxClass)).map(({ name }) => name);
        assert.equal(new Set(names).size, names.length, `${region} ${taxClass}`);
      }
      assert.ok(
        taxes.every(({ percent, classes }) => percent > 0 && !classes?.includes('exempt')),
        region,
      );
    }
  }
});

/** General rates of the states, from the table before it had classes. */
const GENERAL = `AL 4 AZ 5.6 AR 6.5 CA 7.25 CO 2.9 CT 6.35 FL 6 GA 4 HI 4 ID 6 IL 6.25 IN 7 IA 6 KS 6.5 KY 6 LA 5 ME
  5.5 MD 6 MA 6.25 MI 6 MN 6.875 MS 7 MO 4.225 NE 5.5 NV 6.85 NJ 6.625 NM 4.875 NY 4 NC 4.75 ND 5 OH
  5.75 OK 4.5 PA 6 RI 7 SC 6 SD 4.2 TN 7 TX 6.25 UT 6.1 VT 6 VA 5.3 WA 6.5 WV 6 WI 5 WY 4 PR 10.5`;

test('non-food items use the former rate where it hasn’t changed since', () => {
  const words = GENERAL.split(/\s+/);
  for (let at = 0; at < words.length; at += 2) {
    const [region = '', percent] = words.slice(at);
    assert.equal(percentOn('US', region, 'general'), Number(percent), region);
  }
});

test('an order takes the taxes of its day', () => {
  const days: [Country, string, TaxClass, [day: string, percent: number][]][] = [
    [
      'US',
      'AL',
      'grocery',
      [
        ['2025-08-31', 3],
        ['2025-09-01', 2],
      ],
    ],
    [
      'US',
      'IL',
      'grocery',
      [
        ['2025-12-31', 1],
        ['2026-01-01', 0],
      ],
    ],
    [
      'US',
      'AR',
      'grocery',
      [
        ['2025-12-31', 0.125],
        ['2026-01-01', 0],
      ],
    ],
    [
      'US',
      'MS',
      'grocery',
      [
        ['2025-06-30', 7],
        ['2025-07-01', 5],
      ],
    ],
    [
      'US',
      'SD',
      'general',
      [
        ['2027-06-30', 4.2],
        ['2027-07-01', 4.5],
      ],
    ],
    [
      'US',
      'DC',
      'general',
      [
        ['2026-09-30', 6],
        ['2026-10-01', 7],
      ],
    ],
    [
      'CA',
      'NS',
      'general',
      [
        ['2025-03-31', 15],
        ['2025-04-01', 14],
      ],
    ],
    ['CA', 'NS', 'general', [['1999-01-01', 15]]],
  ];
  for (const [country, region, taxClass, expected] of days) {
    for (const [day, percent] of expected) assert.equal(percentOn(country, region, taxClass, day), percent, region);
  }
});

test('percents of one tax are rates of one name, on different classes', () => {
  assert.deepEqual(
    builtInTaxes({ country: 'CA', region: 'Québec' }, TODAY).map(({ name }) => name),
    ['GST', 'QST'],
  );
  assert.deepEqual(builtInTaxes({ country: 'US', region: 'ID' }, TODAY), [{ name: 'Sales tax', percent: 6 }]);
  assert.deepEqual(
    builtInTaxes({ country: 'US', region: 'washington dc' }, TODAY).map(({ name, percent }) => [name, percent]),
    [
      ['Sales tax', 10],
      ['Sales tax', 8],
      ['Sales tax', 10.25],
      ['Sales tax', 7],
    ],
  );
  assert.deepEqual(builtInTaxes({ country: 'US', region: 'Nowhere' }, TODAY), []);
  const classes = new Set<string>(TAX_CLASSES);
  assert.ok(
    builtInTaxes({ country: 'US', region: 'AL' }, TODAY).every((tax) => tax.classes?.every((one) => classes.has(one))),
  );
});

test('each tax of the table has a name in every language, shown by receipts and pages', () => {
  const names = (['US', 'CA'] as const).flatMap((country) =>
    TAX_ROWS[country].flatMap(([region, , from]) => builtInTaxes({ country, region }, from).map(({ name }) => name)),
  );
  const english = new Set(names);
  for (const language of LANGUAGES) {
    const known: Readonly<Record<string, string>> = localeOf(language, 'US').words.customer.taxName;
    assert.deepEqual(
      [...english].filter((name) => !Object.hasOwn(known, name)),
      [],
      language,
    );
  }
  assert.equal(localeOf('fr', 'US').words.customer.taxName['Meals tax'], 'Taxe sur les repas');
});
