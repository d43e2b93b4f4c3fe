import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedLine } from '../../test/feed-lines.ts';
import { addOns, foodStore, item, kitchen, offer, readJoined, section } from '../../test/food-entities.ts';

const linesOf = (list: readonly { path: string; message: string }[]) =>
  list.map(({ path, message }) => `${path}: ${message}`);

test('a required choice without enough items is an error; an optional one is left out', () => {
  const needed = readJoined(kitchen(addOns('sides', 'soup', { eligibleQuantityMin: 1 }), item('fries', 'sides')));
  assert.deepEqual(needed.ok || linesOf(needed.faults), [
    'MenuSection sides: expected at least 1 items to choose from, found 0',
  ]);
  const free = readJoined(kitchen(addOns('sides', 'soup'), item('fries', 'sides')));
  assert.ok(free.ok);
  assert.deepEqual(free.store.catalog.products[0]?.product.customizations, []);
  assert.deepEqual(linesOf(free.warnings), [
    'MenuItem fries: expected a MenuItemOffer; left out',
    'MenuSection sides: expected items to choose from; left out',
  ]);
});

test('offers for each service are its prices, several of one service a required choice over the cheapest', () => {
  const both = readJoined(
    kitchen(
      offer('soup', 5, { applicableServiceType: ['DELIVERY'] }),
      offer('soup', '4.00', { '@id': 'soup/takeout', applicableServiceType: 'TAKEOUT' }),
    ),
  );
  assert.ok(both.ok);
  const soup = both.store.catalog.products[0]?.product;
  assert.deepEqual([soup?.price, soup?.pickupPrice, soup?.customizations], [500, 400, []]);
  const sizes = readJoined(
    kitchen(offer('soup', 5, { sku: 'Cup' }), offer('soup', '7.25', { '@id': 'soup/bowl', sku: 'Bowl' })),
  );
  assert.ok(sizes.ok);
  const [sized] = sizes.store.catalog.products;
  assert.equal(sized?.product.price, 500);
  assert.deepEqual(
    sized?.product.customizations.map(({ minChoiceOptions, maxChoiceOptions, options: forms }) => [
      minChoiceOptions,
      maxChoiceOptions,
      forms.map(({ name, price }) => [name, price]),
    ]),
    [
      [
        1,
        1,
        [
          ['Cup', 0],
          ['Bowl', 225],
        ],
      ],
    ],
  );
});

test('menus of different services are sold in those services only; a section that they share has one place', () => {
  const lunch: FeedLine[] = [
    { '@type': 'Menu', '@id': 'out' },
    { '@type': 'Service', '@id': 'r1/takeout', serviceType: 'TAKEOUT', restaurantId: 'r1', menuId: 'out' },
    section('mains', { menuId: ['r1/menu', 'out'] }),
    section('bulk', { menuId: 'out' }),
    item('tray', 'bulk'),
    offer('tray', 40),
  ];
  const parsed = readJoined(
    [...kitchen(), ...lunch].filter(
      (one, at, all) =>
        !all.slice(at + 1).some((later) => later['@type'] === one['@type'] && later['@id'] === one['@id']),
    ),
  );
  assert.ok(parsed.ok, JSON.stringify(parsed));
  assert.deepEqual(
    parsed.store.catalog.products.map(({ product: { externalId, inDelivery, inPickup } }) => [
      externalId,
      inDelivery,
      inPickup,
    ]),
    [
      ['soup', true, true],
      ['tray', false, true],
    ],
  );
});

test('shared objects get an ID of their own in each place', () => {
  const parsed = readJoined(
    kitchen(
      section('popular'),
      section('mains', { '@id': 'sides' }),
      item('soup', 'mains', { parentMenuSectionId: ['mains', 'popular'] }),
    ),
  );
  assert.ok(parsed.ok);
  assert.deepEqual(
    parsed.store.catalog.products.map(({ product }) => product.externalId),
    ['soup', 'soup @popular'],
  );
});

