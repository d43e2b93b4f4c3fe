import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { PACKAGES, ROOT, SOURCES, textOf } from './source-files.ts';

/** A fact that several parts of Doorstep need, with the only files that read or write it in its raw form. */
interface Fact {
  fact: string;
  /** The module that parses it. */
  reader: string;
  /** The module that formats it for people, where it is another. */
  writer?: string;
  /** Matches a second reader or writer: no other file of `src`, `packages` and `web` may. */
  elsewhere: RegExp;
  /** A line of such a second reader, so that the pattern is known to find one. */
  planted: string;
}

/** Sorted by fact. */
const FACTS: readonly Fact[] = [
  {
    fact: 'a phone number',
    reader: 'src/platform/lib/phone.ts',
    elsewhere: /tel:(\+|\$)|[`'\x22]\+1?\$\{\w*phone|\(\\d\{3\}\).*\\d\{4\}/i,
    planted: '<a href="tel:+3135550142">',
  },
  {
    fact: 'equivalent words of a search',
    reader: 'packages/search-engine/text/query-rewrites.ts',
    elsewhere: /\['(?:bbq|bros|intl|mt)', '/,
    planted: "const SAME = [['bbq', 'barbecue']];",
  },
  {
    fact: 'opening hours',
    reader: 'src/supply/stores/read-hours.ts',
    writer: 'src/supply/stores/format-hours.ts',
    elsewhere: /from 'opening_hours'|\bmo\|tu\||\[ap\]\)?\.?[?]?m|T\?\(\\d\{1,2\}\):/i,
    planted: "const CLOCK = /^T?(\\d{1,2}):(\\d{2})$/i, WEEKDAY = '(?:mo|tu|we|th|fr|sa|su|ph|sh)';",
  },
  {
    fact: 'the classes that a tax is on',
    reader: 'src/supply/pricing/taxes.ts',
    elsewhere: /\bclasses\??\.includes\(/,
    planted: 'tax.classes?.includes(taxClass) ?? true',
  },
  {
    fact: 'the numbering plan of a country',
    reader: 'src/platform/lib/numbering-plan.ts',
    elsewhere: /from 'libphonenumber-js/,
    planted: "import { parsePhoneNumberFromString } from 'libphonenumber-js/min';",
  },
  {
    fact: 'the region and country that a text names',
    reader: 'src/supply/stores/region.ts',
    // A table of names, or a code made of a text by hand.
    elsewhere:
      /['"|(](?:Alabama|Alberta|Nunavut|Saskatchewan)['"|)]|\|ontario\||\b(?:state|region|province)(?:\.trim\(\))?\.toUpperCase/i,
    planted: "const STATES = [['AL', 'Alabama']];",
  },
  {
    fact: 'the parts of a street address',
    reader: 'src/supply/stores/address-line.ts',
    writer: 'src/supply/stores/street-address.ts',
    elsewhere:
      /\$\{[^}]*\b(?:street(?:_?(?:num|name|addr))|zipcode|user_street_\w+)\b|\[[^\]]*\b(?:streetNum|streetName|streetAddr)\b[^\]]*\](?:\.filter\(.*\))?\.join\(|\bapt\b.*\bsuite\b.*\\/i,
    planted: "const line = [streetNum, streetName].join(' ');",
  },
  {
    fact: 'the parts of a typed address line',
    reader: 'src/supply/stores/address-line.ts',
    // A postal code, a country or a unit that a pattern finds in a line, or a house number that one finds before a street.
    elsewhere:
      /\\d\{5\}|\[a-z\]\\+d\(?\??=?\[a-z\]|\bUS\|CA\b|\bapt[ |]apartment\b|\^\[a-z\]\?\\+d|\^\(?\\d\+\S* \S*\.\+/i,
    planted: "const own = address.replace(/,\\s*(US|CA)$/, '').replace(/ (\\d{5}(-\\d{4})?)$/, '');",
  },
  {
    fact: 'the shares of the owners in an order and a refund',
    reader: 'src/ordering/order/shares.ts',
    elsewhere: /\bsalesCents: (?:price|item|quote|unit)|\baccountCents: .* - /,
    planted: 'salesCents: price.subtotalCents,',
  },
  {
    fact: 'the time zone at a coordinate',
    reader: 'src/supply/stores/time-zone.ts',
    elsewhere: /from '@photostructure\/tz-lookup'/,
    planted: "import tzlookup from '@photostructure/tz-lookup';",
  },
  {
    fact: "the zone of an order's times",
    reader: 'src/ordering/order/order-times.ts',
    writer: 'src/ordering/order/present-order.ts',
    elsewhere:
      /customer\.timeZone|\{[^}]*\btimeZone\b[^}]*\} = (?:order\.)?quote\.store\b|format\w*[.(][^\n]*\bquote\.store\.timeZone/i,
    planted: '  const { timeZone } = order.quote.store;',
  },
  {
    fact: 'whether something is alcohol',
    reader: 'src/supply/stores/tax-class.ts',
    elsewhere: /(?:=|includes\() *'alcohol'|\bproduct\.isAlcoholic\b/,
    planted: "const hasAlcohol = product.isAlcoholic || taxClass === 'alcohol';",
  },
];

const FILES = [
  ...SOURCES,
  ...PACKAGES,
  ...globSync('web/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test\./.test(file)),
];

for (const { fact, reader, writer, elsewhere, planted } of FACTS)
  test(`${fact} has one reader and one writer`, () => {
    assert.match(planted, elsewhere);
    const owners = [reader, writer].filter((file) => file !== undefined);
    assert.deepEqual(
      owners.filter((file) => !FILES.includes(file)),
      [],
      'a reader or writer does not exist',
    );
    assert.deepEqual(
      FILES.filter((file) => !owners.includes(file) && elsewhere.test(textOf(file))),
      [],
      'these files read or write it too',
    );
  });
