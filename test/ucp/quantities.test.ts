import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { goodsCents } from '../../src/supply/pricing/weight.ts';
import { type Basis, EACH, settleQuantity } from '../../src/surfaces/ucp/quantities.ts';
import { runs } from '../runs.ts';
import { ROOT } from '../source-files.ts';
import { HAS_CONTRACTS } from './contract.ts';

const skip = !HAS_CONTRACTS && 'no ../shared/data';
const EXAMPLES = join(ROOT, '../shared/data/contracts/ucp-shopping/examples');
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an example and fails where it is not there
const example = (name: string): any => JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8'));
const POUNDS: Basis = { unit: 'LBR', scale: 2, increment: 25 };
const MOST = 9900;

test('published examples: another weight is converted, a step is snapped, and a line is rounded once', { skip }, () => {
  const [wanted] = example('checkout/units.asserted.request').line_items;
  const [sold] = example('checkout/units.converted.response').line_items;
  const basis = { increment: 1, ...sold.item.quantity_unit };
  const settled = settleQuantity({ quantity: wanted.quantity, unit: wanted.item.quantity_unit }, basis, MOST);
  assert.deepEqual(settled, { quantity: sold.quantity, revisions: ['quantity_unit_converted'] });
  for (const name of [
    'checkout/units.converted.response',
    'checkout/units.by_weight.response',
    'order/by_measure.response',
    'order/catch_weight.response',
  ])
    for (const { item, quantity, totals } of example(name).line_items)
      assert.equal(
        goodsCents(item.price, quantity.original ?? quantity, 10 ** item.quantity_unit.scale),
        totals[0].amount,
        name,
      );
  assert.deepEqual(settleQuantity({ quantity: 137 }, POUNDS, MOST), {
    quantity: 125,
    revisions: ['quantity_increment_revised'],
  });
});

test('pieces are no weight, and saying no unit asserts nothing', () => {
  assert.equal(settleQuantity({ quantity: 2, unit: { unit: 'LBR', scale: 2 } }, EACH, 99), undefined);
  assert.equal(settleQuantity({ quantity: 2, unit: { unit: 'C62', scale: 2 } }, EACH, 99), undefined);
  for (const unit of ['valueOf', '__proto__', 'lb', ''])
    assert.equal(settleQuantity({ quantity: 2, unit: { unit } }, POUNDS, MOST), undefined, unit);
  assert.equal(settleQuantity({ quantity: 2, unit: { unit: 'C62' } }, POUNDS, MOST), undefined);
  assert.deepEqual(settleQuantity({ quantity: 2, unit: { unit: 'C62' } }, EACH, 99), { quantity: 2, revisions: [] });
  assert.deepEqual(settleQuantity({ quantity: 200 }, EACH, 99), { quantity: 99, revisions: ['quantity_adjusted'] });
  assert.deepEqual(settleQuantity({ quantity: 1 }, POUNDS, MOST)?.quantity, 25, 'at least one step');
});

test('a settled quantity is on the grid and within the maximum, and the nearest one where nothing is converted', () => {
  const increments = fc.integer({ min: 1, max: 100 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      increments,
      fc.integer({ min: 100, max: 1e5 }),
      (quantity, increment, most) => {
        const settled = settleQuantity({ quantity }, { ...POUNDS, increment }, most)?.quantity ?? 0;
        assert.equal(settled % increment, 0);
        assert.ok(settled <= most && settled >= 0);
        if (quantity + increment <= most && quantity >= increment)
          assert.ok(Math.abs(settled - quantity) <= increment / 2);
      },
    ),
    { numRuns: runs(200) },
  );
});
