import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedLine } from '../../test/feed-lines.ts';
import { menuOf, readPage, readPages, readStore, schemaOrgShop, soup } from '../../test/schema-org-pages.ts';

const productsIn = async (document: unknown) =>
  (await readStore(document)).catalog.products.map(({ product }) => product);

test('one value and a list of it, plain and prefixed terms, types as a list and references are all the same', async () => {
  const plain = await readStore(schemaOrgShop({ hasMenu: menuOf(soup({ '@id': '#soup' })) }));
  const { '@type': _, ...rest } = schemaOrgShop();
  const graph = {
    '@context': { '@vocab': 'http://schema.org/' },
    '@graph': [
      { ...rest, '@type': ['Thing', 'http://schema.org/Restaurant'], 'schema:hasMenu': [{ '@id': '#menu' }] },
      { '@id': '#menu', '@type': 'schema:Menu', 'https://schema.org/hasMenuSection': [{ '@id': '#mains' }] },
      {
        '@id': '#mains',
        '@type': 'MenuSection',
        name: { '@value': 'Mains', '@language': 'en' },
        hasMenuItem: { '@list': [{ '@id': '#soup' }] },
      },
      { '@id': '#soup', ...soup({ name: ['Soup', 'Suppe'], offers: [{ '@id': '#offer' }] }) },
      { '@id': '#offer', '@type': 'Offer', price: 4.5, priceCurrency: 'USD' },
    ],
  };
  const joined = await readStore(graph);
  assert.deepEqual(
    joined.catalog.products.map((one) => one.product),
    plain.catalog.products.map((one) => one.product),
  );
  assert.deepEqual([joined.profile, joined.warnings], [plain.profile, []]);
});

test('raw line breaks and tabs in texts, and a semicolon after the document, are read', async () => {
  const whole = await readStore(schemaOrgShop({ description: 'Soups\nand \t"stews"' }));
  const json = JSON.stringify(schemaOrgShop({ description: 'Soups\nand \t"stews"' }), null, 2);
  const raw = json.replace('\\n', '\n').replace('\\t', '\t');
  assert.notEqual(raw, json);
  for (const text of [raw, `${json};`, `${raw} ;\n`, raw.replaceAll('\n', '\r\n')]) {
    const parsed = await readPage(`<script type="application/ld+json">${text}</script>`);
    assert.deepEqual([parsed.ok && parsed.store.profile.name, parsed.warnings], [whole.profile.name, []]);
  }
  assert.ok(
    !(await readPages('<script type="application/ld+json">{"a": "b</script>')).some(
      (one) => 'parsed' in one && one.parsed.ok,
    ),
  );
});

test('hours: specifications and texts; overnight, all day, closed; dated exceptions stay out of the week', async () => {
  const spec = (dayOfWeek: unknown, opens: string, closes: string, more: FeedLine = {}) => ({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek,
    opens,
    closes,
    ...more,
  });
  const readWeek = async (more: FeedLine) => {
    const { profile, warnings } = await readStore(schemaOrgShop({ openingHours: undefined, ...more }));
    return {
      days: profile.hours.operational?.map((day) =>
        day.map(({ startMinute, endMinute }) => `${startMinute}-${endMinute}`).join(),
      ),
      warnings,
      exceptions: profile.hoursExceptions,
    };
  };
  const specified = await readWeek({
    openingHoursSpecification: [
      spec(['https://schema.org/Monday', { '@id': 'http://schema.org/Tuesday' }], '09:00', '17:00'),
      spec('Friday', '18:00:00', '02:00:00'),
      spec('Saturday', '00:00', '23:59'),
      spec('Sunday', '00:00', '00:00'),
      spec('Sunday', '10:00', '12:00', { validFrom: '2026-12-20', validThrough: '2026-12-26' }),
    ],
  });
  assert.deepEqual(specified.days, ['540-1020', '540-1020', '', '', '1080-1560', '0-1440', '']);
  assert.deepEqual(specified.warnings, []);
  assert.deepEqual(specified.exceptions, [
    { from: '2026-12-20', to: '2026-12-20', ranges: [{ startMinute: 600, endMinute: 720 }], channel: null },
  ]);
  assert.deepEqual((await readWeek({ openingHours: ['Mo-We 09:00-12:00', 'Mo,Tu 13:00-17:00', 'Sa'] })).days, [
    '540-720,780-1020',
    '540-720,780-1020',
    '540-720',
    '',
    '',
    '0-1440',
    '',
  ]);
  assert.deepEqual((await readWeek({ openingHours: 'Sa-Mo 10:00-14:00' })).days, [
    '600-840',
    '',
    '',
    '',
    '',
    '600-840',
    '600-840',
  ]);
  const unreadable = await readWeek({ openingHours: 'when the sun shines' });
  assert.deepEqual([unreadable.days, unreadable.warnings.length], [undefined, 1]);
  const dishes = await productsIn(
    schemaOrgShop({
      hasMenu: menuOf(
        soup({
          offers: {
            price: 1,
            availabilityStarts: 'T11:00',
            availabilityEnds: 'T14:00',
            availability: 'https://schema.org/SoldOut',
          },
        }),
      ),
    }),
  );
  assert.deepEqual([dishes[0]?.hours?.[0], dishes[0]?.available], [[{ startMinute: 660, endMinute: 840 }], false]);
});

