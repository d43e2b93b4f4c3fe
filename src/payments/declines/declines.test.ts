import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole } from '../../../test/given-merchant.ts';
import { CARD, orderBody, productTokens } from '../../../test/given-orders.ts';
import { givenStores } from '../../../test/given-stores.ts';
import { type App, type Client, clientOf, givenApp, type Reply } from '../../../test/harness.ts';
import { setAccountLimit } from '../../accounts/budgets/account-limits.db.ts';
import { issueKey } from '../../accounts/issue-key.flow.ts';
import { epochSeconds } from '../../lib/time.ts';
import { takeStep } from '../../orders/take-step.flow.ts';
import { CardDeclined } from '../payment-gateway.ts';
import { deleteOldDeclines, findHeldBack, insertDecline } from './declines.db.ts';

const DECLINED = '4000000000000002';
const ALSO_DECLINED = '4000000000009995';

let app: App;
let soda: string | undefined;
before(async () => {
  app = await givenApp();
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  soda = (await productTokens(app, storeId)).Soda;
});
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

/** The same account with another key. */
async function withNewKey({ accountId }: Client): Promise<Client> {
  const { key } = await issueKey(app.service.deps.db, accountId, 'sandbox', app.now());
  return clientOf(app.service, accountId, key);
}

async function decline(client: Client, user: string, card: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    assert.equal((await place(client, user, card)).body.code, 'payment_declined');
  }
}

function assertHeldBack({ status, body, headers }: Reply, scope: string): void {
  assert.deepEqual([status, body.code], [429, 'too_many_declines']);
  assert.match(body.detail, new RegExp(`this ${scope} within an hour`));
  assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 3600);
}

test('after ten declines within an hour a user is held back with every card and key, and nobody else', async () => {
  const client = await app.givenClient();
  const [bad, good] = [await givenCard(client, 'ann', DECLINED), await givenCard(client, 'ann')];
  await decline(client, 'ann', bad, 5);
  await app.advance({ minutes: 20 });
  await decline(await withNewKey(client), 'ann', await givenCard(client, 'ann', ALSO_DECLINED), 5);
  const fresh = await withNewKey(client);
  const refused = await place(fresh, 'ann', good);
  assertHeldBack(refused, 'user');
  assert.equal(refused.headers['retry-after'], String(40 * 60));
  const operator = await givenConsole(app, null);
  const [breaker] = (await operator.get(`/operator/accounts/${client.accountId}`)).body.limits.held_back;
  assert.deepEqual([breaker.subject, breaker.held_back_until], ['ann', epochSeconds(app.now()) + 40 * 60]);
  assertHeldBack(
    await fresh.post('/payment/create', { payment_method: CARD, user_email: 'u@example.com', user_id: 'ann' }),
    'user',
  );
  assert.equal((await place(fresh, 'ben', await givenCard(fresh, 'ben'))).status, 200);
  // Quotes, and orders that charge no card, are not held back.
  assert.equal((await place(fresh, 'ann', good, { place_order: false })).status, 200);
  assert.equal((await place(fresh, 'ann', good, { charge_user: false })).status, 200);
  // Another account's user of the same name pays as before.
  const other = await app.givenClient();
  assert.equal((await place(other, 'ann', await givenCard(other, 'ann'))).status, 200);
  await app.advance({ minutes: 40 });
  assert.equal((await place(fresh, 'ann', good)).status, 200);
});

test('one card is held back whatever user, token and key it comes with, in its account alone', async () => {
  const client = await app.givenClient();
  for (let user = 0; user < 10; user += 1) {
    const key = user % 3 === 0 ? await withNewKey(client) : client;
    await decline(key, `user-${user}`, await givenCard(client, `user-${user}`, DECLINED), 1);
  }
  const fresh = await withNewKey(client);
  assertHeldBack(await place(fresh, 'late', await givenCard(fresh, 'late', DECLINED)), 'card');
  assert.equal(
    (await place(fresh, 'late', await givenCard(fresh, 'late', ALSO_DECLINED))).body.code,
    'payment_declined',
  );
  const other = await app.givenClient();
  assert.equal((await place(other, 'late', await givenCard(other, 'late', DECLINED))).body.code, 'payment_declined');
});

