import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { CARD, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type Client, clientOf, givenApp, type Reply } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { until } from '../../../test/until.ts';
import { createAccount, issueKey } from '../../access/accounts/issue-key.flow.ts';
import { setAccountLimit } from '../../access/budgets/account-limits.db.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { takeStep } from '../money/take-step.flow.ts';
import { findDeclineBlock, insertCharge, insertDecline } from './declines.db.ts';
import { CardDeclined } from './payment-gateway.ts';

const DECLINED = '4000000000000002';
const ALSO_DECLINED = '4000000000009995';

const app = await givenApp();
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const soda = (await productTokens(app, storeId)).Soda;
after(() => app.close());

async function givenCard(client: Client, user_id: string, number: string | number = CARD.card_number): Promise<string> {
  const payment_method = { ...CARD, card_number: number };
  const reply = await client.post('/payment/create', { payment_method, user_email: 'u@example.com', user_id });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.payment_method_id;
}

const place = (client: Client, user_id: string, card: string, changes: object = {}) =>
  client.post(
    '/order/order/v2',
    orderBody(soda, card, { user_id, items: [{ product_id: soda, quantity: 4 }], ...changes }),
  );

/** The same account with a new key. */
async function withNewKey({ accountId }: Client): Promise<Client> {
  const { key } = await issueKey(app.service.deps.db, accountId, 'sandbox', app.now());
  return clientOf(app.service, accountId, key);
}

async function decline(client: Client, user: string, card: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    assert.equal((await place(client, user, card)).body.code, 'payment_declined');
  }
}

function assertDeclineBlock({ status, body, headers }: Reply, scope: string): void {
  assert.deepEqual([status, body.code], [429, 'too_many_declines']);
  assert.match(body.detail, new RegExp(`declined for this ${scope} within an hour`));
  assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 3600);
}

test('ten declines within an hour block only that user, with every card and key', async () => {
  const client = await app.givenClient();
  const [bad, good] = [await givenCard(client, 'ann', DECLINED), await givenCard(client, 'ann')];
  await decline(client, 'ann', bad, 5);
  await app.advance({ minutes: 20 });
  await decline(await withNewKey(client), 'ann', await givenCard(client, 'ann', ALSO_DECLINED), 5);
  const fresh = await withNewKey(client);
  const refused = await place(fresh, 'ann', good);
  assertDeclineBlock(refused, 'user');
  // Each job that runs advances the clock by a second.
  const assertFortyMinutes = (seconds: number) => assert.ok(Math.abs(seconds - 40 * 60) <= 30, String(seconds));
  assertFortyMinutes(Number(refused.headers['retry-after']));
  const operator = await givenConsole(app, null);
  const [breaker] = (await operator.get(`/operator/accounts/${client.accountId}`)).body.limits.held_back;
  assert.equal(breaker.subject, 'ann');
  assertFortyMinutes(breaker.held_back_until - epochSeconds(app.now()));
  assertDeclineBlock(
    await fresh.post('/payment/create', { payment_method: CARD, user_email: 'u@example.com', user_id: 'ann' }),
    'user',
  );
  assert.equal((await place(fresh, 'ben', await givenCard(fresh, 'ben'))).status, 200);
  // Quotes and orders without a card charge are not blocked.
  assert.equal((await place(fresh, 'ann', good, { place_order: false })).status, 200);
  assert.equal((await place(fresh, 'ann', good, { charge_user: false })).status, 200);
  // Another account's user of the same name can still pay.
  const other = await app.givenClient();
  assert.equal((await place(other, 'ann', await givenCard(other, 'ann'))).status, 200);
  await app.advance({ minutes: 40 });
  assert.equal((await place(fresh, 'ann', good)).status, 200);
});

test('the listed test cards are in no limit per card, and a live card is blocked with any user and key', async () => {
  const client = await app.givenClient();
  for (let user = 0; user < 12; user += 1) {
    const key = user % 3 === 0 ? await withNewKey(client) : client;
    await decline(key, `user-${user}`, await givenCard(client, `user-${user}`, DECLINED), 1);
  }
  const { db } = app.service.deps;
  const attempt = { accountId: client.accountId, mode: 'live', card: 'fp_1' } as const;
  for (let n = 0; n < 10; n += 1) await insertDecline(db, { ...attempt, userId: `u${n}`, keyId: `k${n}` }, app.now());
  const late = { ...attempt, userId: 'late', keyId: 'late' };
  assert.equal((await findDeclineBlock(db, late, app.now()))?.scope, 'card');
  assert.equal(await findDeclineBlock(db, { ...late, card: 'fp_2' }, app.now()), undefined);
});

