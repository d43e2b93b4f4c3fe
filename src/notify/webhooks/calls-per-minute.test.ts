import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, type Client, givenApp } from '../../../test/harness.ts';

const [TEST, REPLAY] = ['/account/tracking/webhook/test', '/account/tracking/webhook/replay'];

let app: App;
before(async () => {
  app = await givenApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
after(() => app.close());

const bodyFor = (path: string) => (path === REPLAY ? { since: 0 } : {});
const ask = (client: Client, path: string, headers = {}) => client.post(path, bodyFor(path), headers);
async function givenAttached(mode: 'sandbox' | 'live' = 'sandbox'): Promise<Client> {
  const client = await app.givenClient(mode);
  const reply = await client.post('/account/tracking/add_webhook', { endpoint: 'http://127.0.0.1:1/' });
  assert.equal(reply.status, 200, reply.text);
  return client;
}
const countCalls = async (client: Client): Promise<number> =>
  (await client.get('/account/tracking/webhook')).body.deliveries.length;

for (const path of [TEST, REPLAY]) {
  test(`${path} is taken ten times a minute, and then 429 until a minute has passed`, async () => {
    const client = await givenAttached();
    for (let n = 0; n < 10; n += 1) assert.equal((await ask(client, path)).status, 200);
    const calls = await countCalls(client);
    const refused = await ask(client, path, { 'idempotency-key': 'eleventh' });
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.deepEqual([refused.headers['retry-after'], refused.headers['ratelimit-remaining']], ['60', '0']);
    assert.equal(await countCalls(client), calls);
    const other = path === TEST ? REPLAY : TEST;
    assert.equal((await ask(client, other)).status, 200);
    assert.equal((await ask(await givenAttached(), path)).status, 200);
    await app.advance({ minutes: 1 });
    const again = await ask(client, path, { 'idempotency-key': 'eleventh' });
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, undefined]);
  });
}

test('what is refused for another reason, or replayed by its Idempotency-Key, counts for nothing', async () => {
  const client = await app.givenClient();
  for (let n = 0; n < 12; n += 1) assert.equal((await ask(client, TEST)).status, 422);
  const attached = await givenAttached('live');
  for (let n = 0; n < 12; n += 1) assert.equal((await ask(attached, TEST, { 'idempotency-key': 'same' })).status, 200);
  for (let n = 0; n < 9; n += 1) assert.equal((await ask(attached, TEST)).status, 200);
  assert.equal((await ask(attached, TEST)).status, 429);
});
