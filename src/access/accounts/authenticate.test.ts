import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { type KyselyPlugin, sql } from 'kysely';
import { countStatements } from '../../../test/count-statements.ts';
import { givenDatabase } from '../../../test/test-database.ts';
import type { Caller } from './account.ts';
import { revokeKey } from './accounts.db.ts';
import { createAuthenticate } from './authenticate.hook.ts';
import { createAccount, issueKey } from './issue-key.flow.ts';
import { createLookUpKey, createRevocationCheck } from './key-look-ups.cache.ts';

let now = Temporal.Instant.from('2026-06-10T18:00:00Z');
const clock = { now: () => now };
const given = await givenDatabase();
after(() => given.close());

const later = (milliseconds: number) => {
  now = now.add({ milliseconds });
};

/** Creates this many accounts with a key each, and a node that authenticates them. */
async function givenKeys(count: number) {
  const { db } = given;
  const issued = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { accountId } = await createAccount(db, `Account ${n}`, now);
      return { accountId, ...(await issueKey(db, accountId, 'sandbox', now)) };
    }),
  );
  const authenticate = createAuthenticate({ db, clock });
  const callers = async (keys: readonly string[]): Promise<Caller[]> =>
    Promise.all(keys.map(async (key) => authenticate(key)));
  /** Number of statements when all keys are authenticated concurrently. */
  const statements = async (keys: readonly string[]) => (await countStatements(() => callers(keys))).texts.length;
  return { issued, keys: issued.map(({ key }) => key), authenticate, callers, statements };
}

test('keys that were used a moment ago are read again by one statement', async () => {
  const { keys, statements, callers, issued } = await givenKeys(5);
  assert.equal(await statements(keys), 5);
  assert.equal(await statements(keys), 0);
  later(900);
  assert.equal(await statements(keys), 1);
  assert.deepEqual(
    await callers(keys),
    issued.map(({ accountId, keyId }) => ({
      accountId,
      mode: 'sandbox',
      keyId,
      scopes: ['read', 'order', 'webhooks'],
      origins: null,
      offers: null,
    })),
  );
  assert.equal(await statements(keys), 0);
});

test('a key that no request has come with for a while is read no more with the others', async () => {
  const { keys, statements } = await givenKeys(3);
  const [first = ''] = keys;
  await statements(keys);
  later(900);
  assert.equal(await statements([first]), 1);
  later(900);
  assert.equal(await statements(keys), 3, 'the first key alone, and each of the others');
});

test('a revoked key is rejected within a second while valid keys work', async () => {
  const { keys, issued, callers, authenticate } = await givenKeys(3);
  const [revoked = assert.fail(), ...others] = issued;
  await callers(keys);
  await revokeKey(given.db, revoked.keyId, now);
  later(900);
  const attempts = [...others.map(({ key }) => key), revoked.key].map(async (key) => authenticate(key));
  const [one, other, refused] = await Promise.allSettled(attempts);
  assert.deepEqual([one?.status, other?.status], ['fulfilled', 'fulfilled']);
  assert.ok(refused?.status === 'rejected');
  assert.equal(refused.reason.code, 'invalid_api_key');
});

test('a revoked key is refused after less than a second where the clock is set back by hours meanwhile', async () => {
  const { keys, issued } = await givenKeys(1);
  const [key = ''] = keys;
  let elapsedMs = 0;
  const authenticate = createAuthenticate({
    db: given.db,
    clock: { now: () => now.subtract({ milliseconds: elapsedMs * 3600 }), elapsedMs: () => elapsedMs },
  });
  assert.equal((await authenticate(key)).keyId, issued[0]?.keyId);
  await revokeKey(given.db, issued[0]?.keyId ?? '', now);
  elapsedMs = 900;
  await assert.rejects(async () => authenticate(key), { code: 'invalid_api_key' });
});

test('keys whose read has failed are read by the next request', async () => {
  const { keys, callers } = await givenKeys(2);
  await callers(keys);
  later(900);
  await sql`alter table api_keys rename to api_keys_away`.execute(given.db);
  await assert.rejects(callers(keys), /api_keys/);
  await sql`alter table api_keys_away rename to api_keys`.execute(given.db);
  assert.equal((await callers(keys)).length, 2);
});

test('a late answer is not cached past its expiry', async () => {
  const { keys, issued } = await givenKeys(1);
  const [key = ''] = keys;
  const [read, handedOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holdAnswer: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      read.resolve();
      await handedOn.promise;
      return result;
    },
  };
  const authenticate = createAuthenticate({ db: given.db.withPlugin(holdAnswer), clock });
  const isRefused = (name: string) => assert.rejects(async () => authenticate(name), { code: 'invalid_api_key' });
  const early = authenticate(key);
  await read.promise;
  await revokeKey(given.db, issued[0]?.keyId ?? '', now);
  later(900);
  const ofNextPeriod = isRefused('ds_test_unknown');
  handedOn.resolve();
  assert.equal((await early).keyId, issued[0]?.keyId);
  await ofNextPeriod;
  await isRefused(key);
});

/** A node whose database can be taken away, and a key of its own. */
async function givenOutages(t: TestContext) {
  const { db } = given;
  let nowMs = 1000;
  let isAway = false;
  t.mock.method(performance, 'now', () => nowMs);
  const outage: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      return result;
    },
  };
  const lookUpKey = createLookUpKey();
  const { accountId } = await createAccount(db, 'An account', now);
  const { key, keyId } = await issueKey(db, accountId, 'sandbox', now);
  return {
    key,
    keyId,
    authenticate: createAuthenticate({ db: db.withPlugin(outage), clock, lookUpKey }),
    checkRevocations: createRevocationCheck(db, lookUpKey),
    pass: (milliseconds: number) => {
      nowMs += milliseconds;
      later(milliseconds);
    },
    takeAway: () => {
      isAway = true;
    },
  };
}

test('a key in use for more than an hour counts when the database goes away', async (t) => {
  const { key, keyId, authenticate, pass, takeAway } = await givenOutages(t);
  await authenticate(key);
  // Each time it is read with the recent keys, and never looked up by itself.
  for (let minute = 0; minute < 61; minute += 1) {
    pass(60_000);
    await authenticate(key);
  }
  takeAway();
  pass(900);
  assert.equal((await authenticate(key)).keyId, keyId);
});

test('a key revoked while idle doesn’t work when the database goes away', async (t) => {
  const { key, keyId, authenticate, checkRevocations, pass, takeAway } = await givenOutages(t);
  await checkRevocations();
  pass(1);
  await authenticate(key);
  pass(1000);
  await revokeKey(given.db, keyId, now);
  await checkRevocations();
  takeAway();
  await assert.rejects(async () => authenticate(key), { code: 'ECONNREFUSED' });
});
