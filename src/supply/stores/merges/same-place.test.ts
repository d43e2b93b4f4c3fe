import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ComparedPlace, samePlace } from './same-place.ts';

const METER = 1 / 111_195;

function at(name: string, more: Partial<ComparedPlace> & { meters?: number } = {}): ComparedPlace {
  const { meters = 0, ...rest } = more;
  return { name, brand: null, phoneNumber: null, latitude: 49.28 + meters * METER, longitude: -123.12, ...rest };
}

const sameReason = (one: ComparedPlace, other: ComparedPlace) => samePlace(one, other)?.reason ?? null;

test('one name within 60 m is one place, whatever its case, accents, spaces and punctuation', () => {
  const pairs = [
    ['Phở Hòa', 'PHO HOA'],
    ["McDonald's", 'Mc Donalds'],
    ['A&W', 'A & W'],
    ['The Keg', 'Keg'],
    ['Joe’s Pizza', "Joe's Pizza Restaurant"],
    ['Freshslice', 'Freshslice Pizza'],
  ];
  for (const [one = '', other = ''] of pairs) {
    assert.equal(sameReason(at(one), at(other, { meters: 59 })), 'name', one);
    assert.equal(sameReason(at(one), at(other, { meters: 61 })), null, one);
  }
  const meters = samePlace(at('Keg'), at('Keg', { meters: 25 }))?.meters ?? 0;
  assert.ok(Math.abs(meters - 25) < 0.1);
});

test('a chain’s outlet is known by its brand, also where only one of the two records names it', () => {
  const brand = 'Starbucks';
  assert.equal(sameReason(at('Starbucks', { brand }), at('Starbucks Coffee', { brand })), 'brand');
  assert.equal(sameReason(at('Starbucks Reserve', { brand }), at('Starbucks')), 'brand');
  assert.equal(sameReason(at('Starbucks Reserve', { brand }), at('Reserve')), null);
  assert.equal(sameReason(at('Express', { brand: 'Tim Hortons' }), at('Express 2', { brand: 'Subway' })), null);
});

test('one telephone number is one place, none is not', () => {
  assert.equal(
    sameReason(at('Fable', { phoneNumber: 1604 }), at('Fable Kitchen on 4th', { phoneNumber: 1604 })),
    'phone',
  );
  assert.equal(sameReason(at('Fable', { phoneNumber: 1604 }), at('Restaurant', { phoneNumber: 1604 })), null);
  assert.equal(sameReason(at('Fable'), at('Salad Loop')), null);
});

test('two brands at one door stay two, though they share a telephone', () => {
  const brands = ['KFC', 'Taco Bell', 'Pizza Hut', 'A&W', 'Tim Hortons', 'Wendy’s', 'Baskin-Robbins', 'Dunkin’'];
  for (const one of brands)
    for (const other of brands.filter((name) => name !== one)) {
      const [first, second] = [at(one, { phoneNumber: 1604 }), at(other, { phoneNumber: 1604 })];
      assert.equal(sameReason(first, second), null, `${one} ${other}`);
      assert.equal(sameReason({ ...first, brand: one }, second), null, `${one} ${other}`);
      assert.equal(sameReason({ ...first, brand: one }, { ...second, brand: other }), null, `${one} ${other}`);
    }
});

test('two brands with one telephone are two places unless they share a distinctive word or brand', () => {
  const word = fc.constantFrom('fable', 'keg', 'joe', 'lotus', 'nova', 'pizza', 'grill', 'cafe', 'the', 'restaurant');
  const name = fc.array(word, { minLength: 1, maxLength: 3 });
  const brand = fc.constantFrom(null, 'Fable', 'Lotus', 'Nova');
  const isOwn = (one: string) => ['fable', 'keg', 'joe', 'lotus', 'nova'].includes(one);
  fc.assert(
    fc.property(name, name, brand, brand, (one, other, oneBrand, otherBrand) => {
      const places = [at(one.join(' '), { brand: oneBrand }), at(other.join(' '), { brand: otherBrand })] as const;
      const [first, second] = places.map((place) => ({ ...place, phoneNumber: 1604 })) as [
        ComparedPlace,
        ComparedPlace,
      ];
      const words = (some: readonly string[], of: string | null) => [...some, ...(of ? [of.toLowerCase()] : [])];
      const shared = words(one, oneBrand).filter((own) => isOwn(own) && words(other, otherBrand).includes(own));
      const areOther = oneBrand !== null && otherBrand !== null && oneBrand !== otherBrand;
      if (shared.length === 0 || areOther) assert.equal(sameReason(first, second), sameReason(...places));
      else assert.notEqual(sameReason(first, second), null);
    }),
  );
});

test('different shops at one address stay two, and generic words match nothing', () => {
  const pairs = [
    ["Joe's Pizza", "Joe's Cafe"],
    ['Sushi Bar', 'Sushi Bar'],
    ['Pharmacy', 'Pharmacy'],
    ['The Hardware Store', 'Hardware Store'],
    ['Coffee Shop', 'The Coffee Shop'],
    ['Pizza', 'Pizza Restaurant'],
    ['Freshslice', 'Subway'],
    ['Fish & Co', 'fish and co'],
    ['', ''],
    ['!!!', '???'],
    ['Safeway', 'Safeway Pharmacy'],
  ];
  for (const [one = '', other = ''] of pairs) assert.equal(sameReason(at(one), at(other)), null, one);
  assert.equal(sameReason(at('Grill', { brand: 'Grill' }), at('Bar', { brand: 'Grill' })), null);
});

test('matching is symmetric', () => {
  const words = fc.array(fc.constantFrom('joe', 'pizza', 'cafe', 'the', 'keg', "Ann's", '!'), { maxLength: 4 });
  const name = words.map((some) => some.join(' '));
  const place = fc.record({
    name,
    brand: fc.option(name),
    phoneNumber: fc.option(fc.integer({ min: 1, max: 3 })),
    meters: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(place, place, (one, other) => {
      const [a, b] = [at(one.name, one), at(other.name, other)];
      assert.equal(sameReason(a, b), sameReason(b, a));
    }),
  );
});
