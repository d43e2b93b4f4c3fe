import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookCall, WebhookVerificationError } from '../../clients/typescript/src/main.ts';
import { runs } from '../runs.ts';

const AT = new Date('2026-06-10T17:00:00Z');
const SECRETS = [1, 2, 3].map((fill) => `whsec_${Buffer.alloc(24, fill).toString('base64')}`) as [
  string,
  string,
  string,
];
const [OLD, NEW, OTHER] = SECRETS;
const BODY = JSON.stringify({ type: 'order.placed', timestamp: AT.toISOString(), data: { sequence: 1, order: {} } });

/** A webhook call signed by the Standard Webhooks library with each of the secrets. */
function callOf(body: string, secrets: readonly string[], id = 'msg_1') {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, AT, body));
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(AT.getTime() / 1000),
    'webhook-signature': signatures.join(' '),
  };
  return { body, headers };
}

async function faultOf(call: Partial<WebhookCall>): Promise<string | undefined> {
  const whole = { ...callOf(BODY, [OLD]), secret: OLD, nowMs: AT.getTime(), ...call };
  const error = await verifyWebhook(whole).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error === undefined || error instanceof WebhookVerificationError, String(error));
  return error?.reason;
}

test('a signature made by the Standard Webhooks library verifies for every body', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.string({ minLength: 1 }).filter((id) => !id.includes('.')),
      async (body, id) => {
        const { event, ...verified } = await verifyWebhook({
          ...callOf(body, [NEW], id),
          secret: NEW,
          nowMs: AT.getTime(),
        });
        assert.deepEqual([verified.id, event], [id, JSON.parse(body)]);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('a call with any letter of its body, id, time or signature changed is refused', async () => {
  const { headers } = callOf(BODY, [OLD]);
  const parts = { body: BODY, ...headers };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(parts)),
      fc.nat(),
      fc.constantFrom('0', 'x', 'A'),
      async (part, at, letter) => {
        const text = parts[part as keyof typeof parts] ?? '';
        const position = at % text.length;
        const changed = text.slice(0, position) + letter + text.slice(position + 1);
        // Base64 of 32 bytes ends with two unused bits.
        if (changed === text || (part === 'webhook-signature' && position === text.length - 2)) return;
        const call = part === 'body' ? { body: changed } : { headers: { ...headers, [part]: changed } };
        assert.notEqual(await faultOf(call), undefined, `${part}: ${changed}`);
      },
    ),
    { numRuns: runs(200) },
  );
  assert.equal(await faultOf({ secret: OTHER }), 'wrong_signature');
  assert.equal(await faultOf({ body: `${BODY} ` }), 'wrong_signature');
});

test('while a secret is exchanged, either side may have both', async () => {
  const both = callOf(BODY, [NEW, OLD]);
  for (const secret of [OLD, NEW, [OLD, NEW], [OTHER, OLD]])
    assert.equal(await faultOf({ ...both, secret }), undefined);
  assert.equal(await faultOf({ secret: [NEW, OLD] }), undefined, 'a call from before the rotation');
  assert.equal(await faultOf({ ...both, secret: [OTHER] }), 'wrong_signature');
  assert.equal(await faultOf({ ...both, secret: [] }), 'wrong_signature');
});

test('a call counts for five minutes before and after its time, or as the receiver says', async () => {
  const at = AT.getTime();
  assert.equal(await faultOf({ nowMs: at + 300_000 }), undefined);
  assert.equal(await faultOf({ nowMs: at + 300_001 }), 'too_old');
  assert.equal(await faultOf({ nowMs: at - 300_000 }), undefined);
  assert.equal(await faultOf({ nowMs: at - 300_001 }), 'too_new');
  assert.equal(await faultOf({ nowMs: at + 5001, toleranceSeconds: 5 }), 'too_old');
});

test('headers are read as `fetch` and as Node have them, and each of the three is needed', async () => {
  const { headers } = callOf(BODY, [OLD]);
  assert.equal(await faultOf({ headers: new Headers(headers) }), undefined);
  const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  assert.equal(await faultOf({ headers: capitals }), undefined);
  for (const name of Object.keys(headers)) {
    assert.equal(await faultOf({ headers: { ...headers, [name]: undefined } }), 'missing_header');
    assert.equal(await faultOf({ headers: { ...headers, [name]: '' } }), 'missing_header');
  }
  for (const timestamp of ['now', '-1', '1e9', '1'.repeat(13), `${AT.getTime() / 1000}.5`]) {
    assert.equal(await faultOf({ headers: { ...headers, 'webhook-timestamp': timestamp } }), 'too_new');
  }
});

test('bytes verify like the text; signatures of other kinds and an invalid secret fail', async () => {
  assert.equal(await faultOf({ body: new TextEncoder().encode(BODY) }), undefined);
  const { headers } = callOf(BODY, [OLD]);
  const later = headers['webhook-signature']?.replace('v1,', 'v2,');
  assert.equal(await faultOf({ headers: { ...headers, 'webhook-signature': later } }), 'wrong_signature');
  assert.equal(await faultOf({ headers: { ...headers, 'webhook-signature': 'v1,%%% v1, v1' } }), 'wrong_signature');
  assert.equal(await faultOf(callOf('no JSON', [OLD])), 'unreadable_body');
  for (const secret of ['', 'whsec_', 'whsec_%%%']) {
    await assert.rejects(verifyWebhook({ ...callOf(BODY, [OLD]), secret, nowMs: AT.getTime() }), TypeError);
  }
});
