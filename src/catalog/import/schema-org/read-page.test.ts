import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedLine } from '../../../../test/feed-lines.ts';
import { menuOf, readPage, schemaOrgShop, soup } from '../../../../test/schema-org-pages.ts';

const told = (list: readonly { path: string; message: string }[]) =>
  list.map(({ path, message }) => `${path}: ${message}`);
const shop = (more: FeedLine = {}): FeedLine => ({ ...schemaOrgShop(), ...more });
const read = (store: unknown) => readPage(JSON.stringify(store));
async function readOk(store: unknown) {
  const parsed = await read(store);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return { ...parsed.store, warnings: told(parsed.warnings) };
}
const productsIn = async (store: unknown) => (await readOk(store)).catalogue.products.map(({ product }) => product);

test('one value and a list of it, plain and prefixed terms, types as a list and references are all the same', async () => {
  const plain = await readOk(shop({ hasMenu: menuOf(soup({ '@id': '#soup' })) }));
  const { '@type': _, ...rest } = shop();
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
  const joined = await readOk(graph);
  assert.deepEqual(
    joined.catalogue.products.map((one) => one.product),
    plain.catalogue.products.map((one) => one.product),
  );
  assert.deepEqual([joined.profile, joined.warnings], [plain.profile, []]);
});

test('prices of an item: an offer, its specification, offers of offers; several are a choice over the cheapest', async () => {
  const priceOf = async (offers: unknown) => (await productsIn(shop({ hasMenu: menuOf(soup({ offers })) })))[0]?.price;
  assert.equal(await priceOf({ price: '$1,250.5' }), 125_050);
  assert.equal(
    await priceOf({ priceSpecification: { '@type': 'UnitPriceSpecification', price: 3, priceCurrency: 'USD' } }),
    300,
  );
  assert.equal(await priceOf({ '@type': 'AggregateOffer', lowPrice: '5', highPrice: 5 }), 500);
  assert.equal(await priceOf([{ price: 4 }, { price: '4.00' }]), 400);
  const [sized] = await productsIn(
    shop({
      hasMenu: menuOf(
        soup({
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: 4,
            highPrice: 7.25,
            offers: [
              { name: 'Bowl', price: 7.25 },
              { name: 'Cup', price: 4 },
            ],
          },
        }),
      ),
    }),
  );
  assert.deepEqual(
    [
      sized?.price,
      sized?.customizations.map((group) => [
        group.minChoiceOptions,
        group.maxChoiceOptions,
        group.options.map((one) => [one.name, one.price]),
      ]),
    ],
    [
      400,
      [
        [
          1,
          1,
          [
            ['Bowl', 325],
            ['Cup', 0],
          ],
        ],
      ],
    ],
  );
});

test('a price that is none in the dollars of the country rejects the store and names the item; no price leaves it out', async () => {
  for (const [offers, fault] of [
    [{ price: -1 }, 'MenuItem Soup: offers.price: expected a price of at least 0'],
    [{ price: 'market price' }, 'MenuItem Soup: offers.price: expected a price such as 12.50, not "market price"'],
    [{ price: '8-12' }, 'MenuItem Soup: offers.price: expected one price, not a range'],
    [{ lowPrice: 8, highPrice: 12 }, 'MenuItem Soup: offers.price: expected one price, not a range'],
    [{ price: 1, priceCurrency: 'EUR' }, 'MenuItem Soup: offers.priceCurrency: expected a price in USD, not "EUR"'],
  ] as const) {
    const parsed = await read(shop({ hasMenu: menuOf(soup({ offers })) }));
    assert.deepEqual(parsed.ok || told(parsed.faults), [fault]);
    assert.equal(parsed.ok || parsed.externalId, 'https://kitchen.example/#store');
  }
  const { catalogue, warnings } = await readOk(
    shop({ hasMenu: menuOf(soup({ offers: undefined }), soup({ name: 'Stew' })) }),
  );
  assert.deepEqual(
    [catalogue.products.length, warnings],
    [1, ['MenuItem Soup: offers: expected an offer with a price; left out']],
  );
});

test('add-ons are choices: a section one of its own, items alone one together, nested as deep as they are', async () => {
  const dip = { '@type': 'MenuItem', name: 'Dip' };
  const fries = { '@type': 'MenuItem', name: 'Fries', offers: { price: 2 }, menuAddOn: dip };
  const sides = {
    '@type': 'MenuSection',
    name: 'Sides',
    hasMenuItem: [fries, dip],
    eligibleQuantity: { minValue: 1, maxValue: '2' },
  };
  const [product] = await productsIn(
    shop({
      hasMenu: menuOf(soup({ menuAddOn: [sides, { '@type': 'MenuItem', name: 'Bread', offers: { price: '0.50' } }] })),
    }),
  );
  assert.deepEqual(
    product?.customizations.map(({ id, name, minChoiceOptions, maxChoiceOptions, options }) => [
      id,
      name,
      minChoiceOptions,
      maxChoiceOptions,
      options.map((one) => [
        one.id,
        one.price,
        one.customizations.map((inner) => inner.options.map((last) => last.id)),
      ]),
    ]),
    [
      [
        'Sides',
        'Sides',
        1,
        2,
        [
          ['Fries', 200, [['Dip']]],
          ['Dip @Sides', 0, []],
        ],
      ],
      ['Soup/add-ons', 'Add-ons', 0, 1, [['Bread', 50, []]]],
    ],
  );
});

test('hours: specifications and texts; overnight, all day, closed; what holds for some dates is left out', async () => {
  const spec = (dayOfWeek: unknown, opens: string, closes: string, more: FeedLine = {}) => ({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek,
    opens,
    closes,
    ...more,
  });
  const weekOf = async (more: FeedLine) => {
    const { profile, warnings } = await readOk(shop({ openingHours: undefined, ...more }));
    return {
      days: profile.hours.operational?.map((day) =>
        day.map(({ startMinute, endMinute }) => `${startMinute}-${endMinute}`).join(),
      ),
      warnings,
    };
  };
  const specified = await weekOf({
    openingHoursSpecification: [
      spec(['https://schema.org/Monday', { '@id': 'http://schema.org/Tuesday' }], '09:00', '17:00'),
      spec('Friday', '18:00:00', '02:00:00'),
      spec('Saturday', '00:00', '23:59'),
      spec('Sunday', '00:00', '00:00'),
      spec('Sunday', '10:00', '12:00', { validFrom: '2026-12-20', validThrough: '2026-12-26' }),
    ],
  });
  assert.deepEqual(specified.days, ['540-1020', '540-1020', '', '', '1080-1560', '0-1440', '']);
  assert.match(
    specified.warnings.join(),
    /openingHoursSpecification: expected regular weekly hours: it holds for some dates only/,
  );
  assert.deepEqual((await weekOf({ openingHours: ['Mo-We 09:00-12:00', 'Mo,Tu 13:00-17:00', 'Sa'] })).days, [
    '540-720,780-1020',
    '540-720,780-1020',
    '540-720',
    '',
    '',
    '0-1440',
    '',
  ]);
  assert.deepEqual((await weekOf({ openingHours: 'Sa-Mo 10:00-14:00' })).days, [
    '600-840',
    '',
    '',
    '',
    '',
    '600-840',
    '600-840',
  ]);
  const unreadable = await weekOf({ openingHours: 'when the sun shines' });
  assert.deepEqual([unreadable.days, unreadable.warnings.length], [undefined, 1]);
  const dishes = await productsIn(
    shop({
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

test('the store itself: cuisines, price range, rating, pictures, a grocery, a Canadian address', async () => {
  const { profile } = await readOk(
    shop({
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
