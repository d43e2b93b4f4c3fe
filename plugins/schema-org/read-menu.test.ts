import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultLines, menuOf, readPage, readStore, schemaOrgShop, soup } from '../../test/schema-org-pages.ts';

const productsIn = async (document: unknown) =>
  (await readStore(document)).catalog.products.map(({ product }) => product);

test('an item’s price: an offer, its specification, nested offers; several become a choice above the cheapest', async () => {
  const priceOf = async (offers: unknown) =>
    (await productsIn(schemaOrgShop({ hasMenu: menuOf(soup({ offers })) })))[0]?.price;
  assert.equal(await priceOf({ price: '$1,250.5' }), 125_050);
  assert.equal(
    await priceOf({ priceSpecification: { '@type': 'UnitPriceSpecification', price: 3, priceCurrency: 'USD' } }),
    300,
  );
  assert.equal(await priceOf({ '@type': 'AggregateOffer', lowPrice: '5', highPrice: 5 }), 500);
  assert.equal(await priceOf([{ price: 4 }, { price: '4.00' }]), 400);
  const [sized] = await productsIn(
    schemaOrgShop({
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

test('next to available offers, unavailable ones add neither price nor choice', async () => {
  const gone = 'https://schema.org/OutOfStock';
  const read = async (...offers: object[]) => {
    const [product] = await productsIn(schemaOrgShop({ hasMenu: menuOf(soup({ offers })) }));
    const names = product?.customizations.flatMap(({ options }) => options.map((one) => one.name));
    return [product?.price, product?.available, names];
  };
  const [cup, bowl] = [
    { name: 'Cup', price: 4 },
    { name: 'Bowl', price: 7 },
  ];
  const pot = { name: 'Pot', price: 9 };
  assert.deepEqual(await read({ ...cup, availability: gone }, bowl, pot), [700, true, ['Bowl', 'Pot']]);
  assert.deepEqual(await read({ ...cup, availability: gone }, bowl), [700, true, []]);
  assert.deepEqual(await read({ ...cup, availability: gone }, cup), [400, true, []]);
  const allGone = [cup, bowl].map((offer) => ({ ...offer, availability: gone }));
  assert.deepEqual(await read(...allGone), [400, false, ['Cup', 'Bowl']]);
});

test('an item whose price is no amount is left out with a warning and its store stays; a foreign currency rejects the store', async () => {
  for (const [offers, warning] of [
    [{ price: -1 }, 'expected a price of at least 0'],
    [{ price: 'Market Price' }, 'expected a price such as 12.50, not "Market Price"'],
    [{ price: '8-12' }, 'expected one price, not a range'],
    [{ lowPrice: 8, highPrice: 12 }, 'expected one price, not a range'],
  ] as const) {
    const side = { '@type': 'MenuItem', name: 'Lobster', offers };
    const menu = menuOf(soup({ offers }), soup({ name: 'Stew', menuAddOn: side }));
    const { catalog, warnings } = await readStore(schemaOrgShop({ hasMenu: menu }));
    assert.deepEqual(
      catalog.products.map(({ product }) => [product.name, product.customizations]),
      [['Stew', []]],
    );
    assert.deepEqual(warnings, [
      `MenuItem Soup: offers.price: ${warning}; left out`,
      'MenuItem Soup: offers: expected an offer with a price; left out',
      `MenuItem Lobster: offers.price: ${warning}; left out`,
    ]);
  }
  const noisy = menuOf(soup({ offers: { price: 32.970000000000006 } }));
  const [sum] = await productsIn(schemaOrgShop({ hasMenu: noisy }));
  assert.equal(sum?.price, 3297);
  const foreign = menuOf(soup({ offers: { price: 1, priceCurrency: 'EUR' } }));
  const parsed = await readPage(JSON.stringify(schemaOrgShop({ hasMenu: foreign })));
  assert.deepEqual(parsed.ok || faultLines(parsed.faults), [
    'MenuItem Soup: offers.priceCurrency: expected a price in USD, not "EUR"',
  ]);
  const { catalog, warnings } = await readStore(
    schemaOrgShop({ hasMenu: menuOf(soup({ offers: undefined }), soup({ name: 'Stew' })) }),
  );
  assert.deepEqual(
    [catalog.products.length, warnings],
    [1, ['MenuItem Soup: offers: expected an offer with a price; left out']],
  );
});

test('add-ons are choices: each section its own, loose items together, nested as deep as they are', async () => {
  const dip = { '@type': 'MenuItem', name: 'Dip' };
  const fries = { '@type': 'MenuItem', name: 'Fries', offers: { price: 2 }, menuAddOn: dip };
  const sides = {
    '@type': 'MenuSection',
    name: 'Sides',
    hasMenuItem: [fries, dip],
    eligibleQuantity: { minValue: 1, maxValue: '2' },
  };
  const [product] = await productsIn(
    schemaOrgShop({
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

test('an add-on that is out of stock is no option, but of a required choice with too few others', async () => {
  const gone = { price: 1, availability: 'https://schema.org/OutOfStock' };
  const dip = { '@type': 'MenuItem', name: 'Dip', offers: gone };
  const bread = { '@type': 'MenuItem', name: 'Bread', offers: [gone, { price: 1 }] };
  const addOns = async (menuAddOn: unknown) => {
    const [product] = await productsIn(schemaOrgShop({ hasMenu: menuOf(soup({ menuAddOn })) }));
    return product?.customizations.map(({ options }) => options.map(({ name }) => name));
  };
  const sides = { '@type': 'MenuSection', name: 'Sides', hasMenuItem: [dip, bread] };
  const required = { ...sides, hasMenuItem: [dip], eligibleQuantity: { minValue: 1 } };
  assert.deepEqual(await addOns([dip, bread]), [['Bread']]);
  assert.deepEqual(await addOns(sides), [['Bread']]);
  assert.deepEqual(await addOns({ ...sides, hasMenuItem: [dip] }), []);
  assert.deepEqual(await addOns(required), [['Dip']]);
});
