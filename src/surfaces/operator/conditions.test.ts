import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenPromotion } from '../../../test/given/promotions.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenDatabase } from '../../../test/test-database.ts';
import { createAccount, issueKey } from '../../access/accounts/issue-key.flow.ts';
import { UNWEIGHED_ORDERS } from '../../fulfillment/deliveries/couriers/apply-report.flow.ts';
import { saveClockDifference } from '../../platform/db/database-clock.db.ts';
import { writeSetting } from '../../platform/db/settings.db.ts';
import { BACKED_UP_AT, CERTIFICATES_END, readHealthFacts } from './conditions.db.ts';
import { type HealthFacts, judgeConditions } from './conditions.ts';

const SOUND: HealthFacts = {
  quiet: undefined,
  settingWarnings: [],
  isLive: true,
  backupSeconds: 3600,
  archiveSeconds: null,
  isStandby: false,
  standbys: 0,
  syncStandbysNeeded: 0,
  syncStandbys: 0,
  standbyLagSeconds: 0,
  slots: [],
  transactionSeconds: 2,
  clocks: [],
  measuredClocks: 0,
  clockStepSeconds: null,
  standbyClockSeconds: null,
  certificates: [],
  assumedDiscountTaxes: [],
  failedCaptures: [],
  unweighedOrders: [],
};
const slot = { name: 'standby1', isActive: true, isLost: false, bytes: 1e6 };
const titlesOf = (facts: Partial<HealthFacts>) =>
  judgeConditions({ ...SOUND, ...facts }).flatMap(({ title }) => title ?? []);

test('a sound service has no fault', () => {
  assert.deepEqual(titlesOf({}), []);
  assert.deepEqual(titlesOf({ standbys: 2, syncStandbysNeeded: 1, syncStandbys: 1, slots: [slot] }), []);
  assert.deepEqual(titlesOf({ backupSeconds: 40 * 86_400, archiveSeconds: 50 }), [], 'an archive is a backup');
  assert.deepEqual(titlesOf({ isLive: false, backupSeconds: null }), [], 'without live keys nothing is lost');
  assert.deepEqual(titlesOf({ certificates: [{ host: 'a.example', secondsLeft: 15 * 86_400 }] }), []);
});

test('each fault is said in a sentence with its number', () => {
  const faults: [Partial<HealthFacts>, string][] = [
    [{ clocks: [{ host: 'api-2', aheadSeconds: -7200.25 }] }, "The clock of api-2 is 7200.3 s behind the database's"],
    [
      {
        measuredClocks: 2,
        clocks: [
          { host: 'a', aheadSeconds: 1201 },
          { host: 'b', aheadSeconds: 1199.5 },
        ],
      },
      "The clock of the database is wrong, or that of every machine: a's is 1201.0 s ahead of the database's",
    ],
    [
      {
        measuredClocks: 2,
        clocks: [
          { host: 'a', aheadSeconds: 1201 },
          { host: 'b', aheadSeconds: -7 },
        ],
      },
      "The clock of a is 1201.0 s ahead of the database's",
    ],
    [{ clockStepSeconds: -1200 }, 'The clock of the database was set back by 1200.0 s'],
    [{ clockStepSeconds: 6.25 }, 'The clock of the database was set forward by 6.3 s'],
    [
      { standbyClockSeconds: 1200 },
      "The clock of a standby is 1200.0 s ahead of the database's: after a failover it would be the database's",
    ],
    [
      { standbyClockSeconds: -31 },
      "The clock of a standby is 31.0 s behind the database's: after a failover it would be the database's",
    ],
    [{ quiet: 'OUTSIDE is off.' }, 'OUTSIDE is off.'],
    [{ settingWarnings: ['A is B.', 'C is D.'] }, 'The settings are doubtful: A is B. C is D.'],
    [{ backupSeconds: 31 * 3600 }, 'The backup is 31 hours old'],
    [{ isStandby: true }, 'The standby is what DATABASE_URL leads to: it takes no changes; name the primary'],
    [{ syncStandbysNeeded: 1 }, 'The standby is missing: commits wait for 1 synchronous ones, and 0 are connected'],
    [{ standbys: 1, standbyLagSeconds: 400 }, 'The standby is 6 minutes behind'],
    [
      { slots: [slot, { ...slot, name: 'gone', isActive: false, bytes: 2 ** 31 }] },
      'The replication slots keep 2.0 GiB of the write-ahead log for gone, which nobody reads',
    ],
    [{ slots: [{ ...slot, isLost: true }] }, 'The replication slots have lost standby1: make its standby again'],
    [{ transactionSeconds: 3 * 3600 }, 'The oldest transaction is 3 hours old'],
    [
      {
        certificates: [
          { host: 'a.example', secondsLeft: 80 * 86_400 },
          { host: 'b.example', secondsLeft: 3.5 * 86_400 },
        ],
      },
      'The certificates end in 3 days at b.example',
    ],
    [{ certificates: [{ host: 'b.example', secondsLeft: -5 }] }, 'The certificates have ended at b.example'],
    [
      { assumedDiscountTaxes: ['Ohio', 'Texas'] },
      'The taxes of discounts are assumed in Ohio, Texas (docs/taxes.md#discounts)',
    ],
    [{ failedCaptures: ['ord_b', 'ord_a'] }, 'The captures have failed within a day: ord_b, ord_a'],
    [
      { unweighedOrders: ['ord_b', 'ord_a'] },
      'The weights are missing of goods that count as ordered, within a day: ord_b, ord_a',
    ],
  ];
  for (const [facts, title] of faults) assert.deepEqual(titlesOf(facts), [title]);
  assert.match(titlesOf({ backupSeconds: null })[0] ?? '', /^The backup has never been made/);
});