test('special opening hours apply on their dates; equal or missing times mean closed', async () => {
  const special = (validFrom: string, validThrough: string | undefined, more: FeedLine = {}) => ({
    '@type': 'OpeningHoursSpecification',
    validFrom,
    ...(validThrough ? { validThrough } : {}),
    ...more,
  });
  const { profile, warnings } = await readStore(
    schemaOrgShop({
      specialOpeningHoursSpecification: [
        special('2026-12-24', '2026-12-24', { opens: '10:00', closes: '16:00' }),
        special('2026-12-25', '2026-12-26'),
        special('2026-12-31T00:00:00-06:00', '2027-01-01T00:00:00-06:00', { opens: '18:00', closes: '02:00' }),
        special('2027-01-01', '2027-01-01', { opens: '00:00:00', closes: '00:00:00' }),
        special('2027-07-04', undefined, { opens: '10:00', closes: '12:00' }),
      ],
      openingHoursSpecification: [
        special('2027-02-01', '2027-02-14', { dayOfWeek: 'Sunday', opens: '09:00', closes: '09:00' }),
      ],
    }),
  );
  assert.deepEqual(
    profile.hoursExceptions.map(({ from, to, ranges }) => [
      from,
      to,
      ...ranges.map(({ startMinute, endMinute }) => `${startMinute}-${endMinute}`),
    ]),
    [
      ['2026-12-24', '2026-12-24', '600-960'],
      ['2026-12-25', '2026-12-26'],
      ['2026-12-31', '2026-12-31', '1080-1560'],
      ['2027-01-01', '2027-01-01'],
      ['2027-02-07', '2027-02-07'],
      ['2027-02-14', '2027-02-14'],
    ],
  );
  assert.deepEqual(warnings, [
    'Restaurant Test Kitchen: specialOpeningHoursSpecification: expected hours of some dates: it has no first and last date (validFrom, validThrough); left out',
  ]);
  assert.ok(profile.hours.operational);
});

test('photos, rules and dated specifications beyond the limits are warnings', async () => {
  const dated = (n: number) => ({ validFrom: day(n), validThrough: day(n), opens: '10:00', closes: '12:00' });
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + (n % 700))).toISOString().slice(0, 10);
  const { profile, warnings } = await readStore(
    schemaOrgShop({
      image: Array.from({ length: 201 }, (_, n) => `https://cdn.example/${n}.jpg`),
      openingHours: Array.from({ length: 101 }, () => 'Mo-Su 09:00-17:00'),
      specialOpeningHoursSpecification: Array.from({ length: 1001 }, (_, n) => dated(2 * n)),
    }),
  );
  assert.equal(profile.photos.store.length, 200);
  const label = 'Restaurant Test Kitchen';
  assert.deepEqual(warnings, [
    `${label}: specialOpeningHoursSpecification: expected at most 1000 specifications of dates; others left out`,
    `${label}: image: expected at most 200 photos; others left out`,
    `${label}: hours.operational: expected weekly hours, or dates: it has more than 100 texts; left unknown`,
  ]);
});

test('a shop of other goods is a grocery: its menu names the goods, then its type', async () => {
  const typed = (parts: object) => readStore(schemaOrgShop({ '@type': 'ElectronicsStore', ...parts }));
  const { profile } = await typed({ hasMenu: undefined });
  assert.deepEqual([profile.type, profile.cuisines], ['grocery', ['electronics']]);
  assert.deepEqual((await typed({ servesCuisine: 'radios' })).profile.cuisines, ['radios']);
});

test('the store itself: cuisines, price range, rating, pictures, a grocery, a Canadian address', async () => {
  const { profile } = await readStore(
    schemaOrgShop({
      '@type': ['GroceryStore'],
      servesCuisine: 'Thai, Lao',
      priceRange: '$$',
      aggregateRating: { ratingValue: '4.6', reviewCount: '812', bestRating: 5 },
      image: [{ '@type': 'ImageObject', url: 'https://cdn.example/a.jpg' }, 'https://cdn.example/b.jpg'],
      address: {
        '@type': 'PostalAddress',
        streetAddress: '1 King St',
        addressLocality: 'Toronto',
        addressRegion: 'ON',
        postalCode: 'M5H 1A1',
        addressCountry: { '@type': 'Country', name: 'Canada' },
      },
      geo: { latitude: '43.65', longitude: '-79.38' },
      hasMenu: menuOf(soup({ offers: { price: 'CA$5', priceCurrency: 'CAD' } })),
    }),
  );
  assert.deepEqual(
    [
      profile.type,
      profile.cuisines,
      profile.dollarSigns,
      profile.rating,
      profile.photos.store,
      profile.address.country,
      profile.timeZone,
    ],
    [
      'grocery',
      ['Thai', 'Lao'],
      2,
      { value: 4.6, count: 812 },
      ['https://cdn.example/a.jpg', 'https://cdn.example/b.jpg'],
      'CA',
      'America/Toronto',
    ],
  );
});
