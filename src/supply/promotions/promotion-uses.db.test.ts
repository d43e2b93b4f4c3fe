import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { givenPromotion, usedOf } from '../../../test/given/promotions.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { giveBackUses, lowerUses, takeUses } from './promotion-uses.db.ts';

const app = await givenApp();
const { db } = app.service.deps;
after(() => app.close());

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }));

type Use = { orderId: string; user: string | null; cents: number };

const ROLLED_BACK = new Error('none is left');

/** Takes the use in a transaction of its own, as an order does. */
const take = ({ orderId, user, cents }: Use, promotionId: string): Promise<boolean> =>
  db
    .transaction()
    .execute(async (tx) => {
      const order = { orderId, sandbox: app.accountId, salesCents: 1000, userHash: user, cardHash: null };
      if (await takeUses(tx, order, [{ promotionId, cents }], app.now())) return true;
      throw ROLLED_BACK;
    })
    .catch((error) => {
      if (error === ROLLED_BACK) return false;
      throw error;
    });

/** An order of `user` takes `cents`, or the one `back` orders ago gives its use back. */
const step = fc.record({
  user: fc.constantFrom('ana', 'ben', null),
  cents: fc.integer({ min: 1, max: 300 }),
  back: fc.option(fc.nat(5)),
});

test('a use is taken exactly while the promotion, its budget and the user have one left, returns included', async () => {
  let orders = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({ maxUses: limit(4), budgetCents: limit(600), maxUsesPerUser: limit(3), firstOrder: fc.boolean() }),
      fc.array(step, { minLength: 4, maxLength: 16 }),
      async ({ firstOrder, ...given }, steps) => {
        const limits = Object.entries(given).filter(([, max]) => max !== null);
        const promotionId = await givenPromotion(db, {
          terms: { kind: 'amount', amountCents: 300 },
          stores: ['sto_elsewhere'],
          firstOrder,
          ...Object.fromEntries(limits),
        });
        const perUser = firstOrder ? 1 : given.maxUsesPerUser;
        let taken: Use[] = [];
        for (const { back, ...use } of steps) {
          const gone = back === null ? undefined : taken.at(-1 - back);
          if (gone) {
            await giveBackUses(db, gone.orderId);
            taken = taken.filter((one) => one !== gone);
            continue;
          }
          orders += 1;
          const next = { ...use, orderId: `ord_use_${orders}` };
          const after = [...taken, next];
          const isWithin = (count: number, max: number | null) => max === null || count <= max;
          const isLeft =
            isWithin(after.length, given.maxUses) &&
            isWithin(sumCents(after.map(({ cents }) => cents)), given.budgetCents) &&
            isWithin(after.filter(({ user }) => user === use.user).length, perUser) &&
            (perUser === null || use.user !== null);
          assert.equal(await take(next, promotionId), isLeft);
          if (isLeft) taken = after;
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

test('concurrent orders of one user that take, lower and return uses lock in one order', async () => {
  const promotionId = await givenPromotion(db, {
    terms: { kind: 'amount', amountCents: 300 },
    stores: ['sto_elsewhere'],
    maxUsesPerUser: 1,
  });
  const work = async (worker: number) => {
    for (let nth = 1; nth <= runs(100, 40); nth += 1) {
      const use = { orderId: `ord_${worker}_${nth}`, user: 'ana', cents: 300 };
      if (!(await take(use, promotionId))) continue;
      await lowerUses(db, use.orderId, [{ promotionId, cents: 100 }], 500);
      await giveBackUses(db, use.orderId);
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, worker) => work(worker)));
  assert.deepEqual(await usedOf(db, promotionId), [0, 0, 0]);
});
