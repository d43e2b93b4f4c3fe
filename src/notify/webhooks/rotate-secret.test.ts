import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReceivedCall } from '../../../test/given/receiver.ts';
import { givenWebhooks, verified } from '../../../test/given/webhooks.ts';
import type { Client } from '../../../test/harness.ts';
import { rotateWebhookSecret } from './rotate-secret.flow.ts';

const given = await givenWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '60,60' } });
after(() => given.close());

function rotate({ accountId }: Client, overlapHours: number, mode: 'sandbox' | 'live' = 'sandbox') {
  const { db } = given.app.service.deps;
  return db.transaction().execute((tx) => rotateWebhookSecret(tx, { accountId, mode }, overlapHours, given.app.now()));
}

async function rotated(client: Client, overlapHours: number): Promise<string> {
  const rotation = await rotate(client, overlapHours);
  return rotation?.state === 'rotated' ? rotation.secrets.secret : assert.fail(rotation?.state);
}

/** The secrets that, by the official library, signed the call. */
function signers(secrets: readonly string[], call: ReceivedCall): boolean[] {
  return secrets.map((secret) => {
    try {
      verified(secret, call, given.app.now());
      return true;
    } catch {
      return false;
    }
  });
}

async function nextCall(client: Client, calls: readonly ReceivedCall[]): Promise<ReceivedCall> {
  await client.post('/account/tracking/webhook/test');
  await given.app.advance({ seconds: 1 });
  return calls.at(-1) ?? assert.fail('no call');
}

test('calls carry both signatures until the overlap ends, the new one first, and then only the new one', async () => {
  const { app, webhookOf, givenEndpoint } = given;
  const client = await app.givenClient();
  const { calls } = await givenEndpoint(client);
  const { signing_secret: old } = await webhookOf(client);
  const fresh = await rotated(client, 24);
  const shown = await webhookOf(client);
  assert.equal(shown.signing_secret, fresh);
  assert.equal(shown.previous_secret_until, app.now().add({ hours: 24 }).toString());
  const both = await nextCall(client, calls);
  assert.deepEqual(signers([fresh, old], both), [true, true]);
  const [first = '', second = '', ...more] = (both.headers['webhook-signature'] ?? '').split(' ');
  const oneOf = (signature: string) => ({ ...both, headers: { ...both.headers, 'webhook-signature': signature } });
  assert.deepEqual(more, []);
  assert.deepEqual(
    [signers([fresh, old], oneOf(first)), signers([fresh, old], oneOf(second))],
    [
      [true, false],
      [false, true],
    ],
  );
  await app.advance({ hours: 24 });
  const alone = await nextCall(client, calls);
  assert.deepEqual(signers([fresh, old], alone), [true, false]);
  assert.equal((await webhookOf(client)).previous_secret_until, null);
});

test('an overlap of 0 hours ends every older secret at once, also within an overlap, and retries carry the new one', async () => {
  const { app, webhookOf, givenEndpoint, placeOrder } = given;
  const client = await app.givenClient();
  const receiver = await givenEndpoint(client, (_call, response) => response.writeHead(500).end());
  const { signing_secret: leaked } = await webhookOf(client);
  await placeOrder(client);
  await app.advance({ seconds: 1 });
  const middle = await rotated(client, 24);
  const last = await rotated(client, 0);
  receiver.answer = (_call, response) => response.writeHead(204).end();
  await app.advance({ seconds: 70 });
  const [before, retry] = receiver.calls;
  assert.ok(before && retry);
  assert.equal(before.id, retry.id);
  assert.deepEqual(signers([last, middle, leaked], retry), [true, false, false]);
  assert.equal((await webhookOf(client)).previous_secret_until, null);
});

test('a second rotation within an overlap changes nothing: a receiver may still know the oldest secret', async () => {
  const { app, webhookOf, givenEndpoint } = given;
  const client = await app.givenClient();
  const { calls } = await givenEndpoint(client);
  const { signing_secret: old } = await webhookOf(client);
  const fresh = await rotated(client, 2);
  const again = await rotate(client, 2);
  assert.equal(again?.state, 'still overlapping');
  assert.deepEqual(signers([fresh, old], await nextCall(client, calls)), [true, true]);
  // Adding the same endpoint again keeps both secrets.
  await client.post('/account/tracking/add_webhook', { endpoint: `${(await webhookOf(client)).endpoint}?v=2` });
  assert.deepEqual(signers([fresh, old], await nextCall(client, calls)), [true, true]);
  await app.advance({ hours: 2 });
  assert.equal((await rotate(client, 2))?.state, 'rotated');
});

test('rotating affects one webhook: neither the other mode’s nor another account’s', async () => {
  const { app, webhookOf, givenEndpoint } = given;
  const [client, other] = [await app.givenClient(), await app.givenClient()];
  await givenEndpoint(other);
  const before = await webhookOf(other);
  assert.equal(await rotate(client, 24), undefined);
  assert.equal(await rotate(other, 24, 'live'), undefined);
  assert.deepEqual(await webhookOf(other), before);
});
