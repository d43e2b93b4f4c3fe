import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at, BARE, faultsOf, productOf, storeOf, withProduct } from '../../../test/parsed-line.ts';
import { runs } from '../../../test/runs.ts';
import { itemEntry, parseItem, presentEntry } from './menu-entry.ts';

type Given = Readonly<Record<string, unknown>>;

/** Thousandths of a feed's weight above zero; null for anything else. */
function thousandthsOf(value: unknown): bigint | null {
  const text = ['number', 'string'].includes(typeof value) ? String(value) : '';
  const [, whole, fraction = ''] = /^([0-9]{1,6})(?:\.([0-9]{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const thousandths = BigInt(whole) * 1000n + BigInt(`${fraction}000`.slice(0, 3));
  return thousandths > 0n ? thousandths : null;
}

const STEPS: Readonly<Record<string, bigint>> = { lb: 250n, kg: 250n, oz: 1000n, g: 50_000n };
const MOST: Readonly<Record<string, bigint>> = { lb: 50n, oz: 800n, kg: 25n, g: 25_000n };

const isThere = (value: unknown) => value !== undefined && value !== null;
const AMOUNTS = ['price_per', 'step', 'min', 'max', 'piece_weight'] as const;
const unitOf = ({ unit }: Given) => (typeof unit === 'string' && unit.trim() in STEPS ? unit.trim() : undefined);
const codeOf = ({ scale_code: code }: Given) => (typeof code === 'number' ? String(code) : code);

/** Amounts in thousandths, with the specification's defaults where a feed names none. */
function amountsOf(weight: Given, unit: string) {
  const [per, ownStep, ownMin, ownMax, piece] = AMOUNTS.map((key) => thousandthsOf(weight[key]));
  const step = ownStep ?? (STEPS[unit] as bigint);
  const min = ownMin ?? step;
  const most = (MOST[unit] as bigint) * 1000n;
  const usual = most - (most % step);
  return { per: per ?? 1000n, step, min, max: ownMax ?? (usual > min ? usual : min), piece: piece ?? null };
}

/** The fields that the specification refuses. */
function faultyOf(weight: Given): string[] {
  const unit = unitOf(weight);
  const { tolerance_percent: tolerance } = weight;
  const code = codeOf(weight);
  const isPercent = Number.isInteger(tolerance) && (tolerance as number) >= 0 && (tolerance as number) <= 25;
  const faults: [boolean, string][] = [
    ...AMOUNTS.map((key): [boolean, string] => [isThere(weight[key]) && thousandthsOf(weight[key]) === null, key]),
    [unit === undefined, 'unit'],
    [isThere(tolerance) && !isPercent, 'tolerance_percent'],
    [isThere(code) && !(typeof code === 'string' && /^([0-9]{1,12})?$/.test(code)), 'scale_code'],
  ];
  if (unit !== undefined) {
    const { step, min, max } = amountsOf(weight, unit);
    faults.push([min % step !== 0n, 'min'], [max % step !== 0n || max < min, 'max']);
  }
  return faults.flatMap(([isFault, key]) => (isFault ? key : []));
}

function expectedOf(weight: Given) {
  const unit = unitOf(weight) ?? '';
  const { per, step, min, max, piece } = amountsOf(weight, unit);
  const code = codeOf(weight);
  return {
    unit,
    per: Number(per),
    step: Number(step),
    min: Number(min),
    max: Number(max),
    piece: piece && Number(piece),
    tolerancePercent: weight.tolerance_percent ?? (piece ? 20 : 10),
    scaleCode: code ? String(BigInt(code as string)) : null,
  };
}

const amount = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map((steps) => steps * 0.25),
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 1, max: 60_000 }).map((thousandths) => String(thousandths / 1000)),
  fc.constantFrom(0, -1, 0.1 + 0.2, 1.2345, 1e21, '', 'x', '1,5', '0.5', 0.001, '1e3', 1_000_000, true, [], null),
);
const weights = fc.record(
  {
    unit: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('lb', 'oz', 'kg', 'g') },
      fc.constantFrom('LB', 'ml', ' kg ', 7, ''),
    ),
    price_per: amount,
    step: fc.oneof(fc.constantFrom(0.25, 0.5, 1, 50), amount),
    min: amount,
    max: amount,
    piece_weight: amount,
    tolerance_percent: fc.oneof(fc.integer({ min: -1, max: 27 }), fc.constantFrom(2.5, '10', null)),
    scale_code: fc.oneof(
      fc.integer({ min: -1, max: 99_999 }),
      fc.constantFrom('00123', '0', '1234567890123', 'A1', ''),
    ),
  },
  { requiredKeys: [] },
);

test('a weight is read, or refused with the path of each fault, as the specification says', () => {
  fc.assert(
    fc.property(weights, (weight) => {
      const product = { sold_by: 'weight', weight };
      const faults = new Set(faultsOf(withProduct(product)).map((fault) => fault.split(':')[0]));
      const faulty = faultyOf(weight);
      assert.deepEqual(faults, new Set(faulty.map((key) => at(`weight.${key}`))));
      if (faulty.length > 0) return;
      const read = productOf(product);
      const expected = expectedOf(weight);
      assert.deepEqual(read?.weight, expected);
      assert.equal(read?.unitOfMeasurement, expected.unit);
      assert.equal(read?.unitSize, expected.per / 1000);
      // The store may send the read form back.
      if (!read) return;
      const again = parseItem(presentEntry(itemEntry(read)));
      assert.deepEqual(again.ok && again.value.weight, expected);
    }),
    { numRuns: runs(3000) },
  );
});

test('stock by weight isn’t counted, and a weight applies only to items sold by weight', () => {
  const weight = { unit: 'lb' };
  assert.equal(productOf({ sold_by: 'weight', weight, qty_available: null })?.qtyAvailable, null);
  for (const qty of [0, 3, 'few'])
    assert.deepEqual(faultsOf(withProduct({ sold_by: 'weight', weight, qty_available: qty })), [
      `${at('qty_available')}: expected null for goods by weight`,
    ]);
  assert.deepEqual(faultsOf(withProduct({ sold_by: 'weight' })), [`${at('weight')}: expected present`]);
  assert.deepEqual(faultsOf(withProduct({ sold_by: 'volume' })), [`${at('sold_by')}: expected piece or weight`]);
  for (const sold of [{ weight }, { weight: '2 kg' }, { weight, sold_by: 'piece' }, { weight, sold_by: null }])
    assert.deepEqual(productOf({ ...sold, qty_available: 3 }), productOf({ qty_available: 3 }));
});

test("a code of the scale is one product's, whatever its zeros", () => {
  const product = (id: string, scale_code: unknown) => ({
    id,
    name: id,
    price: 899,
    sold_by: 'weight',
    weight: { unit: 'lb', scale_code },
  });
  const line = (...products: object[]) => ({ ...BARE, categories: [{ id: 'c', name: 'C', products }] });
  assert.deepEqual(faultsOf(line(product('a', '00042'), product('b', 7), product('c', 42))), [
    'categories[0].products[2].weight.scale_code: expected unique within the store',
  ]);
  const { products } = storeOf(line(product('a', '00042'), product('b', 7), product('c', null))).catalog;
  assert.deepEqual(
    products.map(({ product: { weight } }) => weight?.scaleCode),
    ['42', '7', null],
  );
});
