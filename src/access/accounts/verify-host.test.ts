import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPublicHttp } from 'doorstep/public-http';
import { givenReceiver } from '../../../test/given/receiver.ts';
import { givenTracked, givenTrackedStore } from '../../../test/given/tracked.ts';
import { type Client, givenOwnApp } from '../../../test/harness.ts';
import { findBranding, saveBranding } from './brandings.db.ts';
import { hostProof } from './host-proof.ts';
import { verifyHost } from './verify-host.flow.ts';
import { verifyHosts } from './verify-hosts.job.ts';

/** Target of the accounts' host names: a proxy in front of the service, unless a test sets another answer. */
const front = await givenReceiver();
const env = { TRACKING_URL: front.url.replace('127.0.0.1', 'follow.example'), WEBHOOK_ALLOW_PRIVATE: 'true' };
const app = await givenOwnApp({ env, publicHttp: { resolveName: async () => ['127.0.0.1'] } });
const storeId = await givenTrackedStore(app);
after(async () => {
  await app.close();
  await front.close();
});

/** Forwards calls to the service as a proxy does, with their Host header. */
function leadToTheService(): void {
  front.answer = ({ path, headers }, response) => {
    app.service.http
      .inject({ url: path, headers: { host: headers.host ?? '' } })
      .then((reply) => response.writeHead(reply.statusCode).end(reply.body));
  };
}

async function givenHost(trackingHost: string): Promise<Client> {
  const client = await app.givenClient();
  await saveBranding(app.service.deps.db, client.accountId, { trackingHost }, app.now());
  return client;
}

const frontPort = () => new URL(front.url).port;
const runJob = () => verifyHosts(app.service.deps).run({}, new AbortController().signal);
const readBranding = ({ accountId }: Client) => findBranding(app.service.deps.db, accountId);
const verify = async ({ accountId }: Client) => {
  const { trackingHost, trackingHostVerifiedAt } = await readBranding({ accountId } as Client);
  return verifyHost(app.service.deps, { accountId, host: trackingHost ?? '', verifiedAt: trackingHostVerifiedAt });
};

/** The origin of every link that an account and its customer receive for an order. */
async function linkOrigins(client: Client): Promise<Set<string>> {
  await app.service.deps.trackingSites.refresh();
  const order = await givenTracked(client, storeId);
  const listed = (await client.get('/account/orders', { order_id: order.orderId })).body.orders[0].tracking_link;
  const { messages } = (await client.get('/sandbox/messages', { order_id: order.orderId })).body;
  const texts: string[] = messages.map(({ text }: { text: string }) => text);
  const finalized = (await client.post('/order/finalize', { order_id: order.orderId })).body.tracking_link;
  const links = [listed, finalized, ...texts.flatMap((text) => text.match(/http:\S+tracking_id=\S+/g) ?? [])];
  const short = texts.flatMap((text) => text.match(/http:\S+\/t\/\S+/g) ?? []);
  assert.deepEqual([links.length, short.length], [3, 1]);
  for (const link of links) assert.ok(link.endsWith(order.link), link);
  return new Set([...links, ...short].map((link) => new URL(link).host));
}

test('links use the host of their account once it has proved to lead to the service, in answers, mails and SMS', async () => {
  leadToTheService();
  const [client, other] = [await givenHost('track.one.example'), await app.givenClient()];
  assert.deepEqual(await linkOrigins(client), new Set([`follow.example:${frontPort()}`]));
  assert.deepEqual(await verify(client), { verifiedAt: app.now(), reason: null });
  assert.deepEqual(await linkOrigins(client), new Set([`track.one.example:${frontPort()}`]));
  assert.deepEqual(await linkOrigins(other), new Set([`follow.example:${frontPort()}`]));
  await saveBranding(app.service.deps.db, client.accountId, { trackingHost: 'track.else.example' }, app.now());
  assert.deepEqual(await linkOrigins(client), new Set([`follow.example:${frontPort()}`]));
});

