import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Client, givenApp, type Reply } from '../../../test/harness.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { forgetCard } from './cards.job.ts';
import { findCardIdentity, findPaymentMethod } from './payment-methods.db.ts';

const CARD = { card_number: 4242424242424242, expiration_month: 12, expiration_year: 2031, cvc: 123 };
const BODY = { payment_method: CARD, user_id: 'user_1', user_email: 'ann@example.com' };

const app = await givenApp();
after(() => app.close());

const create = (client: Client, change: object = {}, headers: Record<string, string> = {}) =>
  client.post('/payment/create', { ...BODY, ...change }, headers);
const idOf = (reply: Reply) => String(reply.body.payment_method_id);
const listed = async (client: Client, user_id = 'user_1') =>
  (await client.get('/payment/list', { user_id })).body.payment_methods;
const faultNames = (reply: Reply) => reply.body.errors.map(({ name }: { name: string }) => name);

test('POST /payment/create', async (t) => {
  await t.test('200 with the ID of a listed payment method, and no other data of it', async () => {
    const client = await app.givenClient();
    const reply = await create(client);
    assert.deepEqual(reply.body, { status: 'success', payment_method_id: idOf(reply) });
    assert.match(idOf(reply), /^pm_[\w-]{22}$/);
    assert.deepEqual(await listed(client), [
      { payment_method_id: idOf(reply), brand: 'visa', last4: '4242', expiration_month: 12, expiration_year: 2031 },
    ]);
  });

  await t.test('200 for a number of 19 digits sent as an integer, exact to the last digit', async () => {
    const client = await app.givenClient();
    const text = JSON.stringify(BODY).replace('4242424242424242', '6205500000000000004');
    const reply = await client.post('/payment/create', text, { 'content-type': 'application/json' });
    assert.equal(reply.status, 200);
    const [method] = await listed(client);
    assert.deepEqual([method.brand, method.last4], ['unionpay', '0004']);
    const wrong = await client.post('/payment/create', text.replace('00004,', '00005,'), {
      'content-type': 'application/json',
    });
    assert.deepEqual([wrong.status, faultNames(wrong)], [400, ['payment_method.card_number']]);
  });

  await t.test('400 naming every wrong field, and repeating none', async () => {
    const reply = await create(app, {
      payment_method: { card_number: '4242424242424241', expiration_month: 13, expiration_year: 26, cvc: '98765' },
      user_id: '',
      user_email: 'nobody',
    });
    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request']);
    assert.deepEqual(faultNames(reply).sort(), [
      'payment_method.card_number',
      'payment_method.cvc',
      'payment_method.expiration_month',
      'payment_method.expiration_year',
      'user_email',
      'user_id',
    ]);
    assert.doesNotMatch(reply.text, /4242|98765|nobody/);
  });

  await t.test('400 when the card number is also in a stored field', async () => {
    const number = '4242 4242 4242 4242';
    const inBody = await create(app, { user_id: `u-${number}`, user_email: '4242424242424242@example.com' });
    assert.deepEqual(faultNames(inBody), ['user_id', 'user_email']);
    const inHeader = await create(app, {}, { 'idempotency-key': `order 4242-4242-4242-4242` });
    assert.deepEqual(faultNames(inHeader), ['Idempotency-Key']);
  });

  await t.test('503 for a live key without a gateway, before anything else is looked at', async () => {
    const live = await app.givenClient('live');
    const json = { 'content-type': 'application/json' };
    const replies = [
      await create(live),
      await live.post('/payment/create', {}),
      await live.post('/payment/create', '{"not json', json),
      await live.post('/payment/create', 'number=4242', { 'content-type': 'text/plain' }),
      await create(live, {}, { 'idempotency-key': 'x'.repeat(300) }),
    ];
    for (const { status, body } of replies) {
      assert.deepEqual([status, body.code], [503, 'payment_gateway_not_configured']);
    }
  });
});

test('GET /payment/list', async (t) => {
  await t.test('the newest come first, each user sees its own, and an unknown user none', async () => {
    const client = await app.givenClient();
    const first = await create(client);
    await app.service.deps.db
      .updateTable('paymentMethods')
      .set({ createdAt: app.now().subtract({ seconds: 1 }).toString() })
      .where('paymentMethodId', '=', idOf(first))
      .execute();
    const second = await create(client, { payment_method: { ...CARD, card_number: '5555555555554444' } });
    await create(client, { user_id: 'user_2' });
    const ids = (await listed(client)).map((method: { payment_method_id: string }) => method.payment_method_id);
    assert.deepEqual(ids, [idOf(second), idOf(first)]);
    assert.equal((await listed(client, 'user_2')).length, 1);
    assert.deepEqual(await listed(client, 'user_3'), []);
    assert.deepEqual(await listed(await app.givenClient()), []);
  });

  await t.test('a live key sees nothing of the sandbox', async () => {
    assert.deepEqual(await listed(await app.givenClient('live')), []);
  });
});