const database = await givenDatabase();
after(() => database.close());

test('a machine whose clock differs is a fault until it has not for three minutes', async () => {
  const { db } = database;
  await saveClockDifference(db, 'api-2', 7.5);
  await saveClockDifference(db, 'api-2', -90.5);
  assert.deepEqual((await readHealthFacts(db, {})).clocks, [{ host: 'api-2', aheadSeconds: -90.5 }]);
  await sql`update clock_differences set measured_at = measured_at - interval '3 minutes'`.execute(db);
  assert.deepEqual((await readHealthFacts(db, {})).clocks, []);
});

test('a database is read as it is: keys, the newest backup, certificates, the oldest transaction', async () => {
  const { db } = database;
  const fresh = await readHealthFacts(db, {});
  assert.deepEqual(fresh, {
    ...SOUND,
    isLive: false,
    backupSeconds: null,
    transactionSeconds: fresh.transactionSeconds,
  });
  const now = Temporal.Now.instant();
  const { accountId } = await createAccount(db, 'Live', now);
  await issueKey(db, accountId, 'live', now);
  await writeSetting(db, BACKED_UP_AT, now.subtract({ hours: 40 }).toString());
  await writeSetting(db, CERTIFICATES_END, JSON.stringify({ 'a.example': now.add({ hours: 24 * 5 }).toString() }));
  await db.transaction().execute(async (open) => {
    await open.selectFrom('accounts').select('accountId').execute();
    const facts = await readHealthFacts(db, {});
    assert.ok(facts.transactionSeconds > 0);
    assert.equal(facts.isLive, true);
    assert.equal(Math.round((facts.backupSeconds ?? 0) / 3600), 40);
    assert.deepEqual(
      judgeConditions(facts).flatMap(({ title }) => title ?? []),
      ['The backup is 40 hours old', 'The certificates end in 4 days at a.example'],
    );
  });
});

test('active promotions are assumed to be taxed rightly in the places of live stores that no source confirms', async () => {
  const { db } = database;
  const address = { street_addr: '1 Congress Ave', city: 'Austin', state: 'TX', zipcode: '78701', country: 'US' };
  const storeId = await givenStore(db, { address, latitude: 30.2672, longitude: -97.7431 });
  const assumed = async () => (await readHealthFacts(db, {})).assumedDiscountTaxes;
  const amount = { kind: 'amount', amountCents: 500 } as const;
  const ours = await givenPromotion(db, { terms: amount });
  assert.deepEqual(await assumed(), [], 'the store is not live');
  await sql`update stores set has_channel = true`.execute(db);
  await sql`insert into store_channels (store_id, channel, created_at) values (${storeId}, 'console', now())`.execute(
    db,
  );
  assert.deepEqual(await assumed(), ['Texas']);
  await sql`update promotions set paused = true where promotion_id = ${ours}`.execute(db);
  assert.deepEqual(await assumed(), []);
  await givenPromotion(db, { terms: amount, offeredBy: 'store', ownerId: storeId });
  await givenPromotion(db, { terms: { kind: 'delivery', toCents: 0 }, offeredBy: 'store', ownerId: storeId });
  await givenPromotion(db, { terms: amount, country: 'CA' });
  await givenPromotion(db, { terms: amount, stores: ['another'] });
  assert.deepEqual(await assumed(), [], 'of its own prices, in another country, of other stores');
  await sql`insert into store_terms (store_id, since, commission_percent, per_order_cents, delivery_fee, tax)
    values (${storeId}, now(), 0, 0, 'operator', 'operator')`.execute(db);
  assert.deepEqual(await assumed(), ['Texas'], "the store lowers the operator's delivery fee");
});

test('captures that failed and goods that couriers took unweighed are read for a day, of live orders', async () => {
  const { db } = database;
  const read = async () => {
    const { failedCaptures, unweighedOrders } = await readHealthFacts(db, {});
    return [failedCaptures, unweighedOrders];
  };
  const now = Temporal.Now.instant();
  const noted = (hours: Record<string, number>) => {
    const times = Object.entries(hours).map(([orderId, ago]) => [orderId, now.subtract({ hours: ago })]);
    return writeSetting(db, UNWEIGHED_ORDERS, JSON.stringify(Object.fromEntries(times)));
  };
  assert.deepEqual(await read(), [[], []]);
  await noted({ ord_a: 25 });
  assert.deepEqual(await read(), [[], []]);
  await noted({ ord_a: 25, ord_b: 23, ord_c: 1 });
  assert.deepEqual(await read(), [[], ['ord_c', 'ord_b']]);
});