test('add-ons that lead back to themselves are cut where they do', () => {
  const parsed = readJoined(
    kitchen(
      addOns('extras', 'soup'),
      item('roll', 'extras'),
      offer('roll', 1),
      addOns('with-roll', 'roll'),
      item('soup', 'mains', { parentMenuSectionId: ['mains', 'with-roll'] }),
    ),
  );
  assert.ok(parsed.ok, JSON.stringify(parsed));
  assert.match(linesOf(parsed.warnings).join(), /MenuItem soup: expected no add-ons that lead back to themselves/);
  const loop = readJoined([
    ...foodStore(),
    section('a', { menuId: 'r1/menu', parentMenuSectionId: 'b' }),
    section('b', { menuId: undefined, parentMenuSectionId: 'a' }),
  ]);
  assert.ok(loop.ok);
});

test("hours, fees and services become the store's; exceptions beyond a week are reported", () => {
  const takeout = 'r1/takeout';
  const parsed = readJoined([
    ...kitchen(),
    {
      '@type': 'ServiceHours',
      '@id': 'sunday',
      serviceId: takeout,
      opens: '16:00',
      closes: '02:00',
      dayOfWeek: 'SUNDAY',
    },
    {
      '@type': 'ServiceHours',
      '@id': 'feast',
      serviceId: takeout,
      opens: '10:00',
      closes: '12:00',
      validFrom: '2026-12-24T00:00:00-06:00',
      isSpecialHour: true,
    },
    {
      '@type': 'ServiceHours',
      '@id': 'ahead',
      serviceId: takeout,
      orderType: 'ADVANCE',
      opens: '11:00',
      closes: '20:00',
      advanceBookingRequirementMin: 60,
      advanceBookingRequirementMax: '10080',
      advanceBookingSlotInterval: 'PT15M',
    },
    { '@type': 'Fee', '@id': 'd0', serviceId: 'r1/delivery', feeType: 'DELIVERY', price: '2.99', priceCurrency: 'USD' },
    {
      '@type': 'Fee',
      '@id': 'd40',
      serviceId: 'r1/delivery',
      feeType: 'DELIVERY',
      price: 0,
      eligibleTransactionVolumeMin: '40',
    },
    { '@type': 'Fee', '@id': 's', serviceId: 'r1/delivery', feeType: 'SERVICE', percentageOfCart: '10' },
    {
      '@type': 'ServiceArea',
      '@id': 'near',
      serviceId: 'r1/delivery',
      geoRadius: 4828.032,
      geoMidpointLatitude: 41.8843,
      geoMidpointLongitude: -87.6484,
    },
    { '@type': 'ServiceArea', '@id': 'town', serviceId: 'r1/delivery', postalCode: '60607', addressCountry: 'US' },
    {
      '@type': 'Availability',
      '@id': 'noon',
      menuItemOfferId: 'soup/offer',
      opens: '11:00',
      closes: '14:00',
      dayOfWeek: ['MONDAY'],
    },
  ]);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const { profile, catalog } = parsed.store;
  assert.deepEqual(
    [profile.delivery.enabled, profile.delivery.parties[0]?.zones[0]?.reach, profile.pickup.enabled],
    [true, { radiusMiles: 3 }, true],
  );
  assert.deepEqual(profile.fees.deliveryFee, {
    flatCents: 299,
    percent: 0,
    taxable: false,
    thresholds: [{ minimumSubtotalCents: 4000, flatCents: 0, percent: 0 }],
  });
  assert.equal(profile.fees.serviceFee.percent, 10);
  assert.deepEqual(profile.scheduling, {
    enabled: true,
    slotMinutes: 15,
    leadMinutes: 60,
    daysAhead: 7,
    capacity: null,
  });
  assert.deepEqual(catalog.products[0]?.product.hours, [
    [{ startMinute: 660, endMinute: 840 }],
    [],
    [],
    [],
    [],
    [],
    [],
  ]);
  assert.deepEqual(linesOf(parsed.warnings), [
    'ServiceHours feast: expected hours of some dates: it has no first and last date (validFrom, validThrough); left out',
    'ServiceArea town: expected a polygon, or a circle with geoRadius; left out',
  ]);
});

