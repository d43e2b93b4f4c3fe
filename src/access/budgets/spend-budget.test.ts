import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { UNLIMITED } from '../../platform/lib/parse-setting.ts';
import { findBudgetUse, setAccountLimit } from './account-limits.db.ts';
import { budgetDay, secondsUntilNextDay } from './budget.ts';
import { type Spending, spendBudget, spendUpTo } from './spend-budget.db.ts';

const app = await givenApp();
after(() => app.close());

const spendingOf = (accountId: string, changes: Partial<Spending> = {}): Spending => ({
  ...{
    accountId,
    mode: 'live',
    kind: 'unplaced_orders',
    day: '2026-06-10',
    used: 1,
    bytes: 10,
    max: 5,
    maxBytes: 1e6,
  },
  ...changes,
});

let accounts = 0;
const newAccount = () => `acc_counted_${accounts++}`;

async function readUse(accountId: string): Promise<[number, number]> {
  const rows = await findBudgetUse(app.service.deps.db, accountId, '2026-06-10');
  return [rows[0]?.used ?? 0, rows[0]?.bytes ?? 0];
}

test('uses in any order add up to a plain sum, and never pass either limit', async () => {
  const { db } = app.service.deps;
  const use = fc.record({ used: fc.integer({ min: 0, max: 4 }), bytes: fc.integer({ min: 0, max: 40 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(use, { maxLength: 12 }),
      fc.record({ max: fc.integer({ min: 0, max: 12 }), maxBytes: fc.integer({ min: 0, max: 120 }) }),
      async (uses, limits) => {
        const accountId = newAccount();
        const counted = { used: 0, bytes: 0 };
        for (const { used, bytes } of uses) {
          const fits = counted.used + used <= limits.max && counted.bytes + bytes <= limits.maxBytes;
          assert.equal(await spendBudget(db, spendingOf(accountId, { used, bytes, ...limits })), fits);
          if (fits) Object.assign(counted, { used: counted.used + used, bytes: counted.bytes + bytes });
        }
        assert.deepEqual(await readUse(accountId), [counted.used, counted.bytes]);
      },
    ),
    { numRuns: runs(60) },
  );
});

test('units that fit in part are used as far as they fit, in any order', async () => {
  const { db } = app.service.deps;
  const steps = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 0, max: 15 }), async (wanted, max) => {
      const accountId = newAccount();
      let left = max;
      for (const used of wanted) {
        const granted = await spendUpTo(db, spendingOf(accountId, { kind: 'sms', used, max }));
        assert.equal(granted, Math.min(used, left));
        left -= granted;
      }
      assert.equal((await readUse(accountId))[0], max - left);
    }),
    { numRuns: runs(40) },
  );
});

test('forty uses at once, from two nodes, get exactly what is left', async () => {
  const node = await app.givenNode('api');
  const pools = [app.service.deps.db, node.deps.db];
  const accountId = newAccount();
  const at = (index: number) => pools[index % 2] ?? assert.fail();
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, index) => spendBudget(at(index), spendingOf(accountId, { max: 17 }))),
  );
  assert.equal(outcomes.filter((isWithin) => isWithin).length, 17);
  assert.deepEqual(await readUse(accountId), [17, 170]);
  const other = newAccount();
  const granted = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      spendUpTo(at(index), spendingOf(other, { kind: 'sms', used: 3, max: 40 })),
    ),
  );
  assert.equal(
    granted.reduce((sum, units) => sum + units, 0),
    40,
  );
});

test("an account's own limit replaces the default, unlimited removes it, and the default can be restored", async () => {
  const { db } = app.service.deps;
  const { accountId } = await app.givenClient();
  const spend = () => spendBudget(db, spendingOf(accountId, { max: 1 }));
  assert.deepEqual([await spend(), await spend()], [true, false]);
  await setAccountLimit(db, { accountId, kind: 'unplaced_orders', max: 3 });
  assert.deepEqual([await spend(), await spend(), await spend()], [true, true, false]);
  await setAccountLimit(db, { accountId, kind: 'unplaced_bytes', max: 35 });
  await setAccountLimit(db, { accountId, kind: 'unplaced_orders', max: UNLIMITED });
  assert.equal(await spend(), false);
  await setAccountLimit(db, { accountId, kind: 'unplaced_bytes', max: null });
  assert.equal(await spend(), true);
});

test('a budget counts by the UTC day, each mode and account for itself, and is forgotten after weeks', async () => {
  const { db } = app.service.deps;
  const [accountId, other] = [newAccount(), newAccount()];
  const spend = (changes: Partial<Spending>) => spendBudget(db, spendingOf(accountId, { max: 1, ...changes }));
  assert.equal(await spend({}), true);
  assert.equal(await spend({}), false);
  assert.deepEqual(
    [await spend({ day: '2026-06-11' }), await spend({ mode: 'sandbox' }), await spend({ accountId: other })],
    [true, true, true],
  );
  const late = Temporal.Instant.from('2026-06-10T23:59:58.5Z');
  assert.deepEqual([budgetDay(late), secondsUntilNextDay(late)], ['2026-06-10', 2]);
  assert.equal(secondsUntilNextDay(Temporal.Instant.from('2026-06-10T00:00:00Z')), 86_400);
  assert.equal((await findBudgetUse(db, accountId, '2026-06-11')).length, 1);
});
