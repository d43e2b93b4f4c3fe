import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { givenPromotion, usedOf } from '../../../test/given/promotions.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { mailboxOf, promotionUserOf } from './promotion-user.ts';
import { giveBackUses, lowerUses, takeUses } from './promotion-uses.db.ts';

const app = await givenApp();
const { db } = app.service.deps;
after(() => app.close());

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }));

/** Who orders: `mailbox` is the base of an email, which is written in many ways. */
type Person = { userId: string; phone: number | null; mailbox: string | null; email: string; card: string | null };
type Use = Person & { orderId: string; cents: number };

const ROLLED_BACK = new Error('none is left');

/** Takes the use in a transaction of its own, as an order does. */
const take = ({ orderId, cents, card, ...customer }: Use, promotionId: string): Promise<boolean> =>
  db
    .transaction()
    .execute(async (tx) => {
      const { accountId } = app;
      const of = {
        orderId,
        accountId,
        mode: 'sandbox',
        storeId: 'sto_elsewhere',
        sandbox: accountId,
        salesCents: 1000,
      };
      const user = promotionUserOf(app.service.deps.tokens, accountId, customer);
      if (await takeUses(tx, { ...of, user, card }, [{ promotionId, cents }], app.now())) return true;
      throw ROLLED_BACK;
    })
    .catch((error) => {
      if (error === ROLLED_BACK) return false;
      throw error;
    });

/** An email of the mailbox `ana` or `ben` at Gmail or elsewhere, as people write it. */
const email = fc
  .record({
    name: fc.constantFrom('ana', 'ben'),
    gmail: fc.constantFrom('', 'gmail.com', 'googlemail.com'),
    tag: fc.constantFrom('', '+', '+shop', '+a+b'),
    dots: fc.boolean(),
    upper: fc.boolean(),
  })
  .map(({ name, gmail, tag, dots, upper }) => {
    const local = `${dots && gmail ? [...name].join('.') : name}${tag}`;
    const text = `${local}@${gmail || 'mail.example'}`;
    return { mailbox: `${name} ${gmail !== ''}`, email: upper ? text.toUpperCase() : text };
  });
const person: fc.Arbitrary<Person> = fc
  .record({
    userId: fc.constantFrom('', 'ana', 'ben', 'ord_guest'),
    phone: fc.constantFrom(null, 13125550101, 13125550102),
    email: fc.option(email, { nil: { mailbox: null, email: '' } }),
    card: fc.constantFrom(null, 'card 1', 'card 2'),
  })
  .map(({ email: written, ...known }) => ({ ...known, ...written }));

/** By hand: whether two orders are of one user. */
const isOneUser = (one: Person, other: Person) =>
  (one.userId !== '' && one.userId !== 'ord_guest' && one.userId === other.userId) ||
  (one.phone !== null && one.phone === other.phone) ||
  (one.mailbox !== null && one.mailbox === other.mailbox) ||
  (one.card !== null && one.card === other.card);
const isKnown = (one: Person) => isOneUser(one, one);

/** Whether the orders could have been placed one after another, each with fewer than `max` of its user before. */
const isSomeSequence = (orders: readonly Person[], max: number): boolean =>
  orders.length === 0 ||
  orders.some((last) => {
    const before = orders.filter((one) => one !== last);
    return before.filter((one) => isOneUser(one, last)).length < max && isSomeSequence(before, max);
  });

const ANA: Person = { userId: 'ana', phone: null, mailbox: null, email: '', card: null };

/** An order of a person takes `cents`, or the one `back` orders ago gives its use back. */
const step = fc.record({ person, cents: fc.integer({ min: 1, max: 300 }), back: fc.option(fc.nat(5)) });

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
        for (const { back, cents, person: who } of steps) {
          const gone = back === null ? undefined : taken.at(-1 - back);
          if (gone) {
            await giveBackUses(db, gone.orderId);
            taken = taken.filter((one) => one !== gone);
            continue;
          }
          orders += 1;
          const next = { ...who, cents, orderId: `ord_use_${orders}` };
          const after = [...taken, next];
          const isWithin = (count: number, max: number | null) => max === null || count <= max;
          const isLeft =
            isWithin(after.length, given.maxUses) &&
            isWithin(sumCents(after.map(({ cents }) => cents)), given.budgetCents) &&
            (perUser === null || (isKnown(who) && taken.filter((one) => isOneUser(one, who)).length < perUser));
          assert.equal(await take(next, promotionId), isLeft);
          if (isLeft) taken = after;
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

test('concurrent orders take no more uses than their user has left', async () => {
  let orders = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (people, maxUsesPerUser) => {
        const terms = { kind: 'amount', amountCents: 300 } as const;
        const promotionId = await givenPromotion(db, { terms, stores: ['sto_elsewhere'], maxUsesPerUser });
        const uses = people.map((one) => {
          orders += 1;
          return { ...one, orderId: `ord_at_once_${orders}`, cents: 300 };
        });
        const isTaken = await Promise.all(uses.map((use) => take(use, promotionId)));
        const taken = uses.filter((_, nth) => isTaken[nth]);
        const usesOf = (who: Use) => taken.filter((one) => one !== who && isOneUser(one, who)).length;
        for (const use of uses.filter((one) => !taken.includes(one) && isKnown(one))) {
          assert.ok(usesOf(use) >= maxUsesPerUser, 'a user has a use left and was refused');
        }
        assert.ok(isSomeSequence(taken, maxUsesPerUser), 'more uses were taken than a user has');
        assert.ok(taken.every(isKnown));
      },
    ),
    { numRuns: runs(150) },
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
      const use = { ...ANA, orderId: `ord_${worker}_${nth}`, cents: 300 };
      if (!(await take(use, promotionId))) continue;
      await lowerUses(db, use.orderId, [{ promotionId, cents: 100 }], 500);
      await giveBackUses(db, use.orderId);
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, worker) => work(worker)));
  assert.deepEqual(await usedOf(db, promotionId), [0, 0, 0]);
});

test('the database and the service know the same mailbox of an email', async () => {
  const letter = fc.constantFrom(...'aZ.+-_éİ1');
  const local = fc.string({ unit: letter, minLength: 1, maxLength: 8 });
  const domain = fc.constantFrom(
    'gmail.com',
    'Gmail.com',
    'GoogleMail.com',
    'mygooglemail.com',
    'mail.example',
    'É.example',
  );
  const emails = fc.array(fc.tuple(local, domain), { minLength: 50, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(emails, async (pairs) => {
      const texts = pairs.map((pair) => pair.join('@'));
      const { rows } = await sql<{ mailbox: string }>`
        select mailbox_of(t) as mailbox from unnest(${texts}::text[]) with ordinality as u (t, n) order by n`.execute(
        db,
      );
      assert.deepEqual(
        rows.map(({ mailbox }) => mailbox),
        texts.map(mailboxOf),
      );
    }),
    { numRuns: runs(40) },
  );
});
