import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs, SEED } from '../../../test/runs.ts';
import type { SoldByWeight } from '../../supply/pricing/weight.ts';
import { type OrderBody, orderRequestOf, readOrderBody } from './order-body.ts';
import { readItems } from './weigh-items.ts';

type Sent = { quantity?: unknown; pieces?: unknown };

/** The item as it is ordered, or the message at `items[0].quantity`. */
function read(sent: Sent, weight?: SoldByWeight): { quantity: number; amount?: object } | string {
  const parsed = readOrderBody({ pickup: true, items: [{ product_id: 'p', ...sent }] });
  const found =
    'error' in parsed
      ? { faults: parsed.error.extras.errors ?? [] }
      : readItems(orderRequestOf(parsed.value as OrderBody).items, new Map([['p', weight ? { weight } : {}]]));
  if ('faults' in found) {
    assert.deepEqual(
      found.faults.map(({ name }) => name.replace('pieces', 'quantity')),
      ['items[0].quantity'],
    );
    return found.faults[0]?.message ?? '';
  }
  const [{ quantity, amount } = assert.fail()] = found.items;
  return { quantity, ...(amount ? { amount } : {}) };
}

const POUNDS: SoldByWeight = {
  unit: 'lb',
  per: 1000,
  step: 250,
  min: 250,
  max: 50_000,
  piece: null,
  tolerancePercent: 10,
  scaleCode: null,
};
const BANANAS = { ...POUNDS, piece: 367, tolerancePercent: 20 };
const DELI: SoldByWeight = { ...POUNDS, unit: 'g', per: 100_000, step: 50_000, min: 50_000, max: 25_000_000 };

const pounds = (milli: number) => ({ quantity: 1, amount: { milli, unit: 'lb' } });

test('a decimal is taken exactly if it is a multiple of the step within the bounds, as a number and as a string', () => {
  const weights = fc
    .tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 60 }))
    .map(([step, least, more]) => ({ ...POUNDS, step, min: step * least, max: step * (least + more) }));
  const given = fc.oneof(
    fc.record({ steps: fc.integer({ min: 0, max: 70 }), off: fc.constantFrom(0, 0, 1, -1) }),
    fc.record({ steps: fc.constant(0), off: fc.integer({ min: 0, max: 200_000 }) }),
  );
  fc.assert(
    fc.property(weights, given, fc.boolean(), (weight, { steps, off }, isText) => {
      const milli = Math.max(0, steps * weight.step + off);
      const text = `${Math.floor(milli / 1000)}.${String(milli % 1000).padStart(3, '0')}`;
      const taken = milli % weight.step === 0 && milli >= weight.min && milli <= weight.max;
      const found = read({ quantity: isText ? text : Number(text) }, weight);
      if (taken) assert.deepEqual(found, pounds(milli));
      else assert.equal(typeof found, 'string');
    }),
    { seed: SEED, numRuns: runs(10_000) },
  );
});

test('weights are written in any notation of a decimal, and an integer is one', () => {
  for (const quantity of [0.25, 0.5, 1.0, '2.25', 1, 2, 4, 9, '9', '0.250'])
    assert.deepEqual(read({ quantity }, POUNDS), pounds(Number(quantity) * 1000), String(quantity));
  assert.deepEqual(read({}, POUNDS), pounds(1000));
  assert.deepEqual(read({ quantity: null }, POUNDS), pounds(1000));
});

test('a weight error states the limit in the weight’s unit', () => {
  const messages = [
    ...[0, 0.1, '0', -1, 50.25, 1e300, 1.1, 1.125].map((quantity) => read({ quantity }, POUNDS)),
    read({ quantity: 120 }, DELI),
  ];
  const least = 'must be at least 0.25 lb';
  assert.deepEqual(messages, [
    ...[least, least, least, least, 'must be at most 50 lb', 'must be at most 50 lb'],
    ...['must be a multiple of 0.25 lb', 'must be a multiple of 0.25 lb', 'must be a multiple of 50 g'],
  ]);
  for (const quantity of [
    1.0001,
    0.1 + 0.2,
    '1.5 lb',
    '1.5kg',
    '1,5',
    '1e1',
    '',
    ' 1',
    '-1',
    '+1',
    '٢',
    -0.5,
    true,
    {},
    [1],
  ])
    assert.equal(typeof read({ quantity }, POUNDS), 'string', String(quantity));
});

test('a price without a quantity is per unit, then per stated size, then per smallest size', () => {
  assert.deepEqual(read({}, DELI), { quantity: 1, amount: { milli: 100_000, unit: 'g' } });
  assert.deepEqual(read({}, { ...DELI, min: 150_000 }), { quantity: 1, amount: { milli: 150_000, unit: 'g' } });
  assert.equal(read({ quantity: 1 }, DELI), 'must be at least 50 g');
});

test('piece counts are accepted where a piece has a known weight, and never with a quantity', () => {
  assert.deepEqual(read({ pieces: 3 }, BANANAS), { quantity: 1, amount: { pieces: 3, unit: 'lb' } });
  assert.equal(read({ pieces: 3 }, { ...BANANAS, max: 1000 }), 'must be at most 1 lb');
  for (const sent of [
    { pieces: 3, quantity: 1 },
    { pieces: 3, quantity: '1.5' },
    { pieces: 0 },
    { pieces: 100 },
    { pieces: 1.5 },
  ])
    assert.equal(typeof read(sent, BANANAS), 'string', JSON.stringify(sent));
  assert.equal(typeof read({ pieces: 3 }, POUNDS), 'string');
  assert.equal(typeof read({ pieces: 3 }), 'string');
});

test('other goods take only whole numbers', () => {
  assert.deepEqual(
    [read({}), read({ quantity: 1 }), read({ quantity: 99 })],
    [1, 1, 99].map((quantity) => ({ quantity })),
  );
  assert.deepEqual(
    [1.5, '2', '1.5', 0, -3, 100, 1e300].map((quantity) => read({ quantity })),
    [
      ...['must be a whole number', 'must be a whole number', 'must be a whole number'],
      ...['must be at least 1', 'must be at least 1', 'must be at most 99', 'must be at most 99'],
    ],
  );
});

test('an amount that was given in another unit is none', () => {
  const item = { productId: 'p', selectedOptions: [], notes: '', markedPriceCents: null };
  const given = [{ ...item, quantity: 1, amount: { milli: 1500, unit: 'kg' as const } }];
  const found = readItems(given, new Map([['p', { weight: POUNDS }]]));
  assert.deepEqual(found, { faults: [{ in: 'body', name: 'items[0].quantity', message: 'must be in lb' }] });
});
