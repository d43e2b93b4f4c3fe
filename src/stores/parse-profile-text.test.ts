import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/runs.ts';
import { createProfileParser } from './parse-profile-text.ts';

/** JSON as PostgreSQL writes `jsonb`: shorter names first, then by letters. */
function asPostgres(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asPostgres).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${asPostgres(member)}`).join(', ')}}`;
}

const texts = ['Plain', '", "hours": {}, "phone": "', ', "name": ', '{"fees": ', 'a \\ b', ', "phone": ', 'Café'];
const text = fc.constantFrom(...texts);
const range = fc.record({ startMinute: fc.nat(1440), endMinute: fc.nat(2880) });
const week = fc.option(fc.array(fc.array(range, { maxLength: 2 }), { minLength: 7, maxLength: 7 }));
const WHOLE = {
  fees: { percent: 1 },
  phone: '1',
  hours: { operational: null },
  rating: null,
  description: '',
  latitude: 1,
  cuisines: ['pizza'],
  delivery: { enabled: true },
};
const MEMBERS = Object.keys(WHOLE);
const profile = fc.record(
  {
    name: text,
    type: fc.constantFrom('restaurant', 'grocery'),
    phone: text,
    description: text,
    fees: fc.record({
      deliveryFee: fc.record({ flatCents: fc.nat(), thresholds: fc.array(fc.nat()) }),
      percent: fc.nat(),
    }),
    hours: fc.record({ operational: week, delivery: week, pickup: week, dine_in: week }),
    address: fc.record({ city: text }),
    hoursExceptions: fc.array(fc.record({ hours: text, phone: text })),
    photos: fc.oneof(fc.record({ food: fc.array(text) }), fc.record({ pickup: text, rating: text })),
    rating: fc.option(fc.record({ value: fc.nat(), pickup: text })),
    pickup: fc.record({ enabled: fc.boolean(), rating: text }, { requiredKeys: ['enabled'] }),
    delivery: fc.record({
      enabled: fc.boolean(),
      parties: fc.array(fc.record({ delivery: text, latitude: fc.nat() })),
    }),
    cuisines: fc.array(text),
    latitude: fc.nat(),
    scheduling: fc.record({ enabled: fc.boolean() }),
  },
  { requiredKeys: ['name', 'type', 'pickup', 'delivery', 'scheduling'] },
);
/** All members but one are there. */
const whole = fc.tuple(profile, fc.nat(30)).map(([value, nth]) => ({
  ...WHOLE,
  ...value,
  ...(nth < MEMBERS.length ? { [MEMBERS[nth] as string]: undefined } : {}),
}));

test('a profile is parsed as JSON.parse parses it, whatever its texts are and whichever members it has', () => {
  const parse = createProfileParser();
  fc.assert(
    fc.property(fc.oneof(profile, whole), (value) => {
      for (const written of [asPostgres(value), JSON.stringify(value)])
        assert.deepEqual(parse(written), JSON.parse(written));
    }),
    { numRuns: runs(500) },
  );
});

test('profiles with the same hours and fees share the objects', () => {
  const parse = createProfileParser();
  const given = { ...WHOLE, type: 'restaurant', pickup: { enabled: true }, scheduling: { enabled: false } };
  const [one, other, third] = ['One', 'Other', 'Third'].map((name) =>
    parse(asPostgres({ ...given, name, ...(name === 'Third' ? { hours: { operational: [] } } : {}) })),
  );
  assert.equal(one?.hours, other?.hours);
  assert.equal(one?.fees, third?.fees);
  assert.notEqual(one?.hours, third?.hours);
});
