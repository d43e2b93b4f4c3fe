import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { retireTokenSecret, rotateTokenSecret } from '../../src/platform/db/token-secret.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { ANA, driverOf } from '../given/driver.ts';
import { CARD, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { givenTracked } from '../given/tracked.ts';
import { type App, type Client, clientOf, givenApp } from '../harness.ts';

let app: App;
let storeId = '';
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  await saveBranding(app.service.deps.db, app.accountId, { customerCancel: true }, app.now());
});
after(() => app.close());

async function atNewNode({ accountId, key }: Client): Promise<Client> {
  return clientOf(await app.givenNode('api'), accountId, key);
}

const rotate = (keepsPrevious: boolean) =>
  app.service.deps.db.transaction().execute((tx) => rotateTokenSecret(tx, { keepsPrevious }));

/**
 * Long-lived tokens and answers: product and slot tokens, driver and customer links, answers under idempotency keys.
 */
async function givenKept() {
  const tokens = await productTokens(app, storeId);
  const { orderId, link, advance } = await givenTracked(app, storeId);
  await advance('confirm');
  const { path } = await driverOf(app, orderId, ANA);
  const order = orderBody(tokens.Soda, null, { charge_user: false, items: [{ product_id: tokens.Soda, quantity: 5 }] });
  const card = { payment_method: CARD, user_email: 'u1@example.com', user_id: 'u1' };
  const post = async (client: Client, url: string, body: object, key: string) => {
    const { status, body: answer, headers } = await client.post(url, body, { 'idempotency-key': key });
    return { status, answer, isReplayed: headers['idempotent-replayed'] === 'true' };
  };
  const key = crypto.randomUUID();
  const requests = [
    ['/order/order/v2', order],
    ['/payment/create', card],
  ] as const;
  const send = (client: Client) => Promise.all(requests.map(([url, body], n) => post(client, url, body, `${key}${n}`)));
  const first = await send(app);
  for (const { status, isReplayed } of first) assert.deepEqual([status, isReplayed], [200, false]);
  return {
    send,
    answers: first.map(({ answer }) => answer),
    otherBody: (client: Client) => post(client, '/order/order/v2', { ...order, driver_tip_cents: 900 }, `${key}0`),
    statuses: async (client: Client) => [
      (await client.get('/details/product', { product_id: tokens.Soda ?? '' })).status,
      (await client.get(`${path}/state`)).status,
      (await client.get(link.replace('?', '/cancel?'))).status,
    ],
    tokens,
  };
}

test('after a rotation tokens, links and idempotency keys of the old secret still work, until it is retired', async () => {
  const kept = await givenKept();
  assert.equal(await rotate(true), true);
  const during = await atNewNode(app);
  assert.deepEqual(await kept.statuses(during), [200, 200, 200]);
  const fresh = await productTokens(during, storeId);
  assert.notEqual(fresh.Soda, kept.tokens.Soda, 'new tokens are sealed with the new secret');
  const replayed = await kept.send(during);
  assert.deepEqual(
    replayed.map(({ isReplayed }) => isReplayed),
    [true, true],
  );
  assert.deepEqual(
    replayed.map(({ answer }) => answer),
    kept.answers,
  );
  assert.equal((await kept.otherBody(during)).answer.code, 'idempotency_conflict');

  assert.equal(await rotate(true), false, 'the oldest secret would be lost');
  const same = await productTokens(await atNewNode(app), storeId);
  assert.deepEqual(same, fresh, 'and nothing was changed');
  assert.equal(await retireTokenSecret(app.service.deps.db), true);
  assert.equal(await retireTokenSecret(app.service.deps.db), false);
  const after = await atNewNode(app);
  assert.deepEqual(await kept.statuses(after), [404, 404, 409]);
  assert.equal((await after.get('/details/product', { product_id: fresh.Soda ?? '' })).status, 200);
});

test('a rotation without overlap ends tokens and links of every older secret at the next start', async () => {
  const kept = await givenKept();
  assert.equal(await rotate(false), true);
  assert.deepEqual(await kept.statuses(await atNewNode(app)), [404, 404, 409]);
});