test('a sandbox key is never held back, whatever it has declined', async () => {
  const client = await app.givenClient();
  for (let user = 0; user < 12; user += 1) {
    const number = user % 2 === 0 ? DECLINED : ALSO_DECLINED;
    await decline(client, `user-${user}`, await givenCard(client, `user-${user}`, number), 1);
  }
  assert.equal((await place(client, 'new', await givenCard(client, 'new'))).status, 200);
});

test('suspected card testing on a live key: new cards wait, charged cards continue; an operator lifts it', async () => {
  const { db, gateways } = app.service.deps;
  gateways.live = gateways.sandbox;
  await givenChannel(app, storeId);
  const client = await app.givenClient('live');
  const attempt = { accountId: client.accountId, mode: 'live', userId: 'x', card: undefined } as const;
  const known = await givenCard(client, 'known');
  assert.equal((await place(client, 'known', known)).status, 200);
  const fresh = await givenCard(client, 'fresh', '5555555555554444');
  const [key] = await db.selectFrom('keyCharges').selectAll().where('accountId', '=', client.accountId).execute();
  const keyId = key?.keyId ?? assert.fail('no charge of the key');
  const declineBy = async (from: number, to: number) => {
    for (let user = from; user < to; user += 1) {
      await insertDecline(db, { ...attempt, userId: `user-${user}`, keyId }, app.now());
    }
  };
  // A hundred declines are not card testing.
  await declineBy(0, 100);
  const { order_id } = (await place(client, 'fresh', fresh, { place_order: false })).body;
  assert.equal((await place(client, 'other', await givenCard(client, 'other', '6011111111111117'))).status, 200);
  await declineBy(100, 101);
  const refused = await client.post('/order/finalize', { order_id });
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_declines']);
  assert.match(refused.body.detail, /API key.*charged before still work/);
  assert.equal((await place(client, 'known', known)).status, 200);
  // A new card counts as never charged.
  const payment_method = { ...CARD, card_number: '5555555555554444' };
  const saving = await client.post('/payment/create', { payment_method, user_email: 'u@example.com', user_id: 'new' });
  assert.equal(saving.body.code, 'too_many_declines');
  const operator = await givenConsole(app, null);
  const { body } = await operator.get(`/operator/accounts/${client.accountId}`);
  const [breaker] = body.limits.held_back;
  assert.deepEqual([breaker.scope, breaker.declines, breaker.mode], ['key', 101, 'live']);
  const health = (await operator.get('/operator/health')).body;
  assert.ok(health.card_breakers.some(({ subject }: { subject: string }) => subject === keyId));
  const lift = (max: number | null) => setAccountLimit(db, { accountId: client.accountId, kind: 'declines_key', max });
  await lift(101);
  assert.equal((await client.post('/order/finalize', { order_id })).status, 200);
  await lift(null);
  // A busy key: in the hour it has as many charges as declines.
  const charges = Array.from({ length: 101 }, () => ({ accountId: client.accountId, keyId, at: app.now().toString() }));
  await db.insertInto('keyCharges').values(charges).execute();
  assert.deepEqual((await operator.get(`/operator/accounts/${client.accountId}`)).body.limits.held_back, []);
  assert.equal(
    (await client.post('/payment/create', { payment_method, user_email: 'u@example.com', user_id: 'new' })).status,
    200,
  );
  gateways.live = undefined;
});

test('a charge that two requests end at once counts once for its key', async () => {
  const { db, gateways } = app.service.deps;
  const { sandbox } = gateways;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let reached = 0;
  const charge: typeof sandbox.charge = async (request) => {
    reached += 1;
    await held;
    return sandbox.charge(request);
  };
  gateways.live = { ...sandbox, charge };
  await givenChannel(app, storeId);
  const client = await app.givenClient('live');
  const { order_id } = (await place(client, 'once', await givenCard(client, 'once'), { place_order: false })).body;
  const finalize = () => client.post('/order/finalize', { order_id });
  const first = finalize();
  await until('the first request charges', () => reached === 1);
  const second = finalize();
  await until('the second request charges', () => reached === 2);
  letGo();
  assert.deepEqual([(await first).status, (await second).status], [200, 200]);
  const counted = await db.selectFrom('keyCharges').selectAll().where('accountId', '=', client.accountId).execute();
  assert.equal(counted.length, 1);
  gateways.live = undefined;
});

