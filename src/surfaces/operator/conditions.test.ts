import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type GivenDatabase, givenDatabase } from '../../../test/test-database.ts';
import { createAccount, issueKey } from '../../access/accounts/issue-key.flow.ts';
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
  certificates: [],
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
  ];
  for (const [facts, title] of faults) assert.deepEqual(titlesOf(facts), [title]);
  assert.match(titlesOf({ backupSeconds: null })[0] ?? '', /^The backup has never been made/);
});

let database: GivenDatabase;
before(async () => {
  database = await givenDatabase();
});
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