test('a host that answers anything else is not verified, and the reason is reported', async () => {
  const client = await givenHost('track.two.example');
  const { tokens } = app.service.deps;
  const seen: string[] = [];
  const challengeOf = (path: string) => new URL(path, front.url).searchParams.get('challenge') ?? '';
  for (const [answer, reason] of [
    [() => [200, 'hello'], /not with this service's page/],
    [() => [404, ''], /^The host returned 404\. /],
    [
      (path: string) => [200, hostProof(tokens, 'track.other.example', challengeOf(path))],
      /not with this service's page/,
    ],
    [() => [200, hostProof(tokens, 'track.two.example', 'A'.repeat(24))], /not with this service's page/],
    [() => [200, 'x'.repeat(1024 * 1024)], /not with this service's page/],
    [() => [302, ''], /^The host returned 302\. /],
  ] as const) {
    front.answer = ({ path }, response) => {
      seen.push(challengeOf(path));
      const [status, text] = answer(path);
      response.writeHead(Number(status), { location: `${front.url}/elsewhere` }).end(text);
    };
    const check = await verify(client);
    assert.equal(check.verifiedAt, null);
    assert.match(check.reason ?? '', reason);
  }
  assert.ok(seen.every((challenge) => /^[\w-]{24}$/.test(challenge)) && new Set(seen).size === seen.length);
});

test('a host on a private address, or without https, is never asked', async () => {
  leadToTheService();
  const client = await givenHost('track.three.example');
  const publicHttp = createPublicHttp({ allowPrivate: false, resolveName: async () => ['127.0.0.1'] });
  const wanted = { accountId: client.accountId, host: 'track.three.example', verifiedAt: null };
  const check = (trackingUrl: string, host = wanted.host) =>
    verifyHost({ ...app.service.deps, publicHttp, config: { trackingUrl } }, { ...wanted, host });
  const before = front.connections();
  assert.match((await check('https://follow.example')).reason ?? '', /leads to an address that is not public\.$/);
  assert.match((await check('http://follow.example')).reason ?? '', /must be an https URL\.$/);
  assert.match((await check('https://follow.example', 'db.internal')).reason ?? '', /must be on a public host name\.$/);
  assert.equal(front.connections(), before);
  publicHttp.close();
});

test('the job verifies hosts by itself, keeps an unreachable one for some hours, and gives it up after a day', async () => {
  leadToTheService();
  const client = await givenHost('track.four.example');
  const isVerified = async () => (await readBranding(client)).trackingHostVerifiedAt !== null;
  await runJob();
  assert.equal(await isVerified(), true);
  front.answer = (_call, response) => response.writeHead(502).end();
  for (const [hours, expected] of [
    [6, true],
    [17, true],
    [2, false],
  ] as const) {
    await app.advance({ hours });
    await runJob();
    assert.equal(await isVerified(), expected, `${hours} more hours`);
  }
  leadToTheService();
  await app.advance({ minutes: 10 });
  await runJob();
  assert.equal(await isVerified(), true);
});

test('only a tracking host of an account gives a proof, for itself, and only to a challenge', async () => {
  await givenHost('track.five.example');
  const ask = (host: string, challenge: string) => app.get('/tracking/host', { challenge }, { host, 'id-token': '' });
  const challenge = 'abcdefghijklmnop';
  const proof = await ask('Track.Five.Example:8443', challenge);
  assert.deepEqual([proof.status, proof.headers['content-type']], [200, 'text/plain']);
  assert.equal(proof.text, hostProof(app.service.deps.tokens, 'track.five.example', challenge));
  for (const [host, text] of [
    ['follow.example', challenge],
    ['127.0.0.1', challenge],
    ['track.five.example', ''],
    ['track.five.example', 'short'],
    ['track.five.example', 'x'.repeat(65)],
    ['track.five.example', 'with a space and more'],
  ] as const) {
    assert.equal((await ask(host, text)).status, 404, `${host} ${text}`);
  }
});