test('one key is held back for all users, other keys of its account are not; an operator sees and lifts it', async () => {
  const client = await app.givenClient();
  const { db } = app.service.deps;
  for (let user = 0; user < 10; user += 1) {
    const number = user % 2 === 0 ? DECLINED : ALSO_DECLINED;
    await decline(client, `user-${user}`, await givenCard(client, `user-${user}`, number), 1);
  }
  const refused = await client.post('/payment/create', {
    payment_method: CARD,
    user_email: 'u@example.com',
    user_id: 'x',
  });
  assertHeldBack(refused, 'API key');
  const fresh = await withNewKey(client);
  const card = await givenCard(fresh, 'new');
  assertHeldBack(await place(client, 'new', card), 'API key');
  assert.equal((await place(fresh, 'new', card)).status, 200);
  const operator = await givenConsole(app, null);
  const { body } = await operator.get(`/operator/accounts/${client.accountId}`);
  const [breaker] = body.limits.held_back;
  assert.deepEqual([breaker.scope, breaker.declines, breaker.mode], ['key', 10, 'sandbox']);
  const health = (await operator.get('/operator/health')).body;
  assert.ok(health.card_breakers.some(({ subject }: { subject: string }) => subject === breaker.subject));
  await setAccountLimit(db, { accountId: client.accountId, kind: 'declines', most: 11 });
  assert.equal((await place(client, 'new', card)).status, 200);
});

test('an operator sets a limit of one decline, which holds back after the first, and none of no decline', async () => {
  const client = await app.givenClient();
  const operator = await givenConsole(app, null);
  const set = (declines: number) =>
    operator.post(`/operator/accounts/${client.accountId}/limits`, { limits: { declines } });
  assert.deepEqual([(await set(0)).status, (await set(1)).status], [400, 200]);
  const card = await givenCard(client, 'once');
  assert.equal((await place(client, 'once', card)).status, 200);
  await decline(client, 'once', await givenCard(client, 'once', DECLINED), 1);
  assertHeldBack(await place(client, 'once', card), 'user');
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
  assertHeldBack(await client.post('/order/tip', { order_id, driver_tip_cents: 900 }), 'user');
  const counted = await db
    .selectFrom('cardDeclines')
    .select('scope')
    .where('accountId', '=', client.accountId)
    .execute();
  // Cards that were not saved have no card to count for.
  assert.equal(counted.length, 5 * 3 + 5 * 2);
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

test('what is held back agrees with a plain count over any history of declines', async () => {
  const { db } = app.service.deps;
  const start = Temporal.Instant.from('2026-06-01T00:00:00Z');
  const decline = fc.record({
    minute: fc.integer({ min: 0, max: 120 }),
    user: fc.constantFrom('a', 'b'),
    card: fc.constantFrom('1', '2', undefined),
    key: fc.constantFrom('k', undefined),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(decline, { maxLength: 40 }),
      fc.integer({ min: 60, max: 180 }),
      async (history, minute) => {
        const { accountId } = { accountId: `acc_history_${histories++}` };
        const world = { accountId, mode: 'live' as const };
        for (const one of history) {
          const attempt = { ...world, userId: one.user, card: one.card, keyId: one.key };
          await insertDecline(db, attempt, start.add({ minutes: one.minute }));
        }
        const now = start.add({ minutes: minute });
        const counted = history.filter((one) => one.minute > minute - 60).sort((a, b) => b.minute - a.minute);
        const tenths = (['user', 'card', 'key'] as const).flatMap((scope) => {
          const subject = { user: 'a', card: '1', key: 'k' }[scope];
          const tenth = counted.filter((one) => one[scope] === subject)[9];
          return tenth === undefined ? [] : [tenth.minute];
        });
        const found = await findHeldBack(db, { ...world, userId: 'a', card: '1', keyId: 'k' }, now);
        const expected = tenths.length === 0 ? undefined : start.add({ minutes: Math.max(...tenths) }).toString();
        assert.equal(found?.at.toString(), expected);
      },
    ),
    { numRuns: 30 },
  );
  await deleteOldDeclines(db, start.add({ hours: 4 }));
  const left = await db.selectFrom('cardDeclines').select('at').where('accountId', 'like', 'acc_history_%').execute();
  assert.deepEqual(left, []);
});

let histories = 0;