test('POST /payment/delete', async (t) => {
  const remove = (client: Client, payment_method_id: string, user_id = 'user_1') =>
    client.post('/payment/delete', { user_id, payment_method_id });

  await t.test(
    '200 once: it is listed and found no more, its order still finds it, the gateway forgets it',
    async () => {
      const client = await app.givenClient();
      const { db, gateways } = app.service.deps;
      const id = idOf(await create(client));
      const caller = { accountId: client.accountId, mode: 'sandbox', keyId: '' } as const;
      const method = await findPaymentMethod(db, caller, id);
      assert.equal(method?.userId, 'user_1');
      assert.deepEqual((await remove(client, id)).body, { status: 'success' });
      assert.deepEqual(await listed(client), []);
      assert.equal(await findPaymentMethod(db, caller, id), undefined);
      assert.equal((await findCardIdentity(db, caller, id))?.gatewayToken, method?.gatewayToken);
      assert.equal((await remove(client, id)).status, 404);
      const { signal } = new AbortController();
      for (const _again of [1, 2]) {
        await forgetCard(app.service.deps).run({ token: method.gatewayToken, mode: 'sandbox' }, signal);
      }
      const charge = { cardToken: method.gatewayToken, amountCents: 1, currency: 'usd', key: id, orderId: id } as const;
      await assert.rejects(gateways.sandbox.charge(charge), { retryable: false });
    },
  );

  await t.test("404 alike for an unknown one, another user's and another account's", async () => {
    const id = idOf(await create(app));
    const replies = [
      await remove(app, 'pm_unknown'),
      await remove(app, id, 'user_2'),
      await remove(await app.givenClient(), id),
      await remove(await app.givenClient('live'), id),
    ];
    const stated = replies.map(({ status, body }) => ({ ...body, status, request_id: '' }));
    assert.deepEqual([stated[0].status, stated[0].code], [404, 'payment_method_not_found']);
    for (const one of stated) assert.deepEqual(one, stated[0]);
    assert.equal((await remove(app, id)).status, 200);
  });
});

test('GET /sandbox/charges', async (t) => {
  const client = await app.givenClient();
  const { db, gateways } = app.service.deps;
  const methodId = idOf(await create(client));
  const caller = { accountId: client.accountId, mode: 'sandbox', keyId: '' } as const;
  const token = (await findPaymentMethod(db, caller, methodId))?.gatewayToken ?? '';
  const request = { cardToken: token, amountCents: 500, currency: 'usd', key: 'ord_x:1', orderId: 'ord_x' } as const;
  const { chargeId } = await gateways.sandbox.charge(request);
  await gateways.sandbox.refund({ chargeId, amountCents: 200, key: 'ord_x:refund' });

  await t.test('200 with the gateway’s records of a payment method, deleted or not', async () => {
    const expected = {
      charge_id: chargeId,
      order_id: 'ord_x',
      payment_method_id: methodId,
      amount: 500,
      refunded_amount: 200,
      status: 'succeeded',
      timestamp: epochSeconds(app.now()),
    };
    const ask = () => client.get('/sandbox/charges', { payment_method_id: methodId });
    assert.deepEqual((await ask()).body, { charges: [expected] });
    await client.post('/payment/delete', { user_id: 'user_1', payment_method_id: methodId });
    assert.deepEqual((await ask()).body, { charges: [expected] });
  });

  await t.test("200 and empty for an unknown id and for another account's", async () => {
    const stranger = await app.givenClient();
    for (const query of [{ payment_method_id: methodId }, { order_id: 'ord_x' }, { payment_method_id: 'pm_none' }]) {
      const reply = await stranger.get('/sandbox/charges', query);
      assert.deepEqual([reply.status, reply.body], [200, { charges: [] }]);
    }
    // In the gateway's books, but not an order of this service.
    assert.deepEqual((await client.get('/sandbox/charges', { order_id: 'ord_x' })).body, { charges: [] });
  });

  await t.test('400 without an id', async () => {
    assert.equal((await client.get('/sandbox/charges')).status, 400);
  });
});