test('unreadable service hours are one warning; the service’s and the store’s become unknown', () => {
  const odd = { '@type': 'ServiceHours', '@id': 'odd', serviceId: 'r1/takeout', opens: 'late', closes: '23:00' };
  const parsed = readJoined([...kitchen(), odd]);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const { delivery, ...others } = parsed.store.profile.hours;
  assert.deepEqual(others, { operational: null, pickup: null, dine_in: null });
  assert.deepEqual(delivery?.[0], [{ startMinute: 0, endMinute: 1440 }]);
  assert.deepEqual(linesOf(parsed.warnings), [
    'ServiceHours odd: expected regular weekly hours: it has no times such as 09:00; left unknown',
  ]);
});

test('special hours apply on their dates, per fulfillment type where they differ', () => {
  const hours = (id: string, serviceId: string, more: object) => ({
    '@type': 'ServiceHours',
    '@id': id,
    serviceId,
    ...more,
  });
  const special = (id: string, serviceId: string, date: string, more: object) =>
    hours(id, serviceId, { isSpecialHour: true, validFrom: date, validThrough: date, ...more });
  const parsed = readJoined([
    ...kitchen(),
    special('eve', 'r1/takeout', '2026-12-24', { opens: '10:00', closes: '14:00' }),
    special('eve-late', 'r1/takeout', '2026-12-24', { opens: '16:00', closes: '18:00' }),
    special('eve-none', 'r1/delivery', '2026-12-24', { opens: '00:00', closes: '00:00' }),
    special('day', 'r1/takeout', '2026-12-25', {}),
    special('day-too', 'r1/delivery', '2026-12-25', {}),
    {
      '@type': 'OperationHours',
      '@id': 'year',
      serviceId: 'r1/takeout',
      isSpecialHour: 'true',
      validFrom: '2027-01-01T06:00:00Z',
      validThrough: '2027-01-02T06:00:00Z',
    },
  ]);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const { hours: week, hoursExceptions } = parsed.store.profile;
  assert.deepEqual(week.operational?.[0], [{ startMinute: 0, endMinute: 1440 }]);
  const shown = hoursExceptions.map(({ from, to, ranges, channel }) => [
    from === to ? from : `${from}/${to}`,
    channel,
    ranges.map(({ startMinute, endMinute }) => `${startMinute}-${endMinute}`).join(),
  ]);
  assert.deepEqual(shown, [
    ['2026-12-24', null, '600-840,960-1080'],
    ['2026-12-25', null, ''],
    ['2027-01-01', null, '0-1440'],
    ['2026-12-24', 'delivery', ''],
    ['2027-01-01', 'pickup', ''],
  ]);
  assert.deepEqual(parsed.warnings, []);
});

test('choices that grow without end are refused', () => {
  const levels = Array.from({ length: 30 }, (_, n) => [
    ...['a', 'b'].map((x) =>
      addOns(`${x}${n}`, n === 0 ? 'soup' : '', n === 0 ? {} : { parentMenuItemId: [`ia${n - 1}`, `ib${n - 1}`] }),
    ),
    ...['a', 'b'].flatMap((x) => [
      item(`i${x}${n}`, '', { parentMenuSectionId: [`a${n}`, `b${n}`] }),
      offer(`i${x}${n}`, 1),
    ]),
  ]).flat();
  const wide = readJoined(kitchen(...levels));
  assert.match(wide.ok ? 'ok' : linesOf(wide.faults).join(), /at most 20000 options in a product/);
});

test('sections deeper than a line may have are refused, not lost', () => {
  const deep = Array.from({ length: 33 }, (_, n) =>
    section(`s${n}`, n === 0 ? {} : { menuId: undefined, parentMenuSectionId: `s${n - 1}` }),
  );
  const refused = readJoined([...foodStore(), ...deep, item('soup', 's32'), offer('soup', 1)]);
  assert.deepEqual(refused.ok || linesOf(refused.faults), ['MenuSection s32: expected at most 32 levels of sections']);
  const taken = readJoined([...foodStore(), ...deep.slice(0, 32), item('soup', 's31'), offer('soup', 1)]);
  assert.ok(taken.ok);
  assert.equal(taken.store.catalog.categories.length, 32);
});