test('an operator sets a limit of one decline, which holds back after the first, and none of no decline', async () => {
  const client = await app.givenClient();
  const operator = await givenConsole(app, null);
  const set = (declines: number) =>
    operator.post(`/operator/accounts/${client.accountId}/limits`, { limits: { declines_user: declines } });
  assert.deepEqual([(await set(0)).status, (await set(1)).status], [400, 200]);
  const card = await givenCard(client, 'once');
  assert.equal((await place(client, 'once', card)).status, 200);
  await decline(client, 'once', await givenCard(client, 'once', DECLINED), 1);
  assertDeclineBlock(await place(client, 'once', card), 'user');
});

test('a declined tip and a card that the gateway will not save count too', async () => {
  const client = await app.givenClient();
  const { db, gateways } = app.service.deps;
  const card = await givenCard(client, 'tip');
  const { order_id } = (await place(client, 'tip', card)).body;
  await takeStep(app.service.deps, order_id, { event: 'confirm' });
  const { charge, saveCard } = gateways.sandbox;
  gateways.sandbox.charge = async () => ({ chargeId: 'ch_no', status: 'declined', declineCode: 'generic_decline' });
  gateways.sandbox.saveCard = async () => {
    throw new CardDeclined('incorrect_cvc');
  };
  for (let time = 0; time < 5; time += 1) {
    const tip = await client.post('/order/tip', { order_id, driver_tip_cents: 900 });
    assert.equal(tip.body.code, 'payment_declined');
    const body = { payment_method: CARD, user_email: 'u@example.com', user_id: 'tip' };
    assert.equal((await client.post('/payment/create', body)).body.code, 'payment_declined');
  }
  Object.assign(gateways.sandbox, { charge, saveCard });
  assertDeclineBlock(await client.post('/order/tip', { order_id, driver_tip_cents: 900 }), 'user');
  const counted = await db
    .selectFrom('cardDeclines')
    .select('scope')
    .where('accountId', '=', client.accountId)
    .execute();
  // In the sandbox only users are counted.
  assert.equal(counted.length, 5 + 5);
});

test('a decline counts once, however often its request is repeated', async () => {
  const client = await app.givenClient();
  const card = await givenCard(client, 'once', DECLINED);
  const body = orderBody(soda, card, { user_id: 'once', items: [{ product_id: soda, quantity: 4 }] });
  for (let time = 0; time < 12; time += 1) {
    const reply = await client.post('/order/order/v2', body, { 'idempotency-key': 'declined-once' });
    assert.equal(reply.body.code, 'payment_declined');
  }
});

test('the held-back amount equals a plain count over any history of declines', async () => {
  const { db } = app.service.deps;
  const start = Temporal.Instant.from('2026-06-01T00:00:00Z');
  const accounts: string[] = [];
  const decline = fc.record({
    minute: fc.integer({ min: 0, max: 120 }),
    user: fc.constantFrom('a', 'b'),
    card: fc.constantFrom('1', '2', undefined),
    key: fc.constantFrom('k', undefined),
  });
  const charge = fc.record({ minute: fc.integer({ min: 0, max: 120 }), card: fc.constantFrom('1', '3') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(decline, { maxLength: 40 }),
      fc.array(charge, { maxLength: 15 }),
      fc.integer({ min: 60, max: 180 }),
      async (history, charges, minute) => {
        const { accountId } = await createAccount(db, 'History', app.now());
        accounts.push(accountId);
        const world = { accountId, mode: 'live' as const };
        for (const one of history) {
          const attempt = { ...world, userId: one.user, card: one.card, keyId: one.key };
          await insertDecline(db, attempt, start.add({ minutes: one.minute }));
        }
        for (const { minute: at, card } of charges) {
          await insertCharge(db, { ...world, keyId: 'k', card }, start.add({ minutes: at }));
        }
        await setAccountLimit(db, { ...world, kind: 'declines_key', max: 9 });
        const now = start.add({ minutes: minute });
        const counted = history.filter((one) => one.minute > minute - 60).sort((a, b) => b.minute - a.minute);
        const tenths = (['user', 'card', 'key'] as const).flatMap((scope) => {
          const subject = { user: 'a', card: '1', key: 'k' }[scope];
          const tenth = counted.filter((one) => one[scope] === subject)[9];
          if (tenth === undefined) return [];
          const declines = counted.filter((one) => one[scope] === subject).length;
          const isCharged = charges.some(({ card }) => card === '1');
          const charged = charges.filter((one) => one.minute > minute - 60).length;
          return scope === 'key' && (isCharged || declines <= charged) ? [] : [tenth.minute];
        });
        const found = await findDeclineBlock(db, { ...world, userId: 'a', card: '1', keyId: 'k' }, now);
        const expected = tenths.length === 0 ? undefined : start.add({ minutes: Math.max(...tenths) }).toString();
        assert.equal(found?.at.toString(), expected);
      },
    ),
    { numRuns: runs(30) },
  );
});
